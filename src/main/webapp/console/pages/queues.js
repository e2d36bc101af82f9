// @ts-check
import { get, patch, post, url } from '../api.js';
import { confirmed, singleClick } from '../ask.js';
import { compact, span, whole } from '../format.js';
import { fieldsOf } from '../forms.js';
import { act, empty, failed, icon, skeleton } from '../parts.js';
import { queueNodes } from '../queue-nodes.js';
import { href, setQuery } from '../route.js';
import { searchFor } from '../search.js';
import { handledTypes } from '../types.js';
import { html, nothing, Page } from '../view.js';

/** A slider must stay at a value for this time, in ms, before the value is stored. */
const SETTLE_MILLIS = 300;
/**
 * Specifies the shortest time between two requests for the counters of the nodes, which change with
 * their heartbeats, in ms.
 */
const MIN_COUNT_INTERVAL = 5_000;
/** @type {Api.Job['state'][]} */
const WAITING = ['AVAILABLE', 'SCHEDULED', 'BLOCKED'];
/** Specifies the value that removes the limit of a job type. */
const NO_LIMIT = 10_000;
/**
 * Describes the settings of a queue, each with the end of its slider, the maximum of the API,
 * and whether 0 halts the queue.
 *
 * @typedef {{name: 'concurrency' | 'globalConcurrency' | 'reserved', label: string, usual: number, most: number, halts?: boolean}} Setting
 * @type {Setting[]}
 */
const SETTINGS = [
  { name: 'concurrency', label: 'Concurrency per node', usual: 64, most: 1_000, halts: true },
  { name: 'globalConcurrency', label: 'Concurrency over all nodes', usual: 256, most: 10_000, halts: true },
  { name: 'reserved', label: 'Reserved workers per node', usual: 32, most: 1_000 },
];

/**
 * Returns the number of jobs in some states, with a plus sign if there are more than were counted.
 *
 * @param {Api.Queue} queue
 * @param {(count: number) => string} format
 * @param {Api.Job['state'][]} states
 */
const counted = (queue, format, ...states) =>
  format(states.reduce((sum, name) => sum + queue.counts[name], 0)) + (states.some((name) => queue.atLeast?.includes(name)) ? '+' : '');

/** Shows the queues with their depths, rates and limits. */
class Queues extends Page {
  static properties = { ...Page.properties, queues: { state: true }, types: { state: true }, handled: { state: true },
    listeners: { state: true }, dragged: { state: true } };

  /** @type {Map<string, number>} */
  #pendingChanges = new Map();
  /** @type {string | null | undefined} the queue whose settings were scrolled into view */
  #scrolledTo;
  #countedAt = 0;

  constructor() {
    super();
    /** @type {Api.Queue[]} */
    this.queues = [];
    /** @type {Api.JobType[]} */
    this.types = [];
    /** @type {string[]} the types that the running nodes handle, without versions */
    this.handled = [];
    /** @type {Api.Listener[] | null} the counters of the nodes, which are requested only while a queue is selected */
    this.listeners = null;
    /** @type {Record<string, string | undefined>} the values of settings that are being changed */
    this.dragged = {};
  }

  /** Scrolls to the settings of the selected queue, which are below the list of queues. */
  updated() {
    super.updated();
    const settings = this.querySelector('#settings');
    const name = settings && this.#selected?.name;
    if (name !== this.#scrolledTo) {
      this.#scrolledTo = name;
      settings?.parentElement?.scrollIntoView({ block: 'nearest' });
    }
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    /** @type {[Api.Queue[], Api.JobType[], Api.Node[]]} */
    const [queues, types, nodes] = await Promise.all([
      get('queues', { signal }),
      this.general ? get('types', { signal }) : [],
      this.administers ? get('nodes', { signal }) : [],
    ]);
    this.queues = queues;
    this.types = types;
    this.handled = handledTypes(nodes);
    if (this.general && this.#selected && Date.now() - this.#countedAt >= MIN_COUNT_INTERVAL) {
      this.#countedAt = Date.now();
      this.listeners = await get('listener', { signal });
    }
  }

