import { get, patch, post, url } from '../api.js';
import { confirmed, once } from '../ask.js';
import { compact, span, whole } from '../format.js';
import { act, empty, failed, icon, skeleton } from '../parts.js';
import { href, setQuery } from '../route.js';
import { searchFor } from '../search.js';
import { html, nothing, Page } from '../view.js';

const REST = 300;
const WAITING = ['AVAILABLE', 'SCHEDULED', 'BLOCKED'];

/** How many jobs are in these states, with a plus where there are more than were counted. */
const counted = (queue, written, ...states) =>
  written(states.reduce((sum, name) => sum + queue.counts[name], 0)) + (states.some((name) => queue.atLeast?.includes(name)) ? '+' : '');

/** The queues: how deep, how fast, and how many at once. */
class Queues extends Page {
  static properties = { ...Page.properties, queues: { state: true }, types: { state: true }, dragged: { state: true } };

  #resting = new Map();
  #inSight;

  constructor() {
    super();
    this.dragged = {};
  }

  /** The settings of the queue that is chosen come below all queues, however many there are. */
  updated() {
    super.updated();
    const settings = this.querySelector('#settings');
    const name = settings && this.#chosen.name;
    if (name !== this.#inSight) {
      this.#inSight = name;
      settings?.parentElement.scrollIntoView({ block: 'nearest' });
    }
  }

  async load(signal) {
    [this.queues, this.types] = await Promise.all([get('queues', { signal }), this.general ? get('types', { signal }) : []]);
  }

