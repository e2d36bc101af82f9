// @ts-check
import { exact, relative, span } from './format.js';
import { icon, state } from './parts.js';
import { escaped } from './json.js';
import { href } from './route.js';
import { typeOf } from './types.js';
import { html, nothing, View } from './view.js';

const ROW_HEIGHT = 46;
/** Specifies the number of rows that are rendered above and below the visible ones. */
const MARGIN = 10;
const HEADINGS = ['State', 'Type', 'Queue', 'Attempt', 'When'];

/**
 * Returns a placeholder for rows that are not rendered. The placeholder is an SVG, because the
 * content security policy forbids style attributes.
 *
 * @param {number} rows
 */
const gap = (rows) => html`<svg class="gap" width="1" height=${rows * ROW_HEIGHT} aria-hidden="true"></svg>`;

/**
 * Shows a list of jobs with checkboxes, of which only the visible rows are rendered. The list fires
 * `selection` with the new set of selected ids, and `more` when the user scrolls near its end.
 */
class JobList extends View {
  static properties = {
    jobs: { attribute: false },
    selected: { attribute: false },
    complete: { attribute: false },
    /** Is true if the jobs are listed oldest first. */
    oldest: { attribute: false },
    /** Holds the address of the list in the opposite order. */
    reordered: { attribute: false },
    top: { state: true },
    height: { state: true },
  };

  /** @type {number | null} */
  #lastSelected = null;

  #onScroll = () => {
    const rows = this.querySelector('.rows');
    if (rows) {
      this.top = Math.max(0, -rows.getBoundingClientRect().top);
      this.height = innerHeight;
      if (this.top + 2 * this.height > this.jobs.length * ROW_HEIGHT) {
        this.dispatchEvent(new Event('more'));
      }
    }
  };

  constructor() {
    super();
    /** @type {Api.Job[]} */
    this.jobs = [];
    /** @type {Set<number>} */
    this.selected = new Set();
    this.complete = true;
    this.oldest = false;
    this.reordered = '';
    this.top = 0;
    this.height = 800;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('scroll', this.#onScroll, { passive: true });
    addEventListener('resize', this.#onScroll, { passive: true });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('scroll', this.#onScroll);
    removeEventListener('resize', this.#onScroll);
  }

  get #allSelected() {
    return this.jobs.every((job) => this.selected.has(job.id));
  }

  /** @param {Iterable<number>} ids */
  #select(ids) {
    this.dispatchEvent(new CustomEvent('selection', { detail: new Set(ids) }));
  }

  /**
   * Selects or deselects a job; with the shift key, all jobs between it and the job that was
   * clicked before.
   *
   * @param {MouseEvent} event
   * @param {number} index
   */
  #toggle(event, index) {
    const { id } = this.jobs[index];
    const selected = new Set(this.selected);
    const on = !selected.has(id);
    const last = event.shiftKey ? this.jobs.findIndex((job) => job.id === this.#lastSelected) : -1;
    const [from, to] = last < 0 ? [index, index] : [Math.min(last, index), Math.max(last, index)];
    for (const job of this.jobs.slice(from, to + 1)) {
      on ? selected.add(job.id) : selected.delete(job.id);
    }
    this.#lastSelected = id;
    this.#select(selected);
  }

  render() {
    const first = Math.max(0, Math.floor(this.top / ROW_HEIGHT) - MARGIN);
    const last = Math.min(this.jobs.length, Math.ceil((this.top + this.height) / ROW_HEIGHT) + MARGIN);
    return html`
      <div class="card jobs" role="table" aria-label="Jobs" aria-rowcount=${this.complete ? this.jobs.length + 1 : -1}>
        <div class="row heading" role="row">
          <span role="columnheader"><input type="checkbox" aria-label="Select all listed jobs" .checked=${this.#allSelected}
            @change=${(/** @type {any} */ event) => this.#select(event.target.checked ? this.jobs.map((job) => job.id) : [])}></span>
          <span role="columnheader" aria-sort=${this.oldest ? 'ascending' : 'descending'}><a href=${this.reordered}
            title=${this.oldest ? 'Oldest job first; click for the newest first' : 'Newest job first; click for the oldest first'}
            >Job ${icon(this.oldest ? 'arrow-up' : 'arrow-down')}</a></span>
          ${HEADINGS.map((name) => html`<span role="columnheader">${name}</span>`)}
        </div>
        <div class="rows" role="rowgroup">
          ${gap(first)}
          ${this.jobs.slice(first, last).map((job, i) => this.#row(job, first + i))}
          ${gap(this.jobs.length - last)}
        </div>
      </div>`;
  }

  /** @param {Api.Job} job @param {number} index */
  #row(job, index) {
    const moment = job.endedAt ?? job.startedAt ?? (job.state === 'SCHEDULED' ? job.availableAt : job.enqueuedAt);
    const took = job.endedAt && job.startedAt ? Date.parse(job.endedAt) - Date.parse(job.startedAt) : null;
    return html`
      <div class="row" role="row" aria-rowindex=${index + 2} aria-selected=${this.selected.has(job.id)}>
        <span role="cell"><input type="checkbox" aria-label="Select job ${job.id}" .checked=${this.selected.has(job.id)}
          @click=${(/** @type {MouseEvent} */ event) => this.#toggle(event, index)}></span>
        <span role="cell"><a class="mono" href=${href('jobs', [job.id])}>${job.id}</a></span>
        <span role="cell">${state(job.state)}</span>
        <span role="cell" class="cut" title=${escaped(job.lastFailure ?? job.type)}>${typeOf(job)}
          ${job.lastFailure ? html`<small class="faint">${escaped(job.lastFailure)}</small>` : nothing}</span>
        <span role="cell" class="cut" title=${job.queue}>${job.queue}</span>
        <span role="cell">${job.attempt}${job.maxAttempts > 0 ? ` of ${job.maxAttempts}` : ''}</span>
        <span role="cell"><time datetime=${moment} title=${exact(moment)}>${relative(moment)}</time>
          ${took === null ? nothing : html`<small class="faint">${span(took)}</small>`}</span>
      </div>`;
  }
}

customElements.define('readpast-job-list', JobList);
