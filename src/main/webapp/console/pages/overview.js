import { get, url } from '../api.js';
import { compact, span, STATES, whole } from '../format.js';
import { empty, failed, icon, skeleton, when } from '../parts.js';
import { href } from '../route.js';
import { html, nothing, Page } from '../view.js';

const SPANS = { PT5M: '5 min', PT1H: '1 h', P1D: '24 h' };
const LIVE_SECONDS = 300;
const SMOOTHED_SECONDS = 10;
const SERIES = [
  ['enqueued', 'Enqueued', '--info'],
  ['completed', 'Completed', '--good'],
  ['failed', 'Failed', '--bad'],
];

/** What the frequent notices of the server say, and where to act on them; the others are loaded. */
const NOTICES = {
  NO_NODE: () => ['No node runs: jobs wait until an application with an engine is started', href('nodes')],
  DISCARDED: ({ number }) => [`${whole(number)} ${number === 1 ? 'job was' : 'jobs were'} discarded: out of attempts, or failed for good`, href('jobs', [], { state: 'DISCARDED' })],
  HELD_BATCHES: ({ number }) => [`${whole(number)} ${number === 1 ? 'batch is' : 'batches are'} held by somebody`, href('batches')],
  HELD_WAVES: ({ number }) => [`${whole(number)} discarded ${number === 1 ? 'job holds its wave' : 'jobs hold their waves'}: reset or skip`, href('batches')],
  HELD_GROUPS: ({ number }) => [`${whole(number)} discarded ${number === 1 ? 'job holds its group' : 'jobs hold their groups'}: reset or skip`, href('jobs', [], { state: 'DISCARDED' })],
  OVERDUE: ({ about, number }) => [`${about}: the oldest job has been due for ${span(number)}`, href('jobs', [], { q: `queue:${about}`, state: 'AVAILABLE' })],
  PAUSED: ({ about }) => [`${about} is paused`, href('queues', [], { queue: about })],
};

/** How things stand: what comes and goes, how deep it is, who works, and what wants somebody's eye. */
class Overview extends Page {
  static properties = { ...Page.properties, overview: { state: true } };

  static rest = 2_000;

  #chart;
  #told = [];
  #live = [];
  #resized = new ResizeObserver(() => this.#size());

