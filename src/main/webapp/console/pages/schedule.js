// @ts-check
import { get, getText, remove, url } from '../api.js';
import { confirmed, goIfStillAt } from '../ask.js';
import { runButton, toggle } from '../controls.js';
import { clock, exact, span } from '../format.js';
import { escaped, member, pretty } from '../json.js';
import { CATCH_UP, FAILURES, OVERLAP, SKIPS } from '../labels.js';
import { act, failed, icon, jobLink, skeleton, state, when } from '../parts.js';
import { href } from '../route.js';
import '../schedule-editor.js';
import { describer, duration, inZone, LOCAL_ZONE } from '../times.js';
import { html, nothing, Page } from '../view.js';

/** Shows one schedule, with its past runs and its next planned runs. */
class Schedule extends Page {
  static properties = { ...Page.properties, schedule: { state: true }, runs: { state: true }, editing: { state: true } };

  constructor() {
    super();
    /** @type {Api.Schedule | null} */
    this.schedule = null;
    /** @type {string | null} */
    this.payload = null;
    /** @type {Api.Run[]} */
    this.runs = [];
    /** @type {Api.Schedule | null} */
    this.editing = null;
    /** @type {Awaited<ReturnType<typeof describer>> | undefined} */
    this.describe;
  }

  get interval() {
    return 5_000;
  }

  get #name() {
    return this.route.parts[0];
  }

  clear() {
    this.schedule = null;
    this.editing = null;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    this.describe ??= await describer();
    const [text, { runs }] = await Promise.all([
      getText(url(['schedules', this.#name], { next: 5 }), { signal }),
      get(url(['schedules', this.#name, 'runs'], { limit: 50 }), { signal }),
    ]);
    this.schedule = JSON.parse(text);
    // The value is cut out of the JSON text, so that large numbers keep their digits.
    this.payload = member(text, 'payload');
    this.runs = runs;
  }

  async #delete() {
    const from = location.hash;
    const text = 'The schedule creates no more jobs. Jobs that it has created are kept.';
    const sure = await confirmed({ title: `Delete ${this.#name}?`, text, action: 'Delete', danger: true });
    if (sure && (await act(() => remove(url(['schedules', this.#name])).then(() => true), 'Schedule deleted'))) {
      goIfStillAt(from, 'schedules');
    }
  }

  render() {
    const schedule = this.schedule?.name === this.#name ? this.schedule : null;
    return html`
      <div class="head">
        <a class="button" href=${href('schedules')}>${icon('arrow-left')} Schedules</a>
        <h1>${this.#name}</h1><span class="grow"></span>
        ${schedule && this.has('OPERATOR', schedule.queue) ?
          runButton('schedules', schedule.name, () => this.refresh()) : nothing}
        ${this.administers && !this.editing && schedule ? html`
          <button class="primary" @click=${() => { this.editing = { ...schedule }; }}>${icon('pencil')} Edit</button>` : nothing}</div>
      ${failed(this.failure, () => this.refresh())}
      ${this.editing ? html`
        <readpast-schedule-editor .schedule=${this.editing} .payload=${this.payload}
          @closed=${() => { this.editing = null; }} @saved=${() => this.refresh()}></readpast-schedule-editor>` : nothing}
      ${schedule ? html`<div class="two">${this.#history()}${this.#plan(schedule)}</div>` : this.failure ? nothing : skeleton()}`;
  }

  #history() {
    return html`<section class="card" aria-labelledby="runs"><h2 id="runs">History</h2>
      ${this.runs.length ? html`<div class="scroll"><table>
        <thead><tr><th>Planned</th><th>Outcome</th><th>Job</th><th class="number">Took</th><th class="number">Attempts</th><th class="number">Failed</th></tr></thead>
        <tbody>${this.runs.map((run) => html`<tr>
          <td>${when(run.plannedAt)} ${run.manual ? html`<span class="state available">manual</span>` : nothing}</td>
          <td>${run.skipped ? html`<span class="state paused">skipped</span> ${SKIPS[run.skipped] ?? run.skipped}`
            : run.state ? state(run.state) : '–'}
            ${run.lastError ? html`<br><small class="reason">${FAILURES[run.lastError.kind] ?? run.lastError.kind}${
              run.lastError.message ? `: ${escaped(run.lastError.message)}` : nothing}</small>` : nothing}</td>
          <td>${run.job ? jobLink(run.job) : '–'}</td>
          <td class="number">${run.startedAt && run.endedAt ? span(Date.parse(run.endedAt) - Date.parse(run.startedAt)) : '–'}</td>
          <td class="number">${run.attempts ?? '–'}</td><td class="number">${run.failed ?? '–'}</td></tr>`)}</tbody></table></div>`
        : html`<p class="faint">No runs yet.</p>`}</section>`;
  }

  /** @param {Api.Schedule} schedule */
  #plan(schedule) {
    const { zone } = schedule;
    return html`<aside class="card" aria-labelledby="plan"><h2 id="plan">${this.describe?.(schedule)}</h2>
      <dl class="facts">
        ${schedule.cron ? html`<dt>Cron</dt><dd class="mono">${schedule.cron}</dd>` : nothing}
        ${zone ? html`<dt>Time zone</dt><dd>${zone}</dd>` : nothing}
        <dt>Type</dt><dd class="mono">${schedule.type}</dd><dt>Queue</dt><dd>${schedule.queue}</dd>
        <dt>Priority</dt><dd>${schedule.priority}</dd>
        <dt>Enabled</dt><dd>${toggle('schedules', schedule, this.administers, () => this.refresh())}</dd>
        <dt>Missed runs</dt><dd>${CATCH_UP[schedule.catchUp]}${schedule.catchUp === 'ALL' ? `, at most ${schedule.catchUpCap}` : nothing}</dd>
        <dt>While the last job is live</dt><dd>${OVERLAP[schedule.overlap]}</dd>
        <dt>Latest start</dt><dd>${schedule.latestStart ? `${duration(schedule.latestStart)} after the planned time` : 'any time'}</dd>
        ${schedule.declared ? html`<dt>Declared</dt>
          <dd>${schedule.declared.place}<br><small class="faint">by ${schedule.declared.owner}</small></dd>` : nothing}
      </dl>
      <h2>Next runs</h2>
      ${schedule.fires ? nothing : html`<p class="faint">${schedule.enabled
        ? 'None: no live node declares this schedule.' : 'None: the schedule is disabled.'}</p>`}
      <ol class="plain">${schedule.nextRuns.map((moment) => html`
        <li><time datetime=${moment} title=${exact(moment)}>${clock(moment)}</time>
          ${zone && zone !== LOCAL_ZONE ? html`<br><small class="faint">${inZone(moment, zone)} in ${zone}</small>` : nothing}</li>`)}</ol>
      ${this.editing ? nothing : html`<h2>Payload</h2><pre tabindex="0" aria-label="Payload">${pretty(this.payload)}</pre>`}
      ${this.administers && !schedule.declaredNow
        ? html`<div class="actions"><button @click=${this.#delete}>${icon('trash-2')} Delete</button></div>` : nothing}
    </aside>`;
  }
}

customElements.define('readpast-schedule', Schedule);
