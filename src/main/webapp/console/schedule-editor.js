// @ts-check
import { putText, url } from './api.js';
import { goIfStillAt } from './ask.js';
import { fieldsOf, filledIn, jsonArea } from './forms.js';
import { notJson, pretty } from './json.js';
import { CATCH_UP, OVERLAP } from './labels.js';
import { act, icon } from './parts.js';
import { LOCAL_ZONE } from './times.js';
import { html, View } from './view.js';

/**
 * Shows the form in which a schedule is created or edited. The form fires `closed`, and before that
 * `saved` if the schedule was saved.
 */
class ScheduleEditor extends View {
  static properties = { schedule: { attribute: false }, payload: { attribute: false } };

  constructor() {
    super();
    /** @type {Partial<Api.Schedule>} the schedule to edit; a new schedule has no name yet */
    this.schedule = {};
    /** @type {string | null} the payload as JSON text, in which numbers keep all digits */
    this.payload = null;
  }

  /** @param {any} event */
  async #save(event) {
    event.preventDefault();
    const { schedule } = this;
    const from = location.hash;
    const form = event.target;
    const { name, when, at, payload, ...rest } = fieldsOf(form);
    // An edit does not send `enabled`, because the schedule may have been enabled or disabled
    // meanwhile.
    /** @type {Record<string, unknown>} */
    const body = { [when]: at, ...filledIn(rest, ['priority', 'catchUpCap']), ...(schedule.name ? {} : { enabled: true }) };
    if (when === 'every') {
      delete body.zone;
      body.anchor = schedule.anchor;
    }
    const text = payload.trim() || '{}';
    if (notJson(form.elements.payload, text)) {
      return;
    }
    // The payload is sent as it was typed, because JavaScript would round large numbers.
    const json = `${JSON.stringify(body).slice(0, -1)},"payload":${text}}`;
    if (await act(() => putText(url(['schedules', name]), json), 'Schedule saved') && this.isConnected && this.schedule === schedule) {
      this.#close();
      goIfStillAt(from, 'schedules', [name]);
      this.dispatchEvent(new Event('saved'));
    }
  }

  #close() {
    this.dispatchEvent(new Event('closed'));
  }

  /** @param {'catchUp' | 'overlap'} name @param {import('./labels.js').Labels} labels */
  #choice(name, labels) {
    return html`<select name=${name}>${Object.entries(labels).map(([value, label]) => html`
      <option value=${value} ?selected=${value === this.schedule[name]}>${label}</option>`)}</select>`;
  }

  render() {
    const { schedule } = this;
    const kind = schedule.daily ? 'daily' : schedule.every ? 'every' : 'cron';
    return html`
      <form class="card form" @submit=${this.#save}>
        <label>Name <input name="name" required .value=${schedule.name ?? ''} ?readonly=${Boolean(schedule.name)}></label>
        <label>When <select name="when">${['cron', 'daily', 'every'].map((value) => html`
          <option ?selected=${value === kind}>${value}</option>`)}</select></label>
        <label>At <input name="at" required .value=${schedule[kind] ?? ''} placeholder="0 2 * * *, 02:00 or PT15M"></label>
        <label>Time zone <input name="zone" .value=${schedule.zone ?? LOCAL_ZONE}></label>
        <label>Type <input name="type" required .value=${schedule.type ?? ''}></label>
        <label>Queue <input name="queue" .value=${schedule.queue ?? ''}></label>
        <label>Priority <input name="priority" type="number" min="0" max="9" .value=${String(schedule.priority ?? 4)}></label>
        <label>Missed runs ${this.#choice('catchUp', CATCH_UP)}</label>
        <label>Maximum number of jobs for missed runs <input name="catchUpCap" type="number" min="1" max="10000" .value=${String(schedule.catchUpCap ?? 100)}></label>
        <label>While the last job is live ${this.#choice('overlap', OVERLAP)}</label>
        <label>Latest start <input name="latestStart" .value=${schedule.latestStart ?? ''} placeholder="PT2H, or any time"></label>
        <label class="wide">Payload ${jsonArea(schedule.name ? pretty(this.payload) : '')}</label>
        <div class="actions wide"><button type="button" class="quiet" @click=${this.#close}>Cancel</button>
          <button class="primary">${icon('check')} Save</button></div>
      </form>`;
  }
}

customElements.define('readpast-schedule-editor', ScheduleEditor);
