// @ts-check
import { get, url } from '../api.js';
import '../bulk-bar.js';
import '../facets.js';
import { compact, STATES, whole } from '../format.js';
import '../job-editor.js';
import '../job-list.js';
import '../job-search.js';
import { empty, failed, icon, skeleton, when } from '../parts.js';
import { href } from '../route.js';
import { rememberList } from '../search.js';
import { html, nothing, Page } from '../view.js';

/**
 * If at most this many jobs are listed, the list is kept when something changes; otherwise it
 * starts again from its first job.
 */
const MAX_LISTED = 5_000;
const PAGE_SIZE = 100;

/** Shows the jobs that match a search, by default the newest first. */
class Jobs extends Page {
  static properties = {
    ...Page.properties,
    jobs: { state: true },
    next: { state: true },
    counts: { state: true },
    searched: { state: true },
    selected: { state: true },
    matching: { state: true },
    creating: { state: true },
  };

  /** @type {string | undefined} */
  #search;
  /** @type {string | undefined} */
  #countedQuery;
  #loadingMore = false;
  #pages = 1;
  // A new list object is created each time the list starts again, so that a page that was requested
  // for an older list can be discarded.
  #list = {};

  constructor() {
    super();
    /** @type {Record<string, Api.Count> | null} */
    this.counts = null;
    /** @type {Api.Job[]} */
    this.jobs = [];
    /** @type {string | undefined} */
    this.next = undefined;
    /** @type {Api.JobPage['searched'] | null} */
    this.searched = null;
    this.searchedJobs = 0;
    /** @type {Set<number>} */
    this.selected = new Set();
    /**
     * @type {{q: string, state?: string} | null} the search, if all jobs that match it are selected
     */
    this.matching = null;
    this.creating = false;
  }

  /** Discards the results and the selection, which belong to the previous search. */
  #reset() {
    this.jobs = [];
    this.next = undefined;
    this.searched = null;
    this.#clearSelection();
    this.loaded = false;
    this.failure = null;
    this.#pages = 1;
    this.#list = {};
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    rememberList(this.session.name, { q: this.#query, state: this.#state, order: this.#order });
    const search = `${this.#state} ${this.#order} ${this.#query}`;
    if (search !== this.#search) {
      if (this.#search !== undefined) {
        scrollTo(0, 0);
        if (this.#countedQuery !== this.#query) {
          this.counts = null;
        }
      }
      this.#search = search;
      this.#countedQuery = this.#query;
      this.#reset();
    }
    super.willUpdate(changed);
  }

  get #query() {
    return this.route.query.get('q') ?? '';
  }

