// @ts-check
import { get, url } from './api.js';
import './chart.js';
import { paused } from './events.js';
import { compact, span } from './format.js';
import { failed } from './parts.js';
import { href, setQuery } from './route.js';
import { merge, placed, withGaps } from './series.js';
import { html, nothing, View } from './view.js';

/**
 * Describes the time spans, each with the number of its values and the interval at which it is
 * loaded, in ms.
 */
const SPANS = {
  PT5M: { label: '5 min', length: 300, interval: 1_000 },
  PT1H: { label: '1 h', length: 60, interval: 10_000 },
  P1D: { label: '24 h', length: 1_440, interval: 60_000 },
};
const RETRY_MILLIS = 5_000;
const PAUSED_MILLIS = 1_000;
/**
 * Specifies how many of the newest seconds are loaded again, because nodes report each second after
 * a delay of some seconds.
 */
const RELOADED_SECONDS = 30;
// Once a console is open, nodes also store earlier seconds, so the whole span is loaded again.
const WHOLE_MILLIS = 10_000;
/** A breakdown is always loaded for the whole span, so it is loaded less often. */
const BREAKDOWN_MILLIS = 5_000;
/** The sum of all others has no name, and is always the last area. */
const OTHERS = '';
const RATES = [
  { label: 'Enqueued', color: '--info' },
  { label: 'Completed', color: '--good' },
  { label: 'Failed', color: '--bad' },
];
const PERCENTILES = [
  { label: 'p50', color: '--good' },
  { label: 'p95', color: '--warn' },
  { label: 'p99', color: '--bad' },
];
const PARTS = { queue: 'By queue', type: 'By type' };
const TIMES = { waited: 'Wait', ran: 'Run' };

/** @param {number} value */
const rate = (value) => (value < 10 ? value.toFixed(1) : compact(Math.round(value)));

/** Draws charts of rates and durations across all nodes, for all or selected queues and types. */
class Throughput extends View {
  static properties = {
    route: { attribute: false },
    queues: { attribute: false },
    types: { attribute: false },
    series: { state: true },
    breakdown: { state: true },
    failure: { state: true },
  };

  /** @type {number | undefined} */
  #timer;
  /** @type {AbortController | undefined} */
  #abort;
  #selection = '';
  #wholeAt = 0;
  #brokenDownAt = 0;
  /** @type {Map<string, number>} the position of each area, from 1 */
  #places = new Map();
  #onVisible = () => document.hidden || this.#loadIn(0);

