// @ts-check
import { get, post, url } from './api.js';
import { goIfStillAt } from './ask.js';
import { fieldsOf, filledIn, jsonArea } from './forms.js';
import { notJson, pretty } from './json.js';
import { act, icon } from './parts.js';
import { handledTypes } from './types.js';
import { html, NO_SESSION, nothing, View } from './view.js';

/** Matches the names of properties that the engine sets itself, and refuses from users. */
const RESERVED = /^readpast\./;

/**
 * Returns a key that identifies one request, so that a repeated request enqueues one job.
 * `crypto.randomUUID` would require HTTPS.
 */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Shows the form in which a job, or a copy of one, is enqueued. The form fires `closed` when it is
 * to be removed.
 */
class JobEditor extends View {
  static properties = {
    session: { attribute: false },
    job: { attribute: false },
    payload: { attribute: false },
    queues: { state: true },
    types: { state: true },
  };

  /**
   * Holds the last request and its key: a repeated request has the same key, because the first
   * response may have been lost.
   */
  #sent = { request: '', key: '' };

  constructor() {
    super();
    this.session = NO_SESSION;
    /** @type {Api.Job | null} the job to copy */
    this.job = null;
    /** @type {string | null} its payload as JSON text, in which numbers keep all digits */
    this.payload = null;
    /** @type {string[]} */
    this.queues = [];
    /** @type {string[]} */
    this.types = [];
  }

  async connectedCallback() {
    super.connectedCallback();
    const general = this.session.others !== 'NONE';
    // The names are only suggestions: if they cannot be loaded, users type the names.
    /** @type {[Api.Queue[], Api.Node[]]} */
    const [queues, nodes] = await Promise.all([get('queues'), general ? get('nodes') : []]).catch(() => [[], []]);
    this.queues = queues.map((queue) => queue.name);
    this.types = handledTypes(nodes);
  }

  /** @param {any} event */
  async #enqueue(event) {
    event.preventDefault();
    const { job } = this;
    const from = location.hash;
    const form = event.target;
    const { queue, payload, ...rest } = fieldsOf(form);
    const text = payload.trim() || '{}';
    if (notJson(form.elements.payload, text)) {
      return;
    }
    const properties = Object.entries(job?.properties ?? {}).filter(([name]) => !RESERVED.test(name));
    /** @type {Record<string, unknown>} */
    const body = {
      ...filledIn(rest, ['priority', 'maxAttempts']),
      ...(job?.type === rest.type ? { version: job.version } : {}),
      ...(properties.length ? { properties: Object.fromEntries(properties) } : {}),
    };
    // The payload is sent as typed, because JavaScript would round large numbers.
    const json = `${JSON.stringify(body).slice(0, -1)},"payload":${text}}`;
    const path = url(['queues', queue, 'jobs']);
    if (this.#sent.request !== path + json) {
      this.#sent = { request: path + json, key: newKey() };
    }
    const enqueued = await act(() => post(path, json, { written: true, headers: { 'Idempotency-Key': this.#sent.key } }),
      (/** @type {Api.Job} */ one) => `Job ${one.id} enqueued`);
    if (enqueued && this.isConnected) {
      this.#close();
      goIfStillAt(from, 'jobs', [String(enqueued.id)]);
    }
  }

  #close() {
    this.dispatchEvent(new Event('closed'));
  }

  render() {
    const { job } = this;
    const attempts = job && job.maxAttempts > 0 ? String(job.maxAttempts) : '';
    return html`
      <form class="card form" aria-label=${job ? `Copy of job ${job.id}` : 'New job'} @submit=${this.#enqueue}>
        <label>Queue <input name="queue" required list="known-queues" autocomplete="off" .value=${job?.queue ?? ''}></label>
        <datalist id="known-queues">${this.queues.map((name) => html`<option value=${name}></option>`)}</datalist>
        <label>Type <input name="type" required list="known-types" autocomplete="off" .value=${job?.type ?? ''}></label>
        <datalist id="known-types">${this.types.map((name) => html`<option value=${name}></option>`)}</datalist>
        <label>Priority <input name="priority" type="number" min="0" max="9" .value=${String(job?.priority ?? 4)}></label>
        <label>Delay <input name="delay" placeholder="PT5M, or none"></label>
        <label>Attempts <input name="maxAttempts" type="number" min="1" .value=${attempts} placeholder="those of the type"></label>
        <label class="wide">Payload ${jsonArea(job ? pretty(this.payload) : '', 8)}</label>
        ${job ? html`<p class="faint wide">The copy has the version and the properties of job ${job.id}, but not its group, batch, unique key,
          correlation id or expiry.</p>` : nothing}
        <div class="actions wide"><button type="button" class="quiet" @click=${this.#close}>Cancel</button>
          <button class="primary">${icon('check')} Enqueue</button></div>
      </form>`;
  }
}

customElements.define('readpast-job-editor', JobEditor);
