// @ts-check
import { get } from '../api.js';
import { runButton, toggle } from '../controls.js';
import { empty, failed, icon, jobLink, skeleton, when } from '../parts.js';
import { href } from '../route.js';
import '../rules.js';
import '../schedule-editor.js';
import { describer } from '../times.js';
import { html, nothing, Page } from '../view.js';

/** All schedules, and the rules. */
class Schedules extends Page {
  static properties = { ...Page.properties, schedules: { state: true }, creating: { state: true } };

  constructor() {
    super();
    /** @type {Api.Schedule[]} */
    this.schedules = [];
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
    this.schedules = await get('schedules', { signal });
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
          <thead><tr><th>Schedule</th><th>When</th><th>Type</th><th>Next</th><th>Last</th><th>Enabled</th>
            <th><span class="hidden">Actions</span></th></tr></thead>
          <tbody>${this.schedules.map((schedule) => html`<tr>
            <td class="cut" title=${schedule.name}><a href=${href('schedules', [schedule.name])}><strong>${schedule.name}</strong></a></td>
            <td>${this.describe?.(schedule)}<br><small class="faint mono">${schedule.cron ?? ''} ${schedule.zone ?? ''}</small></td>
            <td class="mono cut" title=${schedule.type}>${schedule.type}</td>
            <td>${schedule.fires ? when(schedule.nextRuns[0]) : '–'}</td>
            <td>${schedule.lastJob ? jobLink(schedule.lastJob) : '–'}</td>
            <td>${toggle('schedules', schedule, this.administers, () => this.refresh())}</td>
            <td class="actions-cell">${this.has('OPERATOR', schedule.queue) ?
              runButton('schedules', schedule.name, () => this.refresh()) : nothing}</td>
          </tr>`)}</tbody></table></div></section>`
      : empty('calendar-clock', 'No schedules yet', `To create one, annotate a method with @Scheduled${this.administers ? ', or use the button above' : ''}.`);
  }
}

customElements.define('readpast-schedules', Schedules);
