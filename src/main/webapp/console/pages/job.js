// @ts-check
import { get, getText, post, remove, url } from '../api.js';
import { confirmed, goIfStillAt, singleClick } from '../ask.js';
import { attempts, log } from '../attempts.js';
import { STATES } from '../format.js';
import { fieldsOf } from '../forms.js';
import '../job-editor.js';
import { facts } from '../job-facts.js';
import { json, payload, payloadEditor } from '../job-payload.js';
import { masked, reasons, timeline } from '../job-state.js';
import { escaped, member } from '../json.js';
import { act, failed, icon, skeleton, state } from '../parts.js';
import { href } from '../route.js';
import { listOf } from '../search.js';
import { localField, utc } from '../times.js';
import { html, nothing, Page } from '../view.js';

const WAITING = ['SCHEDULED', 'BLOCKED', 'AVAILABLE'];
/** Lists the states in which the due time of a job can change. */
const DATED = ['SCHEDULED', 'AVAILABLE'];
const RESETTABLE = ['DISCARDED', 'CANCELLED', 'EXPIRED'];

/** Shows one job with its payload, attempts and log. */
class Job extends Page {
  static properties = {
    ...Page.properties,
    job: { state: true },
    payload: { state: true },
    editing: { state: true },
    rescheduling: { state: true },
    copying: { state: true },
  };

  constructor() {
    super();
    /** @type {Api.Job | null} */
    this.job = null;
    /** @type {string | null} */
    this.payload = null;
    /** @type {string | null} */
    this.result = null;
    this.editing = false;
    this.rescheduling = false;
    this.copying = false;
    /** @type {Map<string, string> | undefined} the names of nodes by their ids */
    this.nodes = undefined;
  }

  /**
   * Returns a short interval for a running job, because the server sends no event when a handler
   * reports progress.
   */
  get interval() {
    return this.job?.state === 'RUNNING' ? 2_000 : super.interval;
  }