  get #span() {
    return SPANS[this.route.query.get('span')] ? this.route.query.get('span') : 'PT5M';
  }

  async load(signal) {
    const [overview, { default: UPlot }] = await Promise.all([
      get(url(['overview'], { span: this.#span }), { signal }),
      import('../../vendor/uplot-1.6.32/uplot.js'),
    ]);
    if (overview.attention.some(({ kind }) => !NOTICES[kind])) {
      Object.assign(NOTICES, (await import('./notices.js')).NOTICES);
    }
    this.overview = overview;
    await this.updateComplete;
    this.UPlot = UPlot;
    this.#draw();
  }

  /** The server keeps minutes; what happens now is seen from one word of it to the next. */
  happened(counters) {
    if (counters) {
      const now = { at: Date.now() / 1_000, ...counters };
      // Nodes tell with their heartbeats: what was told in one moment happened in the seconds before.
      this.#told = [...this.#told.filter((one) => one.at > now.at - SMOOTHED_SECONDS), now];
      const before = this.#told[0];
      const seconds = now.at - before.at;
      if (seconds > SMOOTHED_SECONDS / 2 && SERIES.every(([name]) => now[name] >= before[name])) {
        const point = { at: now.at };
        SERIES.forEach(([name]) => { point[name] = (now[name] - before[name]) / seconds; });
        this.#live = [...this.#live.filter((one) => one.at > now.at - LIVE_SECONDS), point];
        if (this.#chart) {
          this.#draw();
        }
      }
    }
    super.happened(counters);
  }

  /** In the span of five minutes, what was seen live takes the place of the minutes it covers. */
  #data() {
    const { series } = this.overview;
    const minutes = [series.at, ...SERIES.map(([name]) => series[name])];
    const since = this.#live[0]?.at;
    if (this.#span !== 'PT5M' || !since) {
      return minutes;
    }
    const kept = series.at.filter((at) => at + 60 <= since).length;
    return [
      [...series.at.slice(0, kept), ...this.#live.map((point) => point.at)],
      ...SERIES.map(([name]) => [...series[name].slice(0, kept), ...this.#live.map((point) => point[name])]),
    ];
  }

  #themed = () => this.#chart && this.#draw();

  connectedCallback() {
    super.connectedCallback();
    addEventListener('themechange', this.#themed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('themechange', this.#themed);
    this.#resized.disconnect();
    this.#chart?.destroy();
    this.#chart = null;
  }

  #draw() {
    const { UPlot } = this;
    const place = this.querySelector('.chart');
    const data = this.#data();
    const theme = `${document.documentElement.dataset.theme} ${matchMedia('(prefers-color-scheme: dark)').matches}`;
    if (this.#chart && this.theme === theme && this.#chart.root.parentElement === place) {
      this.#chart.setData(data);
      return;
    }
    this.#chart?.destroy();
    this.theme = theme;
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name);
    const axis = { stroke: color('--faint'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false }, font: '12px Inter, system-ui' };
    this.#chart = new UPlot({
      width: place.clientWidth,
      height: 240,
      cursor: { drag: { setScale: false } },
      legend: { live: true },
      axes: [{ ...axis, values: (_, moments) => moments.map(this.#hour) }, { ...axis, size: 56, values: (_, values) => values.map(compact) }],
      scales: { y: { range: (_, low, high) => [0, Math.max(1, high * 1.1)] } },
      series: [{ label: 'Time', value: (_, moment) => (moment === null ? '–' : this.#hour(moment)) }, ...SERIES.map(([, label, stroke]) => ({
        label,
        stroke: color(stroke),
        width: 2,
        points: { show: false },
        value: (_, value) => (value === null ? '–' : value.toFixed(1)),
      }))],
    }, data, place);
    this.#resized.observe(place);
  }

  /** In 24 hours; with seconds where these differ. */
  #hour = (moment) => {
    const date = new Date(moment * 1_000);
    const two = (number) => String(number).padStart(2, '0');
    return `${two(date.getHours())}:${two(date.getMinutes())}${date.getSeconds() ? `:${two(date.getSeconds())}` : ''}`;
  };

  #size() {
    const place = this.querySelector('.chart');
    if (this.#chart && place) {
      this.#chart.setSize({ width: place.clientWidth, height: 240 });
    }
  }

  render() {
    const { overview } = this;
    return html`
      <div class="head"><h1>Overview</h1></div>
      ${failed(this.failure, () => this.refresh())}
      ${overview ? html`
        ${this.#figures()}
        <div class="two even">
          <section class="card" aria-labelledby="throughput">
            <h2 id="throughput">Throughput <span class="faint">per second</span><span class="grow"></span>
              <span class="tabs">${Object.entries(SPANS).map(([value, label]) => html`
                <a href=${href('overview', [], { span: value })} aria-current=${value === this.#span ? 'true' : nothing}>${label}</a>`)}</span></h2>
            <div class="chart" role="img" aria-label=${this.#spoken()}></div>
          </section>
          ${this.#attention()}
        </div>
        <div class="two">${this.#queues()}${this.general ? this.#nodes() : nothing}</div>` : this.failure ? nothing : skeleton(12)}`;
  }

  #spoken() {
    const series = this.overview?.series;
    return series
      ? SERIES.map(([name, label]) => `${label}: ${(series[name].at(-1) ?? 0).toFixed(1)} per second now`).join(', ')
      : 'Throughput';
  }

  #attention() {
    const { attention } = this.overview;
    return html`<section class="card attention" aria-labelledby="attention"><h2 id="attention">Wants attention</h2>
      ${attention.length
        ? html`<ul>${attention.map((one) => {
          const [text, to] = NOTICES[one.kind](one);
          return html`<li><a href=${to}>${icon('alert-triangle')}<span>${text}</span></a></li>`;
        })}</ul>`
        : html`<div class="empty well">${icon('circle-check')}<p>All is well: nothing is dead, held, overdue or paused.</p></div>`}</section>`;
  }

  #figures() {
    const { counts, waited, ran } = this.overview;
    const figures = ['AVAILABLE', 'RUNNING', 'SCHEDULED', 'BLOCKED', 'DISCARDED'].map((name) => {
      const { count, exact } = counts[name];
      return [STATES[name].label, `${exact ? '' : '~'}${compact(count)}`, href('jobs', [], { state: name })];
    });
    return html`<div class="cards">
      ${figures.map(([label, value, to]) => html`<a class="card tile" href=${to}><span class="faint">${label}</span><span class="figure">${value}</span></a>`)}
      ${[['Wait', waited], ['Run', ran]].map(([label, times]) => html`
        <div class="card tile"><span class="faint">${label}, median</span><span class="figure">${span(times.p50 || null)}</span>
          <small class="faint">p95 ${span(times.p95 || null)} · p99 ${span(times.p99 || null)}</small></div>`)}
    </div>`;
  }

  #queues() {
    const { queues } = this.overview;
    return html`<section class="card" aria-labelledby="queues"><h2 id="queues">Queues</h2>
      ${queues.length ? html`<div class="scroll"><table>
        <thead><tr><th>Queue</th><th class="number">Depth</th><th class="number">Oldest</th><th class="number">Per second</th></tr></thead>
        <tbody>${queues.map((queue) => html`<tr>
          <td class="cut" title=${queue.name}><a href=${href('queues', [], { queue: queue.name })}>${queue.name}</a>
            ${queue.paused ? html`<span class="state paused">${icon('pause')} Paused</span>` : nothing}</td>
          <td class="number">${compact(queue.counts.AVAILABLE + queue.counts.RUNNING)}${queue.atLeast?.includes('AVAILABLE') ? '+' : ''}</td><td class="number">${span(queue.oldestMillis)}</td>
          <td class="number">${queue.perSecond.toFixed(1)}</td></tr>`)}</tbody></table></div>`
        : empty('layers', 'No queues yet', 'A queue comes to be with its first job.')}</section>`;
  }

  #nodes() {
    const { nodes } = this.overview;
    return html`<section class="card" aria-labelledby="nodes"><h2 id="nodes">Nodes</h2>
      ${nodes.length ? html`<div class="scroll"><table>
        <thead><tr><th>Node</th><th>State</th><th class="number">Busy</th><th>Sign of life</th></tr></thead>
        <tbody>${nodes.map((node) => html`<tr><td>${node.name}</td>
          <td><span class="state ${node.state.toLowerCase()}">${node.state.toLowerCase()}</span></td>
          <td class="number">${whole(node.receivers)}</td><td>${when(node.beatAt)}</td></tr>`)}</tbody></table></div>`
        : empty('server', 'No node runs', 'Jobs wait until an application with an engine is started.')}</section>`;
  }
}

customElements.define('readpast-overview', Overview);