  get #state() {
    return this.route.query.get('state') ?? '';
  }

  /** Returns the order of the list as the REST API names it; empty for the newest job first. */
  get #order() {
    return this.route.query.get('order') ?? '';
  }

  get #oldest() {
    return this.#order === 'OLDEST';
  }

  /** @param {string} [cursor] */
  #parameters(cursor) {
    return { q: this.#query, state: this.#state, order: this.#order, limit: PAGE_SIZE, cursor };
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    /** @type {Api.JobPage} */
    const page = await get(url(['jobs'], this.#parameters()), { signal });
    const counts = await get(url(['jobs', 'counts'], { q: this.#query }), { signal });
    if (counts[this.#state]?.exact === false && this.#query) {
      // The count of the selected state is requested separately, because it then gets as much time
      // as all states together.
      const own = await get(url(['jobs', 'counts'], { q: this.#query, state: this.#state }), { signal });
      counts[this.#state] = own[this.#state];
    }
    signal.throwIfAborted();
    this.counts = counts;
    if (this.#pages === 1 || !page.next || this.jobs.length > MAX_LISTED || !this.#overlaps(page)) {
      this.#pages = 1;
      this.#list = {};
      this.jobs = page.jobs;
      this.next = page.next;
      this.searched = page.searched;
      this.searchedJobs = page.searched.jobs;
    } else {
      this.jobs = [...page.jobs, ...this.jobs.filter(this.#notIn(page))];
    }
    this.#deselectMissing();
    this.#continueSearch();
  }

  /**
   * Returns true if a value, such as an id, is listed after another one.
   *
   * @param {number} value
   * @param {number} other
   */
  #isAfter(value, other) {
    return this.#oldest ? value > other : value < other;
  }

  /**
   * Returns a function that tests whether a listed job is listed after all jobs that the page has
   * searched.
   *
   * @param {Api.JobPage} page
   * @returns {(job: Api.Job) => boolean}
   */
  #notIn(page) {
    const { complete, until } = page.searched;
    const last = page.jobs.at(-1)?.id;
    return complete ? (job) => last !== undefined && this.#isAfter(job.id, last)
      : (job) => Boolean(until) && this.#isAfter(Date.parse(job.enqueuedAt), Date.parse(until ?? ''));
  }

  /**
   * Returns true if all jobs between the first page and the other listed jobs are listed. A page
   * that ended because of its time limit has still searched all jobs before its end.
   *
   * @param {Api.JobPage} page
   */
  #overlaps(page) {
    const listed = new Set(this.jobs.map((job) => job.id));
    return !page.searched.complete || page.jobs.some((job) => listed.has(job.id));
  }

  /**
   * Deselects jobs that no longer match. A job after the last listed job may still match.
   */
  #deselectMissing() {
    const listed = new Set(this.jobs.map((job) => job.id));
    const last = this.jobs.at(-1)?.id;
    const kept = [...this.selected].filter((id) => listed.has(id) || (this.next && (last === undefined || this.#isAfter(id, last))));
    if (kept.length < this.selected.size) {
      this.selected = new Set(kept);
    }
  }

  async #loadMore() {
    if (this.#loadingMore || !this.next) {
      return;
    }
    this.#loadingMore = true;
    const list = this.#list;
    try {
      /** @type {Api.JobPage} */
      const page = await get(url(['jobs'], this.#parameters(this.next)));
      if (list === this.#list) {
        const listed = new Set(this.jobs.map((job) => job.id));
        this.jobs = [...this.jobs, ...page.jobs.filter((job) => !listed.has(job.id))];
        this.next = page.next;
        this.searched = page.searched;
        this.searchedJobs += page.searched.jobs;
        this.#pages++;
      }
    } catch (error) {
      if (list === this.#list) {
        this.failure = error;
      }
    } finally {
      this.#loadingMore = false;
    }
    if (list !== this.#list && this.isConnected) {
      dispatchEvent(new Event('scroll'));
    }
    this.#continueSearch();
  }

  /**
   * While the page is visible, continues a search that has found few jobs within its time limit.
   */
  #continueSearch() {
    if (this.searched?.complete === false && this.jobs.length < PAGE_SIZE && this.isConnected && !document.hidden && !this.failure) {
      setTimeout(() => this.#loadMore());
    }
  }

  #clearSelection() {
    this.selected = new Set();
    this.matching = null;
  }

  #onBulkChange() {
    if (this.isConnected) {
      // The list would not show changes below its first page.
      this.#pages = 1;
      this.refresh();
    }
  }

  get #matchingCount() {
    const counts = this.#state ? [this.counts?.[this.#state]] : Object.values(this.counts ?? {});
    const known = counts.filter((one) => one !== undefined);
    return known.length
      ? `${whole(known.reduce((sum, one) => sum + one.count, 0))}${known.every((one) => one.exact) ? '' : ' or more'}`
      : 'all matching';
  }

  render() {
    const bar = html`
      <readpast-bulk-bar .session=${this.session} .selected=${this.selected} .matching=${this.matching} .count=${this.#matchingCount}
        .expandable=${Boolean(this.next) && this.jobs.every((job) => this.selected.has(job.id))}
        @all=${() => { this.matching = { q: this.#query, state: this.#state || undefined }; }}
        @clear=${this.#clearSelection} @changed=${this.#onBulkChange}></readpast-bulk-bar>`;
    return html`
      <div class="head"><h1>Jobs</h1><span class="grow"></span>
        <readpast-job-search .session=${this.session} .value=${this.#query}></readpast-job-search>
        ${this.operates && !this.creating ? html`<button @click=${() => { this.creating = true; }}>${icon('plus')} New job</button>` : nothing}</div>
      ${this.creating ? html`
        <readpast-job-editor .session=${this.session} @closed=${() => { this.creating = false; }}></readpast-job-editor>` : nothing}
      <nav class="states" aria-label="States">${this.#tab('', 'All')}
        ${Object.entries(STATES).map(([name, { label }]) => this.#tab(name, label))}</nav>
      ${failed(this.failure, () => this.refresh())}
      ${bar}
      <div class="with-facets">
        <div>${this.loaded ? this.#results() : this.failure ? nothing : skeleton(12)}</div>
        <readpast-facets .query=${this.#query} .state=${this.#state} .order=${this.#order} .jobs=${this.jobs}></readpast-facets>
      </div>
      ${this.searched?.overlooksEncrypted ? html`<p class="faint">Encrypted content is not searched.</p>` : nothing}
      ${this.searched && !this.searched.complete
        ? html`<p class="faint">Still searching: ${compact(this.searchedJobs)} jobs so far${
          this.searched.until ? html`, ${this.#oldest ? 'up' : 'back'} to ${when(this.searched.until)}` : nothing}.</p>`
        : nothing}`;
  }

  /** @param {string} name @param {string} label */
  #tab(name, label) {
    const count = name ? this.counts?.[name] : null;
    return html`<a href=${href('jobs', [], { q: this.#query, state: name, order: this.#order })}
      aria-current=${name === this.#state ? 'true' : nothing}>${label}
      <span class="count" title=${count && !count.exact ? 'a lower bound or an estimate' : ''}>${
        count ? `${compact(count.count)}${count.exact ? '' : '+'}` : nothing}</span></a>`;
  }

  #results() {
    if (this.jobs.length) {
      return html`
        <readpast-job-list .jobs=${this.jobs} .selected=${this.selected} .complete=${!this.next} .oldest=${this.#oldest}
          .reordered=${href('jobs', [], { q: this.#query, state: this.#state, order: this.#oldest ? '' : 'OLDEST' })}
          @selection=${(/** @type {CustomEvent<Set<number>>} */ event) => {
            this.selected = event.detail;
            this.matching = null;
          }} @more=${this.#loadMore}></readpast-job-list>`;
    }
    return this.#query || this.#state
      ? empty('search', 'No jobs match', 'Use fewer filters, another state, or a longer time range.')
      : empty('archive', 'No jobs yet',
        'To enqueue a job, inject JobQueue into a bean and call enqueue with a record, or POST to api/queues/{queue}/jobs.');
  }
}

customElements.define('readpast-jobs', Jobs);
