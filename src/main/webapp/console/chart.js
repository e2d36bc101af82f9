// @ts-check
import { stack } from './series.js';
import { View, html } from './view.js';

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {string} color a custom property of the palette, such as --good
 */

const HEIGHT = 200;

/**
 * Returns a color of the palette in the current theme, in the form that a canvas needs.
 *
 * @param {Element} place
 * @param {string} name
 */
function colorOf(place, name) {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/**
 * Returns the time of day, with seconds unless they are zero.
 *
 * @param {number} seconds since 1970
 */
function timeOfDay(seconds) {
  const date = new Date(seconds * 1_000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}${date.getSeconds() ? `:${two(date.getSeconds())}` : ''}`;
}

/**
 * Draws a chart over time, of lines or of stacked areas. `data` is an array of times in seconds
 * since 1970, and one array of values for each line or area.
 */
class Chart extends View {
  static properties = {
    lines: { attribute: false },
    data: { attribute: false },
    stacked: { type: Boolean },
    format: { attribute: false },
    label: { attribute: false },
  };

  /** @type {InstanceType<typeof import('../vendor/uplot-1.6.32/uplot.js').default> | null} */
  #plot = null;
  #library = import('../vendor/uplot-1.6.32/uplot.js');
  #resizes = new ResizeObserver(() => this.#plot?.setSize({ width: this.#place.clientWidth, height: HEIGHT }));
  #onTheme = () => {
    this.#discard();
    this.#draw();
  };

  constructor() {
    super();
    /** @type {Line[]} */
    this.lines = [];
    /** @type {(number | null)[][]} */
    this.data = [];
    this.stacked = false;
    /** @type {(value: number) => string} */
    this.format = String;
    this.label = '';
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('themechange', this.#onTheme);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('themechange', this.#onTheme);
    this.#resizes.disconnect();
    this.#discard();
  }

  /** @returns {HTMLElement} */
  get #place() {
    return /** @type {HTMLElement} */ (this.querySelector('.chart'));
  }

  #discard() {
    this.#plot?.destroy();
    this.#plot = null;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has('lines') || changed.has('stacked')) {
      this.#discard();
    }
    this.#draw();
  }

  /** Returns the values to draw. Areas that the user has hidden in the legend are not stacked. */
  #values() {
    const shown = this.data.map((values, i) => (i && this.#plot?.series[i]?.show === false ? values.map(() => 0) : values));
    return /** @type {import('../vendor/uplot-1.6.32/uplot.js').default.AlignedData} */ (this.stacked ? stack(shown) : this.data);
  }

  async #draw() {
    const { default: UPlot } = await this.#library;
    if (!this.isConnected || !this.data.length) {
      this.#discard();
      return;
    }
    if (this.#plot) {
      this.#plot.setData(this.#values());
      return;
    }
    const place = this.#place;
    const faint = colorOf(place, '--faint');
    const axis = {
      stroke: faint, grid: { stroke: colorOf(place, '--line'), width: 1 }, ticks: { show: false }, font: '12px Inter, system-ui',
    };
    this.#plot = new UPlot({
      width: place.clientWidth,
      height: HEIGHT,
      cursor: { drag: { setScale: false } },
      legend: { live: true },
      axes: [
        { ...axis, values: (_, times) => times.map(timeOfDay) },
        { ...axis, size: 64, values: (_, values) => values.map((value) => (value ? this.format(value) : '0')) },
      ],
      scales: { y: { range: (_, low, high) => [0, Math.max(1, (high ?? 0) * 1.1)] } },
      series: [
        { label: 'Time', value: (_, time) => (time === null ? '–' : timeOfDay(time)) },
        ...this.lines.map(({ label, color }) => ({
          label,
          stroke: colorOf(place, color),
          width: this.stacked ? 0 : 2,
          fill: this.stacked ? colorOf(place, color) : undefined,
          points: { show: false },
          value: (/** @type {unknown} */ _, /** @type {number | null} */ __, /** @type {number} */ line, /** @type {number | null} */ at) => {
            const value = at === null ? null : this.data[line]?.[at] ?? null;
            return value === null ? '–' : this.format(value);
          },
        })),
      ],
      hooks: { setSeries: [(plot, _, options) => this.stacked && options.show !== undefined && plot.setData(this.#values())] },
    }, this.#values(), place);
    this.#resizes.observe(place);
  }

  render() {
    return html`<div class="chart" role="img" aria-label=${this.label}></div>`;
  }
}

customElements.define('readpast-chart', Chart);
