// @ts-check
import { get, url } from '../api.js';
import { runButton, toggle } from '../controls.js';
import { exact, STATES } from '../format.js';
import { SKIPS } from '../labels.js';
import { empty, failed, icon, skeleton, when } from '../parts.js';
import { href } from '../route.js';
import '../rules.js';
import '../schedule-editor.js';
import { describer } from '../times.js';
import { html, nothing, Page } from '../view.js';

/** Limits the number of runs in the history of each schedule. */
const LISTED = 8;
/** The histories are requested after this time even if no schedule has changed, in ms. */
const MAX_AGE = 60_000;

/** Shows all schedules with their latest runs, and the rules. */
class Schedules extends Page {
  static properties = { ...Page.properties, schedules: { state: true }, runs: { state: true }, creating: { state: true } };

  /** Describes the schedules as they were when the histories were requested. */
  #listed = '';
  #listedAt = 0;

  constructor() {
    super();
    /** @type {Api.Schedule[]} */
    this.schedules = [];
    /** @type {Map<string, Api.Schedule['lastRuns']>} the latest runs by the name of the schedule */
    this.runs = new Map();
    this.creating = false;
    /** @type {Awaited<ReturnType<typeof describer>> | undefined} */
    this.describe;
  }

  get interval() {
    return 5_000;
  }

  clear() {
    this.creating = false;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    this.describe ??= await describer();
    /** @type {Api.Schedule[]} */
    const schedules = await get(url(['schedules'], { next: 1 }), { signal });
    this.schedules = schedules;
    // The histories are requested only if they may have changed, because the page is loaded often.
    const listed = JSON.stringify(schedules.map(({ name, lastJob, nextRuns }) => [name, lastJob, nextRuns]));
    const unfinished = [...this.runs.values()].some((runs) => runs?.some((run) => run.state && STATES[run.state].live));
    if (listed !== this.#listed || unfinished || Date.now() - this.#listedAt > MAX_AGE) {
      /** @type {Api.Schedule[]} */
      const withRuns = await get(url(['schedules'], { next: 0, runs: LISTED }), { signal });
      this.runs = new Map(withRuns.map(({ name, lastRuns }) => [name, lastRuns]));
      this.#listed = listed;
      this.#listedAt = Date.now();
    }
  }

  render() {
    return html`
      <div class="head"><h1>Schedules and rules</h1><span class="grow"></span>
        ${this.administers && !this.creating ? html`
          <button class="primary" @click=${() => { this.creating = true; }}>${icon('plus')} New schedule</button>` : nothing}</div>
      ${failed(this.failure, () => this.refresh())}
      ${this.creating ? html`<readpast-schedule-editor @closed=${() => { this.creating = false; }}></readpast-schedule-editor>` : nothing}
      ${this.loaded ? this.#list() : this.failure ? nothing : skeleton()}
      ${this.general ? html`<readpast-rules .session=${this.session} .route=${this.route}></readpast-rules>` : nothing}`;
  }

  #list() {
    return this.schedules.length
      ? html`<section class="card" aria-labelledby="schedules"><h2 id="schedules">Schedules</h2><div class="scroll"><table>
          <thead><tr><th>Schedule</th><th>When</th><th>Type</th><th>Next</th><th>Last runs</th><th>Enabled</th>
            <th><span class="hidden">Actions</span></th></tr></thead>
          <tbody>${this.schedules.map((schedule) => html`<tr>
            <td class="cut" title=${schedule.name}><a href=${href('schedules', [schedule.name])}><strong>${schedule.name}</strong></a></td>
            <td>${this.describe?.(schedule)}<br><small class="faint mono">${schedule.cron ?? ''} ${schedule.zone ?? ''}</small></td>
            <td class="mono cut" title=${schedule.type}>${schedule.type}</td>
            <td>${schedule.fires ? when(schedule.nextRuns[0]) : '–'}</td>
            <td>${history(this.runs.get(schedule.name) ?? [])}</td>
            <td>${toggle('schedules', schedule, this.administers, () => this.refresh())}</td>
            <td class="actions-cell">${this.has('OPERATOR', schedule.queue) ?
              runButton('schedules', schedule.name, () => this.refresh()) : nothing}</td>
          </tr>`)}</tbody></table></div></section>`
      : empty('calendar-clock', 'No schedules yet', `To create one, annotate a method with @Scheduled${this.administers ? ', or use the button above' : ''}.`);
  }
}

/**
 * Shows the outcomes of runs, the latest last, with links to their jobs.
 *
 * @param {NonNullable<Api.Schedule['lastRuns']>} runs
 */
const history = (runs) => (runs.length ? html`<span class="runs">${[...runs].reverse().map((run) => {
  const state = run.state && STATES[run.state];
  const outcome = run.skipped ? `skipped, ${SKIPS[run.skipped]}` : state ? state.label.toLowerCase() : 'job no longer stored';
  const text = `${exact(run.plannedAt)}: ${outcome}`;
  const symbol = html`<span class="state ${run.skipped ? 'paused' : run.state?.toLowerCase() ?? ''}">${
    icon(run.skipped ? 'skip-forward' : state ? state.icon : 'minus')}</span>`;
  return run.job && state ? html`<a href=${href('jobs', [run.job])} title=${text} aria-label=${text}>${symbol}</a>`
    : html`<span role="img" title=${text} aria-label=${text}>${symbol}</span>`;
})}</span>` : '–');

customElements.define('readpast-schedules', Schedules);
