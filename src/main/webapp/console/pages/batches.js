// @ts-check
import { get, post, putText, url } from '../api.js';
import { confirmed } from '../ask.js';
import { change, inProgress } from '../bulk.js';
import { fieldsOf } from '../forms.js';
import '../graph.js';
import { compact, STATES, whole } from '../format.js';
import { escaped, notJson } from '../json.js';
import { act, empty, failed, icon, jobLink, skeleton, when } from '../parts.js';
import { href } from '../route.js';
import { searchFor } from '../search.js';
import { html, nothing, Page } from '../view.js';

/** @type {Part[]} */
const PARTS = ['completed', 'live', 'discarded', 'cancelled', 'expired'];
/** @typedef {'completed' | 'live' | 'discarded' | 'cancelled' | 'expired'} Part */

/** @param {Api.Batch} batch @param {Part} part */
const sum = (batch, part) => batch.waves.reduce((all, wave) => all + wave[part], 0);
/** @param {Api.Batch} batch */
const blocked = (batch) => batch.waves.some((wave) => wave.holding?.length);
/** @param {Api.Batch} batch */
const ended = (batch) => batch.finishedAt || batch.cancelledAt;
const LIVE = Object.entries(STATES).filter(([, { live }]) => live);

/**
 * Shows a number of jobs, with a link to them. A search has one state, so live jobs have a link for
 * each of their states.
 *
 * @param {Api.Batch} batch
 * @param {Api.Batch['waves'][number]} wave
 * @param {Part} part
 */
const jobsOf = (batch, wave, part) => {
  const address = (/** @type {string} */ state) => href('jobs', [], { q: searchFor({ batch: batch.name, wave: wave.wave }), state });
  return part === 'live'
    ? html`${whole(wave.live)}: ${LIVE.map(([name, { label }], i) => html`${i ? ', ' : nothing}<a href=${address(name)}>${label.toLowerCase()}</a>`)}`
    : html`<a href=${address(part.toUpperCase())}>${whole(wave[part])}</a>`;
};
/** @param {Api.Batch} batch */
const stateOf = (batch) => {
  const name = (batch.heldAt || blocked(batch)) && !ended(batch) ? 'held' : batch.state.toLowerCase();
  return html`<span class="state ${name === 'held' ? 'discarded' : name === 'finished' ? 'completed' : name}">${name}</span>`;
};

/** Shows batches, their waves, and the dependencies between their jobs. */
class Batches extends Page {
  static properties = { ...Page.properties, batches: { state: true }, next: { state: true }, batch: { state: true }, graph: { state: true } };

  constructor() {
    super();
    /** @type {Api.Batch[]} */
    this.batches = [];
    /** @type {string | undefined} */
    this.next = undefined;
    /** @type {Api.Batch | null} */
    this.batch = null;
    /** @type {{jobs: import('../layout.js').GraphJob[], complete: boolean} | null} */
    this.graph = null;
  }