  get #chosen() {
    return this.queues?.find((queue) => queue.name === this.route.query.get('queue'));
  }

  async #change(queue, change, done) {
    await act(() => patch(url(['queues', queue.name]), change), done);
    await this.refresh();
  }

  async #purge(queue) {
    const sure = await confirmed({
      title: `Purge ${queue.name}?`,
      text: `All its jobs that wait, ${counted(queue, whole, ...WAITING).replace('+', ' or more')} of them now, end as cancelled. Those in work go on.`,
      action: 'Purge',
      danger: true,
    });
    if (sure) {
      await act(() => post(url(['queues', queue.name, 'purge'])), `${queue.name} is purged`);
      this.refresh();
    }
  }

  render() {
    return html`
      <div class="head"><h1>Queues</h1></div>
      ${failed(this.failure, () => this.refresh())}
      ${!this.loaded ? skeleton()
        : this.queues.length ? html`<div class="card scroll">${this.#table()}</div>${this.#settings()}`
          : empty('layers', 'No queues yet', 'A queue comes to be with its first job.')}
      ${this.loaded && this.types.length ? this.#types() : nothing}`;
  }

  #types() {
    const limit = (jobs) => html`<td class="number">${jobs ?? 'no limit'}</td>`;
    return html`
      <section class="card" aria-labelledby="types"><h2 id="types">Job types with limits</h2>
        <div class="scroll"><table>
          <thead><tr><th>Job type</th><th class="number">At once, on each node</th><th class="number">At once, on all nodes together</th></tr></thead>
          <tbody>${this.types.map((type) => html`
            <tr>
              <td class="cut" title=${type.name}><a href=${href('jobs', [], { q: searchFor({ type: type.name }) })}><strong>${type.name}</strong></a></td>
              ${limit(type.concurrency)}${limit(type.globalConcurrency)}
            </tr>`)}</tbody>
        </table></div>
      </section>`;
  }

  #table() {
    return html`
      <table>
        <thead><tr><th>Queue</th><th>State</th><th>Last hour</th><th class="number">Available</th><th class="number">Running</th>
          <th class="number">Waiting</th><th class="number">Oldest</th><th class="number">Per second</th>
          <th class="number">Discarded</th><th><span class="hidden">Actions</span></th></tr></thead>
        <tbody>${this.queues.map((queue) => html`
          <tr aria-selected=${queue === this.#chosen}>
            <td class="cut" title=${queue.name}><a href=${href('queues', [], { queue: queue.name })}><strong>${queue.name}</strong></a></td>
            <td><span class="state ${queue.paused ? 'paused' : 'active'}">${icon(queue.paused ? 'pause' : 'play')}${queue.paused ? 'Paused' : 'Active'}</span></td>
            <td>${sparkline(queue.depths ?? [])}</td>
            ${this.#count(queue, 'AVAILABLE')}${this.#count(queue, 'RUNNING')}
            <td class="number">${counted(queue, compact, 'SCHEDULED', 'BLOCKED')}</td>
            <td class="number">${span(queue.oldestMillis)}</td>
            <td class="number">${queue.perSecond?.toFixed(1) ?? '–'}</td>
            ${this.#count(queue, 'DISCARDED')}
            <td class="right">${this.has('OPERATOR', queue.name) ? html`
              <button @click=${once(() => this.#change(queue, { paused: !queue.paused }, queue.paused ? `${queue.name} goes on` : `${queue.name} is paused`))}>
                ${icon(queue.paused ? 'play' : 'pause')} ${queue.paused ? 'Resume' : 'Pause'}</button>` : nothing}</td>
          </tr>`)}</tbody>
      </table>`;
  }

  #count(queue, name) {
    return html`<td class="number"><a href=${href('jobs', [], { q: searchFor({ queue: queue.name }), state: name })}>${counted(queue, compact, name)}</a></td>`;
  }

  #settings() {
    const queue = this.#chosen;
    if (!queue) {
      return nothing;
    }
    return html`
      <section class="card" aria-labelledby="settings">
        <h2 id="settings">${queue.name}<span class="grow"></span>
          ${this.has('ADMIN', queue.name) ? html`<button class="quiet" @click=${() => this.#purge(queue)}>${icon('trash-2')} Purge</button>` : nothing}
          <button class="quiet" @click=${() => setQuery({ queue: null })}>${icon('x')} Close</button></h2>
        ${this.#slider(queue, 'concurrency', 'At once, on each node', 64)}
        ${this.#slider(queue, 'globalConcurrency', 'At once, on all nodes together', 256)}
        ${this.#slider(queue, 'reserved', 'Workers kept for it on each node', 32)}
        <dl class="facts">${Object.entries(queue.settings ?? {}).map(([name, setting]) => html`
          <dt>${name}</dt><dd>${setting.value} <span class="faint">from ${setting.source === 'DEFAULT' ? 'its default' : `the ${setting.source.toLowerCase()}`}</span></dd>`)}</dl>
      </section>`;
  }

  /** Keys move a slider step by step: what counts is where it comes to rest. */
  #slide(queue, name, label, value) {
    const slider = `${queue.name} ${name}`;
    clearTimeout(this.#resting.get(slider));
    this.#resting.set(slider, setTimeout(async () => {
      await this.#change(queue, { [name]: Number(value) }, `${label}: ${value}`);
      if (this.dragged[slider] === value) {
        this.dragged = { ...this.dragged, [slider]: undefined };
      }
    }, REST));
  }

  #slider(queue, name, label, most) {
    const value = queue[name];
    const slider = `${queue.name} ${name}`;
    const shown = this.dragged[slider] ?? value;
    const setting = queue.settings?.[name]?.value;
    const inForce = Number.isFinite(Number(setting ?? 0)) ? Number(setting ?? 0) : most;
    const end = Math.max(most, value ?? 0, inForce);
    const id = `${name}-slider`;
    return html`
      <p class="slider">
        <label for=${id}>${label}</label>
        <input id=${id} type="range" min="0" max=${end} .value=${String(shown ?? inForce)} ?disabled=${!this.has('OPERATOR', queue.name)}
          @input=${(event) => { this.dragged = { ...this.dragged, [slider]: event.target.value }; }}
          @change=${(event) => this.#slide(queue, name, label, event.target.value)}>
        <output for=${id}>${shown ?? setting ?? 'as configured'}</output>
        ${value !== null && value !== undefined && this.has('OPERATOR', queue.name)
          ? html`<button class="quiet" @click=${() => this.#change(queue, { [name]: null }, `${label}: as configured`)}>As configured</button>` : nothing}
      </p>`;
  }
}

/** Depths over the last hour. */
function sparkline(depths) {
  if (depths.length < 2) {
    return html`<span class="faint">–</span>`;
  }
  const most = Math.max(1, ...depths);
  const points = depths.map((depth, i) => `${((i / (depths.length - 1)) * 96).toFixed(1)},${(22 - (depth / most) * 20).toFixed(1)}`);
  return html`<svg class="spark" width="96" height="24" viewBox="0 0 96 24" role="img"
    aria-label="Depth over the last hour: from ${whole(depths[0])} to ${whole(depths.at(-1))}, highest ${whole(most)}"><polyline points=${points.join(' ')}></polyline></svg>`;
}

customElements.define('readpast-queues', Queues);