  get #selected() {
    return this.queues.find((queue) => queue.name === this.route.query.get('queue'));
  }

  /** @param {Api.Queue} queue @param {object} change @param {string} done */
  async #change(queue, change, done) {
    await act(() => patch(url(['queues', queue.name]), change), done);
    await this.refresh();
  }

  /** @param {Api.Queue} queue */
  async #purge(queue) {
    const sure = await confirmed({
      title: `Purge ${queue.name}?`,
      text: `All waiting jobs, currently ${counted(queue, whole, ...WAITING).replace('+', ' or more')}, are cancelled. Running jobs continue.`,
      action: 'Purge',
      danger: true,
    });
    if (sure) {
      await act(() => post(url(['queues', queue.name, 'purge'])), `${queue.name} purged`);
      this.refresh();
    }
  }

  render() {
    return html`
      <div class="head"><h1>Queues</h1></div>
      ${failed(this.failure, () => this.refresh())}
      ${!this.loaded ? this.failure ? nothing : skeleton()
        : this.queues.length ? html`<div class="card scroll">${this.#table()}</div>${this.#settings()}`
          : empty('layers', 'No queues yet', 'A queue is created with its first job.')}
      ${this.loaded && (this.types.length || this.administers) ? this.#types() : nothing}`;
  }

  #types() {
    const limit = (/** @type {number | null | undefined} */ jobs) => html`<td class="number">${jobs === NO_LIMIT ? 'no limit' : jobs ?? 'no limit'}</td>`;
    return html`
      <section class="card" aria-labelledby="types"><h2 id="types">Job types with limits</h2>
        ${this.types.length ? html`<div class="scroll"><table>
          <thead><tr><th>Job type</th><th class="number">Concurrency per node</th><th class="number">Concurrency over all nodes</th>
            <th><span class="hidden">Actions</span></th></tr></thead>
          <tbody>${this.types.map((type) => html`
            <tr>
              <td class="cut" title=${type.name}><a href=${href('jobs', [], { q: searchFor({ type: type.name }) })}><strong>${type.name}</strong></a></td>
              ${limit(type.concurrency)}${limit(type.globalConcurrency)}
              <td class="actions-cell">${this.administers ? html`
                <button class="quiet" @click=${singleClick(() => this.#limit(type.name, null))}>Use the configuration</button>` : nothing}</td>
            </tr>`)}</tbody>
        </table></div>` : html`<p class="faint">No job type has a limit.</p>`}
        ${this.administers ? html`<form class="line" @submit=${this.#setLimit}>
          <label>Job type <input name="type" required list="handled-types" autocomplete="off"></label>
          <datalist id="handled-types">${this.handled.map((type) => html`<option value=${type}></option>`)}</datalist>
          <label>Maximum over all nodes <input name="most" type="number" min="0" max=${NO_LIMIT} required></label>
          <button>${icon('check')} Set limit</button></form>
          <p class="faint">The value 0 stops the type; ${whole(NO_LIMIT)} means no limit, even if the configuration sets one.</p>` : nothing}
      </section>`;
  }

  /** @param {SubmitEvent} event */
  async #setLimit(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { type, most } = fieldsOf(form);
    if (await this.#limit(type, Number(most))) {
      form.reset();
    }
  }

  /** @param {string} type @param {number | null} most the limit, or null for the configured one */
  async #limit(type, most) {
    const changed = await act(() => patch(url(['types', type]), { globalConcurrency: most }),
      most === null ? `${type}: limit from the configuration` : `${type}: limit ${most}`);
    await this.refresh();
    return changed;
  }

  #table() {
    return html`
      <table>
        <thead><tr><th>Queue</th><th>State</th><th>Last hour</th><th class="number">Available</th><th class="number">Running</th>
          <th class="number">Waiting</th><th class="number">Oldest</th><th class="number">Per second</th>
          <th class="number">Discarded</th><th><span class="hidden">Actions</span></th></tr></thead>
        <tbody>${this.queues.map((queue) => html`
          <tr aria-selected=${queue === this.#selected}>
            <td class="cut" title=${queue.name}><a href=${href('queues', [], { queue: queue.name })}><strong>${queue.name}</strong></a></td>
            <td><span class="state ${queue.paused ? 'paused' : 'active'}">${icon(queue.paused ? 'pause' : 'play')}${queue.paused ? 'Paused' : 'Active'}</span></td>
            <td>${sparkline(queue)}</td>
            ${this.#count(queue, 'AVAILABLE')}${this.#count(queue, 'RUNNING')}
            <td class="number">${counted(queue, compact, 'SCHEDULED', 'BLOCKED')}</td>
            <td class="number">${span(queue.oldestMillis)}</td>
            <td class="number">${queue.perSecond?.toFixed(1) ?? '–'}</td>
            ${this.#count(queue, 'DISCARDED')}
            <td class="actions-cell">${this.has('OPERATOR', queue.name) ? html`
              <button @click=${singleClick(() => this.#change(queue, { paused: !queue.paused },
                `${queue.name} ${queue.paused ? 'resumed' : 'paused'}`))}>
                ${icon(queue.paused ? 'play' : 'pause')} ${queue.paused ? 'Resume' : 'Pause'}</button>` : nothing}</td>
          </tr>`)}</tbody>
      </table>`;
  }

  /** @param {Api.Queue} queue @param {Api.Job['state']} name */
  #count(queue, name) {
    const address = href('jobs', [], { q: searchFor({ queue: queue.name }), state: name });
    return html`<td class="number"><a href=${address}>${counted(queue, compact, name)}</a></td>`;
  }

  #settings() {
    const queue = this.#selected;
    if (!queue) {
      return nothing;
    }
    return html`
      <section class="card" aria-labelledby="settings">
        <h2 id="settings">${queue.name}<span class="grow"></span>
          <a class="button quiet" href=${href('overview', [], { queue: queue.name })}>${icon('activity')} Charts</a>
          ${this.has('ADMIN', queue.name) ? html`<button class="quiet" @click=${() => this.#purge(queue)}>${icon('trash-2')} Purge</button>` : nothing}
          <button class="quiet" @click=${() => setQuery({ queue: null })}>${icon('x')} Close</button></h2>
        ${SETTINGS.map((setting) => this.#slider(queue, setting))}
        <dl class="facts">${Object.entries(queue.settings ?? {}).map(([name, setting]) => html`
          <dt>${name}</dt><dd>${setting.value} <span class="faint">from the ${setting.source.toLowerCase()}</span></dd>`)}</dl>
        ${this.listeners ? queueNodes(queue.name, this.listeners) : nothing}
      </section>`;
  }

  /**
   * Stores the value of a slider after it has stayed unchanged for a while, because keys move a
   * slider step by step.
   *
   * @param {Api.Queue} queue
   * @param {Setting} setting
   * @param {HTMLInputElement} input
   */
  #set(queue, { name, label, halts }, input) {
    const { value } = input;
    const key = `${queue.name} ${name}`;
    clearTimeout(this.#pendingChanges.get(key));
    if (value === '' || !input.reportValidity()) {
      return;
    }
    this.#pendingChanges.set(key, setTimeout(async () => {
      const sure = !halts || Number(value) > 0 || await confirmed({
        title: `Stop ${queue.name}?`,
        text: `With the value 0 for “${label}”, no node starts another job of this queue until you set a higher value. Running jobs continue.`,
        action: 'Set to 0',
        danger: true,
      });
      if (sure) {
        await this.#change(queue, { [name]: Number(value) }, `${label}: ${value}`);
      }
      if (this.dragged[key] === value) {
        this.dragged = { ...this.dragged, [key]: undefined };
      }
    }, SETTLE_MILLIS));
  }

  /**
   * Shows a slider for usual values, and a field for every permitted value.
   *
   * @param {Api.Queue} queue
   * @param {Setting} setting
   */
  #slider(queue, setting) {
    const { name, label, usual, most } = setting;
    const value = queue[name];
    const key = `${queue.name} ${name}`;
    const shown = this.dragged[key] ?? value;
    const configured = queue.settings?.[name]?.value;
    // A configured setting may be a word, such as "unlimited".
    const effective = Number.isFinite(Number(configured ?? 0)) ? Number(configured ?? 0) : usual;
    const position = Number(shown === '' ? effective : shown ?? effective);
    const end = Math.max(usual, value ?? 0, effective, Math.min(most, position));
    const id = `${name}-slider`;
    const allowed = this.has('OPERATOR', queue.name);
    const onInput = (/** @type {any} */ event) => { this.dragged = { ...this.dragged, [key]: event.target.value }; };
    const onChange = (/** @type {any} */ event) => this.#set(queue, setting, event.target);
    return html`
      <p class="slider">
        <label for=${id}>${label}</label>
        <input id=${id} type="range" min="0" max=${end} .value=${String(position)} ?disabled=${!allowed}
          @input=${onInput} @change=${onChange}>
        <input id="${name}-number" type="number" min="0" max=${most} aria-label="${label}, as a number" ?disabled=${!allowed}
          .value=${String(shown ?? '')} placeholder=${configured ?? 'default'} @input=${onInput} @change=${onChange}>
        ${value !== null && value !== undefined && allowed
          ? html`<button class="quiet" @click=${() => this.#change(queue, { [name]: null }, `${label}: from the configuration`)}>Use the configuration</button>` : nothing}
      </p>`;
  }
}

/**
 * Draws a chart of the depths over the last hour, with a link to the charts of the queue.
 *
 * @param {Api.Queue} queue
 */
function sparkline({ name, depths = [] }) {
  if (depths.length < 2) {
    return html`<span class="faint">–</span>`;
  }
  const most = Math.max(1, ...depths);
  const points = depths.map((depth, i) => `${((i / (depths.length - 1)) * 96).toFixed(1)},${(22 - (depth / most) * 20).toFixed(1)}`);
  return html`<a href=${href('overview', [], { queue: name })} title="Charts of ${name}"><svg class="spark" width="96" height="24" viewBox="0 0 96 24" role="img"
    aria-label="Depth over the last hour: from ${whole(depths[0])} to ${whole(depths[depths.length - 1])}, highest ${whole(most)}">
    <polyline points=${points.join(' ')}></polyline></svg></a>`;
}

customElements.define('readpast-queues', Queues);