  get #name() {
    return this.route.parts[0];
  }

  clear() {
    this.batch = null;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    if (this.#name) {
      const name = this.#name;
      const [batch, graph] = await Promise.all([
        get(url(['batches', name]), { signal }),
        get(url(['batches', name, 'graph']), { signal }),
      ]);
      this.batch = batch;
      this.graph = graph;
    } else {
      const page = await get(url(['batches'], { limit: 100, cursor: this.route.query.get('cursor') }), { signal });
      this.batches = page.batches;
      this.next = page.next;
    }
  }

  /** @param {string} path @param {import('../ask.js').Question} question @param {string} done */
  async #change(path, question, done) {
    if (await confirmed(question)) {
      await act(() => post(url(['batches', this.#name, path])), done);
      this.refresh();
    }
  }

  /** @param {Api.Batch} batch */
  async #reset({ name }) {
    const sure = await confirmed({
      title: `Reset the discarded jobs of ${name}?`,
      text: 'The discarded jobs start again, with their full number of attempts.',
      action: 'Reset',
    });
    if (sure) {
      await change({ title: 'Reset', text: '', done: 'reset' },
        { action: 'RESET', matching: { q: searchFor({ batch: name }), state: 'DISCARDED' } });
      this.refresh();
    }
  }

  render() {
    const batch = this.batch?.name === this.#name ? this.batch : null;
    return html`
      <div class="head">
        ${this.#name ? html`<a class="button" href=${href('batches')}>${icon('arrow-left')} Batches</a>` : nothing}
        <h1>${this.#name ? escaped(this.#name) : 'Batches'}</h1>${batch ? stateOf(batch) : nothing}<span class="grow"></span>
        ${batch && this.operates ? this.#actions(batch) : nothing}</div>
      ${failed(this.failure, () => this.refresh())}
      ${!this.loaded ? this.failure ? nothing : skeleton() : this.#name ? batch && this.#details(batch) : this.#list()}`;
  }

  /** @param {Api.Batch} batch */
  #actions(batch) {
    const { name } = batch;
    const button = (/** @type {string} */ path, /** @type {string} */ label, /** @type {string} */ symbol,
      /** @type {string} */ done, /** @type {string} */ text, /** @type {object} */ question = {}) => html`
      <button @click=${() => this.#change(path, { title: `${label} ${name}?`, action: label, text, ...question }, done)}>
        ${icon(symbol)} ${label}</button>`;
    return html`
      ${batch.sealedAt ? nothing : button('seal', 'Seal', 'lock', 'Batch sealed',
        'No more jobs can be added. When the last job has ended, the callbacks are enqueued.')}
      ${blocked(batch) ? button('skip', 'Skip', 'skip-forward', 'Batch continues',
        'The next wave starts although jobs of this wave were discarded. These jobs stay discarded.',
        { title: `Skip the failures that block ${name}?` }) : nothing}
      ${sum(batch, 'discarded') ? html`<button ?disabled=${inProgress()} @click=${() => this.#reset(batch)}>
        ${icon('rotate-ccw')} Reset discarded jobs</button>` : nothing}
      ${ended(batch) ? nothing : batch.heldAt
        ? button('release', 'Release', 'play', 'Batch released', 'Each wave starts again as soon as all lower waves have ended.')
        : button('hold', 'Hold', 'pause', 'Batch held',
          'No further wave will start until the batch is released. Jobs that have already been released continue.')}
      ${ended(batch) ? nothing : button('cancellation', 'Cancel', 'ban', 'Batch is being cancelled',
        'Waiting jobs are cancelled; running jobs are asked to stop.',
        { action: 'Cancel batch', dismiss: 'Go back', danger: true })}`;
  }

  #list() {
    return this.batches.length
      ? html`<div class="card scroll"><table>
          <thead><tr><th>Batch</th><th>State</th><th>Waves</th><th class="number">Live</th><th class="number">Completed</th>
            <th class="number">Discarded</th><th>Created</th><th>Finished</th></tr></thead>
          <tbody>${this.batches.map((batch) => html`<tr>
            <td class="cut" title=${batch.name}><a href=${href('batches', [batch.name])}><strong>${escaped(batch.name)}</strong></a></td>
            <td>${stateOf(batch)}</td>
            <td>${batch.waves.length}</td><td class="number">${compact(sum(batch, 'live'))}</td>
            <td class="number">${compact(sum(batch, 'completed'))}</td><td class="number">${compact(sum(batch, 'discarded'))}</td>
            <td>${when(batch.createdAt)}</td><td>${when(batch.finishedAt)}</td></tr>`)}</tbody>
        </table></div>
        ${this.next ? html`<p><a class="button" href=${href('batches', [], { cursor: this.next })}>Next ${icon('arrow-right')}</a></p>` : nothing}`
      : empty('workflow', 'No batches yet',
        'A batch groups jobs into waves that run one after another, with callbacks when all jobs have ended. '
          + 'To create one, use JobQueue.batch(…).');
  }

  /** @param {Api.Batch} batch */
  #details(batch) {
    return html`
      <div class="waves">${batch.waves.map((wave) => {
        const total = PARTS.reduce((sum, part) => sum + wave[part], 0);
        return html`
          <section class="card" aria-label="Wave ${wave.wave}">
            <h2>Wave ${wave.wave} ${wave.waiting ? html`<span class="state blocked">${icon('hourglass')} waiting</span>` : nothing}</h2>
            <progress max=${total || 1} value=${total - wave.live} aria-label="${whole(total - wave.live)} of ${whole(total)} ended"></progress>
            <dl class="facts">${PARTS.filter((part) => wave[part]).map((part) => html`<dt>${part}</dt>
              <dd>${jobsOf(batch, wave, part)}</dd>`)}</dl>
            ${wave.holding?.length ? html`<p class="notice bad">${icon('alert-triangle')}
              <span>blocks later waves: job ${wave.holding.map((id) => html`${jobLink(id)} `)}</span></p>` : nothing}
            ${wave.heldBy?.length ? html`<p class="faint">waiting: ${wave.heldBy.join('; ')}</p>` : nothing}
          </section>`;
      })}</div>
      ${this.graph?.jobs.length
        ? html`<section class="card" aria-labelledby="graph"><h2 id="graph">Dependencies</h2>
            <readpast-graph .jobs=${this.graph.jobs}></readpast-graph>
            ${this.graph.complete ? nothing : html`<p class="faint">Only the first ${whole(this.graph.jobs.length)} jobs are shown.</p>`}</section>` : nothing}
      <section class="card" aria-labelledby="callbacks"><h2 id="callbacks">Callbacks</h2>
        ${batch.callbacks.length ? html`<table><thead><tr><th>On</th><th>Type</th><th>Fired</th><th>Job</th></tr></thead>
          <tbody>${batch.callbacks.map((one) => html`<tr><td>${one.event.toLowerCase()}</td><td class="mono">${one.type}</td>
            <td>${when(one.firedAt)}</td><td>${one.job ? jobLink(one.job) : '–'}</td></tr>`)}</tbody></table>`
          : html`<p class="faint">None.</p>`}
        ${this.operates && !batch.finishedAt ? this.#callbackForm() : nothing}
      </section>`;
  }

  #callbackForm() {
    const add = async (/** @type {any} */ event) => {
      event.preventDefault();
      const form = event.target;
      const { event: at, type, queue, payload } = fieldsOf(form);
      const text = payload.trim() || '{}';
      if (notJson(form.elements.payload, text)) {
        return;
      }
      // The payload is sent as it was typed, because JavaScript would round large numbers.
      const written = `{"${at}":${JSON.stringify({ type, queue }).slice(0, -1)},"payload":${text}}}`;
      if (await act(() => putText(url(['batches', this.#name]), written), 'Callback added')) {
        form.reset();
      }
      this.refresh();
    };
    return html`<form class="line" @submit=${add}>
      <label>On <select name="event"><option value="onSuccess">success</option><option value="onDiscard">discard</option>
        <option value="onFinish">finish</option></select></label>
      <label>Type <input name="type" required placeholder="report.send"></label>
      <label>Queue <input name="queue" required placeholder="reports"></label>
      <label>Payload <input name="payload" class="mono" value="{}" spellcheck="false"
        @input=${(/** @type {any} */ event) => event.target.setCustomValidity('')}></label>
      <button>${icon('plus')} Add callback</button></form>`;
  }
}

customElements.define('readpast-batches', Batches);
