// @ts-check
import { get, url } from '../api.js';
import { compact, span, STATES, whole } from '../format.js';
import { empty, failed, icon, jobLink, skeleton, when } from '../parts.js';
import { href } from '../route.js';
import { searchFor } from '../search.js';
import '../throughput.js';
import { typeOf } from '../types.js';
import { html, nothing, Page } from '../view.js';

const LISTED = 6;
/** @type {Api.Job['state'][]} */
const COUNTED = ['AVAILABLE', 'RUNNING', 'SCHEDULED', 'BLOCKED', 'DISCARDED'];

/**
 * Contains the messages of frequent notices, and the addresses at which users can act on them;
 * notices.js contains the other notices.
 *
 * @type {Record<string, (notice: {about: string, number: number}) => [string, string]>}
 */
const NOTICES = {
  NO_NODE: () => ['No running nodes: jobs wait until an application with an engine starts', href('nodes')],
  DISCARDED: ({ number }) => [`${jobs(number, 'was', 'were')} discarded: no attempts left, or not retryable`,
    href('jobs', [], { state: 'DISCARDED' })],
  HELD_BATCHES: ({ number }) => [`${whole(number)} ${number === 1 ? 'batch is' : 'batches are'} held by an operator`, href('batches')],
  HELD_WAVES: ({ number }) => [`${jobs(number, 'blocks its wave', 'block their waves')}: reset or skip`, href('batches')],
  HELD_GROUPS: ({ number }) => [`${jobs(number, 'blocks its group', 'block their groups')}: reset or skip`,
    href('jobs', [], { state: 'DISCARDED' })],
  OVERDUE: ({ about, number }) => [`${about}: the oldest job has been due for ${span(number)}`,
    href('jobs', [], { q: searchFor({ queue: about }), state: 'AVAILABLE' })],
  PAUSED: ({ about }) => [`${about} is paused`, href('queues', [], { queue: about })],
};

/** @param {number} number @param {string} one @param {string} many */
function jobs(number, one, many) {
  return number === 1 ? `1 job ${one}` : `${whole(number)} jobs ${many}`;
}

/**
 * Shows the state of the system: throughput, running jobs, queues, nodes, and problems that need
 * attention.
 */
class Overview extends Page {
  static properties = {
    ...Page.properties,
    overview: { state: true },
    running: { state: true },
    types: { state: true },
    schedules: { state: true },
  };

  static minInterval = 2_000;

  constructor() {
    super();
    /** @type {Api.Overview | null} */
    this.overview = null;
    /** @type {Api.Job[]} */
    this.running = [];
    /** @type {Api.TypeThroughput[]} */
    this.types = [];
    /** @type {Api.Schedule[]} */
    this.schedules = [];
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    /** @type {[Api.Overview, Api.JobPage, Api.TypeThroughput[], Api.Schedule[]]} */
    const [overview, running, types, schedules] = await Promise.all([
      get('overview', { signal }),
      get(url(['jobs'], { state: 'RUNNING', limit: LISTED }), { signal }),
      get('throughput/types', { signal }),
      get('schedules', { signal }),
    ]);
    if (overview.attention.some(({ kind }) => !NOTICES[kind])) {
      Object.assign(NOTICES, (await import('./notices.js')).NOTICES);
    }
    this.overview = overview;
    this.running = running.jobs;
    this.types = types;
    this.schedules = schedules.filter(({ fires, nextRuns }) => fires && nextRuns.length)
      .sort((a, b) => Date.parse(a.nextRuns[0]) - Date.parse(b.nextRuns[0])).slice(0, LISTED);
  }