  constructor() {
    super();
    /** @type {import('./route.js').Route} */
    this.route = { page: 'overview', parts: [], query: new URLSearchParams() };
    /** @type {string[]} the names of queues to choose from */
    this.queues = [];
    /** @type {string[]} the names of types to choose from */
    this.types = [];
    /** @type {import('./series.js').Series | null} */
    this.series = null;
    /** @type {Api.ThroughputBreakdown | null} */
    this.breakdown = null;
    /** @type {import('./chart.js').Line[]} */
    this.areas = [];
    /** @type {Error | null} */
    this.failure = null;
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisible);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisible);
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  /** @returns {keyof typeof SPANS} */
  get #span() {
    const given = this.route.query.get('span') ?? '';
    return given in SPANS ? /** @type {keyof typeof SPANS} */ (given) : 'PT5M';
  }

  get #queue() {
    return this.route.query.get('queue') ?? '';
  }

  /** Types can be selected only for the span in seconds. */
  get #type() {
    return this.#span === 'PT5M' ? this.route.query.get('type') ?? '' : '';
  }

  /**
   * Returns the value by which the rates are broken down, or an empty string. Types can be
   * distinguished only for the span in seconds.
   *
   * @returns {keyof typeof PARTS | ''}
   */
  get #by() {
    const by = this.route.query.get('by');
    return this.#type ? '' : by === 'queue' || (by === 'type' && this.#span === 'PT5M') ? by : '';
  }

  /** @returns {keyof typeof TIMES} */
  get #times() {
    return this.route.query.get('times') === 'waited' ? 'waited' : 'ran';
  }

  willUpdate() {
    const selection = `${this.#span} ${this.#queue} ${this.#type} ${this.#by}`;
    if (selection !== this.#selection) {
      this.#selection = selection;
      this.series = null;
      this.breakdown = null;
      this.#places = new Map();
      this.#brokenDownAt = 0;
      this.#load();
    }
  }

  async #load() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const { length, interval } = SPANS[this.#span];
    const { series: known } = this;
    const last = known?.at.at(-1);
    const isFresh = Date.now() - this.#wholeAt < WHOLE_MILLIS;
    const since = this.#span === 'PT5M' && last && isFresh ? last - RELOADED_SECONDS : null;
    try {
      /** @type {Api.Throughput} */
      const answer = await get(url(['throughput'], { span: this.#span, queue: this.#queue, type: this.#type, since }),
        { signal: abort.signal });
      abort.signal.throwIfAborted();
      this.series = known && since ? merge(known, answer, length) : answer;
      this.#wholeAt = since ? this.#wholeAt : Date.now();
      if (this.#by && Date.now() - this.#brokenDownAt >= BREAKDOWN_MILLIS) {
        /** @type {Api.ThroughputBreakdown} */
        const breakdown = await get(url(['throughput', 'breakdown'], { span: this.#span, queue: this.#queue, by: this.#by }),
          { signal: abort.signal });
        abort.signal.throwIfAborted();
        this.#show(breakdown);
        this.#brokenDownAt = Date.now();
      }
      this.failure = null;
    } catch (error) {
      if (abort.signal.aborted) {
        return;
      }
      this.failure = error;
    }
    if (this.isConnected && !document.hidden) {
      this.#loadIn(this.failure ? RETRY_MILLIS : interval);
    }
  }

  /**
   * Shows a breakdown. A name keeps its position and its color while it is among the busiest, and
   * the chart is redrawn only if its areas have changed.
   *
   * @param {Api.ThroughputBreakdown} breakdown
   */
  #show(breakdown) {
    const places = placed(this.#places, breakdown.parts.map(({ name }) => name ?? OTHERS));
    const at = (/** @type {{name?: string}} */ { name }) => places.get(name ?? OTHERS) ?? 0;
    const parts = breakdown.parts.toSorted((a, b) => at(a) - at(b));
    const areas = parts.map((part) => ({
      label: part.name ?? 'Others', color: part.name ? `--part-${at(part)}` : '--part-others',
    }));
    if (JSON.stringify(areas) !== JSON.stringify(this.areas)) {
      this.areas = areas;
    }
    this.#places = places;
    this.breakdown = { ...breakdown, parts };
  }

  /** @param {number} millis */
  #loadIn(millis) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (paused() ? this.#loadIn(PAUSED_MILLIS) : this.#load()), millis);
  }

  /** @param {Record<string, string>} change */
  #address(change) {
    return href('overview', [], { ...Object.fromEntries(this.route.query), ...change });
  }

  /** @param {string} name @param {string} label @param {string[]} values @param {string} value */
  #choice(name, label, values, value) {
    const options = value && !values.includes(value) ? [value, ...values] : values;
    return html`<select class="filter" aria-label=${label} @change=${(/** @type {any} */ event) => setQuery({ [name]: event.target.value })}>
      <option value="">${label}: all</option>
      ${options.map((one) => html`<option value=${one} ?selected=${one === value}>${one}</option>`)}</select>`;
  }

  render() {
    const { series } = this;
    const live = this.#span === 'PT5M';
    const times = series?.[this.#times];
    const unit = live ? 'one point per second' : 'one point per minute';
    return html`
      ${failed(this.failure)}
      <div class="head">
        <span class="tabs">${Object.entries(SPANS).map(([name, { label }]) => html`
          <a href=${this.#address({ span: name })} aria-current=${name === this.#span ? 'true' : nothing}>${label}</a>`)}</span>
        ${this.#choice('queue', 'Queue', this.queues, this.#queue)}
        ${live ? this.#choice('type', 'Type', this.types, this.#type) : nothing}
      </div>
      <div class="two half">
        <section class="card" aria-labelledby="rates">
          <h2 id="rates">Throughput <span class="faint">per second, ${unit}</span><span class="grow"></span>
            ${this.#type ? nothing : html`<span class="tabs">
              <a href=${this.#address({ by: '' })} aria-current=${this.#by ? nothing : 'true'}>Total</a>
              ${Object.entries(PARTS).filter(([by]) => by !== 'type' || live).map(([by, label]) => html`
                <a href=${this.#address({ by })} aria-current=${by === this.#by ? 'true' : nothing}>${label}</a>`)}</span>`}</h2>
          ${this.#by ? this.#parts() : html`
            <readpast-chart .lines=${RATES} .format=${rate} .label=${this.#spoken()}
              .data=${series ? [series.at, series.enqueued, series.completed, series.failed] : []}></readpast-chart>`}</section>
        <section class="card" aria-labelledby="times">
          <h2 id="times">Duration <span class="faint">percentiles, ${unit}</span><span class="grow"></span>
            <span class="tabs">${Object.entries(TIMES).map(([name, label]) => html`
              <a href=${this.#address({ times: name })} aria-current=${name === this.#times ? 'true' : nothing}>${label}</a>`)}</span></h2>
          <readpast-chart .lines=${PERCENTILES} .format=${span} .label=${`${TIMES[this.#times]} time, percentiles`}
            .data=${series && times ? [series.at, withGaps(times.p50), withGaps(times.p95), withGaps(times.p99)] : []}></readpast-chart></section>
      </div>`;
  }

  #parts() {
    const { breakdown } = this;
    if (breakdown && !breakdown.parts.length) {
      return html`<p class="faint">No attempts have ended.</p>`;
    }
    return html`<readpast-chart stacked .lines=${this.areas} .format=${rate}
      .label=${breakdown ? `Ended attempts: ${breakdown.parts.map(({ name, ended }) =>
        `${name ?? 'others'}: ${rate(ended.at(-1) ?? 0)} per second`).join(', ')}` : 'Ended attempts'}
      .data=${breakdown ? [breakdown.at, ...breakdown.parts.map(({ ended }) => ended)] : []}></readpast-chart>`;
  }

  #spoken() {
    const { series } = this;
    return series
      ? ['enqueued', 'completed', 'failed'].map((name, i) =>
        `${RATES[i].label}: ${rate(series[/** @type {'enqueued'} */ (name)].at(-1) ?? 0)} per second`).join(', ')
      : 'Throughput';
  }
}

customElements.define('readpast-throughput', Throughput);