  get #id() {
    return this.route.parts[0];
  }

  clear() {
    this.editing = false;
    this.rescheduling = false;
    this.copying = false;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const text = await getText(url(['jobs', this.#id]), { signal });
    /** @type {Api.Node[]} */
    const nodes = this.general && !this.nodes ? await get(url(['nodes'], { all: true }), { signal }) : [];
    this.nodes ??= new Map(nodes.map((node) => [node.id, node.name]));
    this.job = JSON.parse(text);
    // The value is cut out of the JSON text, so that large numbers keep their digits.
    this.payload = member(text, 'payload');
    this.result = member(text, 'result');
  }

  /**
   * Returns the name of a node, or its id if the node is no longer recorded.
   *
   * @param {string} id
   */
  #nameOf(id) {
    return this.nodes?.get(id) ?? id;
  }

  /**
   * Changes the job; returns true if that succeeds.
   *
   * @param {string} path
   * @param {string} done
   * @param {object} [body]
   */
  async #change(path, done, body) {
    const answer = await act(() => post(url(['jobs', this.#id, path]), body), done);
    await this.refresh();
    return answer !== undefined;
  }

  #setPriority = async (/** @type {number} */ priority) => {
    await this.#change('priority', `Priority set to ${priority}`, { priority });
    return this.job?.priority;
  };

  #resetWith = async (/** @type {string} */ payloadText) => {
    if (await this.#change('reset', 'Job reset with the new payload', { payloadText })) {
      this.editing = false;
    }
  };

  async #delete() {
    const from = location.hash;
    const sure = await confirmed({
      title: `Delete job ${this.#id}?`,
      text: 'The job is deleted with its payload, attempts and log. Jobs that it blocks continue.',
      action: 'Delete job',
      danger: true,
    });
    if (sure && await act(() => remove(url(['jobs', this.#id])).then(() => true), 'Job deleted')) {
      goIfStillAt(from, 'jobs');
    }
  }

  /** @param {Api.Job} job */
  async #skip({ queue, group = '' }) {
    const sure = await confirmed({
      title: `Skip the failure of group ${escaped(group)}?`,
      text: 'If discarded jobs hold the group, the next job of the group starts. The discarded jobs stay discarded.',
      action: 'Skip the failure',
    });
    if (sure) {
      await act(() => post(url(['queues', queue, 'groups', group, 'skip'])), 'Group continues');
      await this.refresh();
    }
  }

  async #cancel() {
    const running = this.job?.state === 'RUNNING';
    const sure = await confirmed({
      title: `Cancel job ${this.#id}?`,
      text: running ? 'The handler is asked to stop, and its transaction is rolled back.' : 'The job ends immediately and will not run.',
      action: 'Cancel job',
      dismiss: 'Go back',
      danger: true,
    });
    if (sure) {
      await this.#change('cancellation', running ? 'Cancellation requested' : 'Job cancelled');
    }
  }

  render() {
    const job = String(this.job?.id) === this.#id ? this.job : null;
    return html`
      <div class="head">
        <a class="button" href=${href('jobs', [], listOf(this.session.name))}>${icon('arrow-left')} Jobs</a>
        <h1>Job <span class="mono">${this.#id}</span></h1>
        ${job ? state(job.state) : nothing}
        ${job?.cancellationRequested ? html`<span class="state stopping">cancellation requested</span>` : nothing}
        <span class="grow"></span>
        ${job && this.has('OPERATOR', job.queue) ? this.#actions(job) : nothing}
      </div>
      ${failed(this.failure, () => this.refresh())}
      ${job ? this.#details(job) : this.failure ? nothing : skeleton(8)}`;
  }

  /** @param {Api.Job} job */
  #actions(job) {
    const { live } = STATES[job.state];
    return html`
      ${job.state === 'SCHEDULED'
        ? html`<button @click=${singleClick(() => this.#change('run', 'Job is due now'))}>${icon('play')} Run now</button>` : nothing}
      ${DATED.includes(job.state)
        ? html`<button @click=${() => { this.rescheduling = true; }}>${icon('clock')} Reschedule</button>` : nothing}
      ${live ? html`<button ?disabled=${Boolean(job.cancellationRequested)} @click=${this.#cancel}>${icon('ban')} Cancel</button>`
        : html`
          ${RESETTABLE.includes(job.state)
            ? html`<button @click=${singleClick(() => this.#change('reset', 'Job reset'))}>${icon('rotate-ccw')} Reset</button>
              ${job.contentType ? nothing
                : html`<button @click=${() => { this.editing = true; }}>${icon('pencil')} Edit and reset</button>`}` : nothing}
          ${job.state === 'DISCARDED' && job.group
            ? html`<button @click=${() => this.#skip(job)}>${icon('skip-forward')} Skip the failure of the group</button>` : nothing}
          <button @click=${this.#delete}>${icon('trash-2')} Delete</button>`}
      ${job.contentType || job.payloadKept === false ? nothing
        : html`<button @click=${() => { this.copying = true; }}>${icon('copy')} Enqueue a copy</button>`}`;
  }

  /** @param {Api.Job} job */
  #dueForm(job) {
    const close = () => { this.rescheduling = false; };
    const submit = async (/** @type {any} */ event) => {
      event.preventDefault();
      if (await this.#change('reschedule', 'Job rescheduled', { at: utc(fieldsOf(event.target).at) })) {
        close();
      }
    };
    return html`
      <form class="card line" @submit=${submit}>
        <label>Due at <input type="datetime-local" name="at" required .value=${localField(job.availableAt)}></label>
        <button type="button" class="quiet" @click=${close}>Cancel</button>
        <button class="primary">${icon('check')} Reschedule</button></form>`;
  }

  /** @param {Api.Job} job */
  #details(job) {
    return html`
      ${this.copying ? html`<readpast-job-editor .session=${this.session} .job=${job} .payload=${this.payload}
        @closed=${() => { this.copying = false; }}></readpast-job-editor>` : nothing}
      ${this.rescheduling && DATED.includes(job.state) ? this.#dueForm(job) : nothing}
      ${reasons(job)}
      ${timeline(job)}
      ${masked(job)}
      <div class="two">
        <div>
          ${this.editing ? payloadEditor(this.payload, this.#resetWith, () => { this.editing = false; }) : payload(job, this.payload)}
          ${this.result ? json('Result', 'result', this.result) : nothing}
          ${attempts(job, (id) => this.#nameOf(id))}
          ${log(job)}
        </div>
        ${facts(job, (id) => this.#nameOf(id), this.has('OPERATOR', job.queue) && WAITING.includes(job.state) ? this.#setPriority : undefined)}
      </div>`;
  }
}

customElements.define('readpast-job', Job);