  render() {
    const { overview } = this;
    return html`
      <div class="head"><h1>Overview</h1></div>
      ${failed(this.failure, () => this.refresh())}
      ${overview ? html`
        ${this.#figures(overview)}
        <readpast-throughput .route=${this.route} .queues=${overview.queues.map((queue) => queue.name)}
          .types=${this.types.map((type) => type.type).sort()}></readpast-throughput>
        <div class="two half">${this.#attention(overview)}${this.#running()}</div>
        <div class="two half">${this.#slowest()}${this.#next()}</div>
        <div class="two half">${this.#queues(overview)}${this.general ? this.#nodes(overview) : nothing}</div>`
        : this.failure ? nothing : skeleton(12)}`;
  }

  /** @param {Api.Overview} overview */
  #figures({ counts, waited, ran }) {
    const times = (/** @type {string} */ label, /** @type {Api.Times} */ { p50, p95, p99 }) => html`
      <div class="card tile"><span class="faint">${label}, median</span><span class="figure">${span(p50 || null)}</span>
        <small class="faint">p95 ${span(p95 || null)} · p99 ${span(p99 || null)}</small></div>`;
    return html`<div class="cards">
      ${COUNTED.map((name) => html`<a class="card tile" href=${href('jobs', [], { state: name })}>
        <span class="faint">${STATES[name].label}</span>
        <span class="figure">${counts[name].exact ? '' : '~'}${compact(counts[name].count)}</span></a>`)}
      ${times('Wait', waited)}${times('Run', ran)}
    </div>`;
  }

  /** @param {Api.Overview} overview */
  #attention({ attention }) {
    const notice = (/** @type {Api.Overview['attention'][number]} */ { kind, about = '', number }) => {
      const [text, address] = NOTICES[kind]({ about, number });
      return html`<li><a href=${address}>${icon('alert-triangle')}<span>${text}</span></a></li>`;
    };
    return html`<section class="card attention" aria-labelledby="attention"><h2 id="attention">Needs attention</h2>
      ${attention.length
        ? html`<ul>${attention.map(notice)}</ul>`
        : html`<div class="empty well">${icon('circle-check')}<p>No problems: nothing is discarded, held, overdue or paused.</p></div>`}</section>`;
  }

  #running() {
    return html`<section class="card" aria-labelledby="running"><h2 id="running">Running now</h2>
      ${this.running.length ? html`<div class="scroll"><table>
        <thead><tr><th>Job</th><th>Type</th><th>Queue</th><th>Started</th></tr></thead>
        <tbody>${this.running.map((job) => html`<tr><td>${jobLink(job.id)}</td>
          <td class="cut" title=${job.type}>${typeOf(job)}</td><td class="cut" title=${job.queue}>${job.queue}</td>
          <td>${when(job.startedAt)}</td></tr>`)}</tbody></table></div>`
        : html`<p class="faint">No running jobs.</p>`}</section>`;
  }

  #slowest() {
    return html`<section class="card" aria-labelledby="slowest">
      <h2 id="slowest">Slowest types <span class="faint">last 5 minutes</span></h2>
      ${this.types.length ? html`<div class="scroll"><table>
        <thead><tr><th>Type</th><th class="number">Run p95</th><th class="number">p99</th>
          <th class="number">Wait p95</th><th class="number">Per second</th></tr></thead>
        <tbody>${this.types.slice(0, LISTED).map(({ type, completed, failed: failures, waited, ran }) => html`<tr>
          <td class="cut" title=${type}><a href=${href('jobs', [], { q: searchFor({ type }) })}>${type}</a></td>
          <td class="number">${span(ran.p95 || null)}</td><td class="number">${span(ran.p99 || null)}</td>
          <td class="number">${span(waited.p95 || null)}</td>
          <td class="number">${(completed + failures).toFixed(1)}</td></tr>`)}</tbody></table></div>`
        : html`<p class="faint">No jobs have run in the last five minutes.</p>`}</section>`;
  }

  #next() {
    return html`<section class="card" aria-labelledby="next"><h2 id="next">Next schedules</h2>
      ${this.schedules.length ? html`<div class="scroll"><table>
        <thead><tr><th>Schedule</th><th>Type</th><th>Next run</th></tr></thead>
        <tbody>${this.schedules.map(({ name, type, nextRuns }) => html`<tr>
          <td class="cut" title=${name}><a href=${href('schedules', [name])}>${name}</a></td>
          <td class="mono cut" title=${type}>${type}</td><td>${when(nextRuns[0])}</td></tr>`)}</tbody></table></div>`
        : html`<p class="faint">No runs are planned.</p>`}</section>`;
  }

  /** @param {Api.Overview} overview */
  #queues({ queues }) {
    return html`<section class="card" aria-labelledby="queues"><h2 id="queues">Queues</h2>
      ${queues.length ? html`<div class="scroll"><table>
        <thead><tr><th>Queue</th><th class="number">Depth</th><th class="number">Oldest</th><th class="number">Per second</th></tr></thead>
        <tbody>${queues.map((queue) => html`<tr>
          <td class="cut" title=${queue.name}>${queue.paused ? html`<span class="state paused">${icon('pause')} Paused</span> ` : nothing}
            <a href=${href('queues', [], { queue: queue.name })}>${queue.name}</a></td>
          <td class="number">${compact(queue.counts.AVAILABLE + queue.counts.RUNNING)}${queue.atLeast?.includes('AVAILABLE') ? '+' : ''}</td>
          <td class="number">${span(queue.oldestMillis)}</td>
          <td class="number">${queue.perSecond?.toFixed(1) ?? '–'}</td></tr>`)}</tbody></table></div>`
        : empty('layers', 'No queues yet', 'A queue is created with its first job.')}</section>`;
  }

  /** @param {Api.Overview} overview */
  #nodes({ nodes }) {
    return html`<section class="card" aria-labelledby="nodes"><h2 id="nodes">Nodes</h2>
      ${nodes.length ? html`<div class="scroll"><table>
        <thead><tr><th>Node</th><th>State</th><th class="number">Busy workers</th><th>Last heartbeat</th></tr></thead>
        <tbody>${nodes.map((node) => html`<tr><td class="cut" title=${node.name}>${node.name}</td>
          <td><span class="state ${node.state.toLowerCase()}">${node.state.toLowerCase()}</span></td>
          <td class="number">${whole(node.receivers)}</td><td>${when(node.beatAt)}</td></tr>`)}</tbody></table></div>`
        : empty('server', 'No running nodes', 'Jobs wait until an application with an engine starts.')}</section>`;
  }
}

customElements.define('readpast-overview', Overview);
