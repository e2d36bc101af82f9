// @ts-check
import { get, getText, post, remove, url } from '../api.js';
import { confirmed, goIfStillAt, singleClick } from '../ask.js';
import { attempts, log } from '../attempts.js';
import { copyButton } from '../clipboard.js';
import { clock, exact, relative, span, STATES } from '../format.js';
import { fieldsOf } from '../forms.js';
import '../job-editor.js';
import { act, failed, icon, jobLink, skeleton, state, when } from '../parts.js';
import { href } from '../route.js';
import { listOf, searchFor } from '../search.js';
import { localField, utc } from '../times.js';
import { escaped, member, notJson, pretty } from '../json.js';
import { typeOf } from '../types.js';
import { html, nothing, Page } from '../view.js';

const WAITING = ['SCHEDULED', 'BLOCKED', 'AVAILABLE'];
/** States in which the due time of a job can change. */
const DATED = ['SCHEDULED', 'AVAILABLE'];
const RESETTABLE = ['DISCARDED', 'CANCELLED', 'EXPIRED'];
const JOB = /^job (\d+)$/;
const JOB_OR_TIME = /(\bjob \d+\b|\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/**
 * Shows a sentence from the server, with links to jobs and with times in the viewer's time zone.
 *
 * @param {string} text
 */
const linked = (text) => text.split(JOB_OR_TIME).map((part, i) => {
  const job = JOB.exec(part);
  if (i % 2 === 0 || (!job && Number.isNaN(Date.parse(part)))) {
    return part;
  }
  return job ? html`job ${jobLink(job[1])}` : html`<time datetime=${part} title=${exact(part)}>${clock(part)} (${relative(part)})</time>`;
});

/** One job with its payload, attempts and log. */
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

  /** The page polls, because the server sends no event when a handler reports progress. */
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
   * The name of a node, or its id if the node is no longer recorded.
   *
   * @param {string} id
   */
  #nameOf(id) {
    return this.nodes?.get(id) ?? id;
  }

  /**
   * A value, with a link to the jobs that have it.
   *
   * @param {string} qualifier
   * @param {string | undefined} value
   */
  #search(qualifier, value, title = '') {
    return value && html`<a title=${title || nothing} href=${href('jobs', [], { q: searchFor({ [qualifier]: value }) })}>${escaped(value)}</a>`;
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
      ${job.reasons?.length
        ? html`<div class="notice warn" role="status">${icon('hourglass')}<div><strong>Why it is not running</strong>
            ${job.reasons.map((reason) => html`<p>${linked(reason)}</p>`)}</div></div>` : nothing}
      ${this.#timeline(job)}
      ${job.masked?.length
        ? html`<div class="notice">${icon('eye-off')}<span>Hidden, and visible to operators only:
            ${job.masked.map((name, i) => html`${i ? ', ' : nothing}<span class="mono">${name}</span>`)}</span></div>` : nothing}
      <div class="two">
        <div>
          ${this.editing ? this.#editor() : this.#payloadSection(job)}
          ${this.result ? this.#json('Result', 'result', this.result) : nothing}
          ${attempts(job, (id) => this.#nameOf(id))}
          ${log(job)}
        </div>
        <aside class="card" aria-labelledby="facts"><h2 id="facts">Headers</h2>
          <dl class="facts">
            ${this.#fact('Queue', html`<a href=${href('queues', [], { queue: job.queue })}>${job.queue}</a>`)}
            ${this.#fact('Type', html`<a class="mono" href=${href('jobs', [], { q: searchFor({ type: job.type }) })}>${typeOf(job)}</a>`)}
            ${this.#fact('Priority', this.has('OPERATOR', job.queue) && WAITING.includes(job.state) ? this.#priority(job) : job.priority)}
            ${this.#fact('Attempt', `${job.attempt}${job.maxAttempts > 0 ? ` of ${job.maxAttempts}` : ', unlimited'}`)}
            ${this.#fact('Group', this.#search('group', job.group))}
            ${this.#fact('Batch', job.batch && html`<a href=${href('batches', [job.batch])}>${job.batch}</a>, wave ${job.wave}`)}
            ${this.#fact('After', job.predecessors?.length && job.predecessors.map((one) => html`${jobLink(one.id)} `))}
            ${this.#fact('Unique key', this.#search('uniqueKey', job.uniqueKey))}
            ${this.#fact('Correlation id', this.#search('correlationId', job.correlationId))}
            ${this.#fact('Enqueued by', job.enqueuedBy && escaped(job.enqueuedBy))}
            ${this.#fact('Node', job.node && this.#search('node', this.#nameOf(job.node), job.node))}
            ${this.#fact('Expires', job.expiresAt && when(job.expiresAt))}
            ${Object.entries(job.properties ?? {}).map(([name, value]) => this.#fact(escaped(name), escaped(value)))}
          </dl>
        </aside>
      </div>`;
  }

  /** @param {Api.Job} job */
  #priority(job) {
    const change = async (/** @type {any} */ event) => {
      const priority = Number(event.target.value);
      if (!(await this.#change('priority', `Priority set to ${priority}`, { priority }))) {
        event.target.value = String(this.job?.priority);
      }
    };
    return html`<select aria-label="Priority" @change=${change}>
      ${[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((one) => html`<option value=${one} ?selected=${one === job.priority}>${one}</option>`)}
    </select>`;
  }

  /** @param {string} name @param {unknown} value */
  #fact(name, value) {
    return value === undefined || value === null || value === '' || value === 0
      ? name === 'Priority' ? html`<dt>${name}</dt><dd>0</dd>` : nothing
      : html`<dt>${name}</dt><dd>${value}</dd>`;
  }

  /** @param {Api.Job} job */
  #timeline(job) {
    /** @type {[string | null, string | null | undefined][]} */
    const times = [
      ['Enqueued', job.enqueuedAt],
      ['Due', job.availableAt !== job.enqueuedAt ? job.availableAt : null],
      ['Started', job.startedAt],
      [STATES[job.state].live ? null : STATES[job.state].label, job.endedAt],
    ];
    const steps = /** @type {[string, string][]} */ (times.filter(([label, moment]) => label && moment));
    return html`
      <section class="card" aria-label="Timeline">
        <ol class="timeline">${steps.map(([label, moment], i) => html`
          <li><strong>${label}</strong> <time datetime=${moment} title=${exact(moment)}>${clock(moment)}</time>
            ${i > 0 ? html`<span class="faint">${span(Date.parse(moment) - Date.parse(steps[i - 1][1]))} later</span>` : nothing}</li>`)}
        </ol>
        ${job.progress
          ? html`<label>Progress <progress max=${job.progress.total} value=${job.progress.done}></progress>
              ${job.progress.done} of ${job.progress.total}</label>` : nothing}
      </section>`;
  }

  /** @param {Api.Job} job */
  #payloadSection(job) {
    return job.payloadKept === false
      ? html`
        <section class="card" aria-labelledby="payload">
          <h2 id="payload">Payload</h2>
          <p class="faint">Not stored: payloads of this type are deleted when their jobs succeed, or an administrator has erased this one.</p>
        </section>`
      : this.#json('Payload', 'payload', this.payload, job.contentType);
  }

  /** @param {string} title @param {string} id @param {string | null} text @param {string} [contentType] */
  #json(title, id, text, contentType) {
    return html`
      <section class="card" aria-labelledby=${id}>
        <h2 id=${id}>${title} ${contentType ? html`<span class="faint">${contentType}</span>` : nothing}<span class="grow"></span>
          ${copyButton(`the ${id}`, () => pretty(text))}</h2>
        <pre tabindex="0" aria-label=${title}>${pretty(text)}</pre>
      </section>`;
  }

  #editor() {
    const submit = async (/** @type {any} */ event) => {
      event.preventDefault();
      const { payload } = event.target.elements;
      if (notJson(payload, payload.value)) {
        return;
      }
      const text = payload.value;
      if (await this.#change('reset', 'Job reset with the new payload', { payloadText: text })) {
        this.editing = false;
      }
    };
    return html`
      <form class="card" @submit=${submit}>
        <h2><label for="edited">Payload</label></h2>
        <textarea id="edited" name="payload" class="mono" rows="14" spellcheck="false" .value=${pretty(this.payload)}
          @input=${(/** @type {any} */ event) => event.target.setCustomValidity('')}></textarea>
        <div class="actions"><button type="button" class="quiet" @click=${() => { this.editing = false; }}>Cancel</button>
          <button class="primary">${icon('rotate-ccw')} Reset with this payload</button></div>
      </form>`;
  }
}

customElements.define('readpast-job', Job);
