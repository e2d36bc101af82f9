import { get, url } from '../api.js';
import { confirmed } from '../ask.js';
import { busy, change } from '../bulk.js';
import { compact, exact, relative, span, STATES, whole } from '../format.js';
import { empty, failed, icon, skeleton, state, when } from '../parts.js';
import { escaped } from '../json.js';
import { href, setQuery } from '../route.js';
import { searchFor } from '../search.js';
import { typeOf } from '../types.js';
import { html, nothing, Page } from '../view.js';

const ROW = 46;
// Beyond that it begins from the top again when something changes.
const MOST_LISTED = 5_000;
const AT_ONCE = 100;
const MOST_HINTS = 12;
const QUALIFIERS = ['state:', 'queue:', 'type:', 'version:', 'error:', 'payload.', 'group:', 'batch:', 'node:', 'uniqueKey:', 'correlationId:', 'age>', 'age<'];

/** As tall as the rows that are not drawn. An SVG, because a style attribute is not allowed. */
const gap = (rows) => html`<svg class="gap" width="1" height=${rows * ROW} aria-hidden="true"></svg>`;

/** The jobs that match a search, newest first. Only the rows in sight are drawn. */
class Jobs extends Page {
  static properties = {
    ...Page.properties,
    jobs: { state: true },
    next: { state: true },
    counts: { state: true },
    searched: { state: true },
    top: { state: true },
    height: { state: true },
    selected: { state: true },
    everything: { state: true },
    hints: { state: true },
    hint: { state: true },
  };

  #names;
  #asked;
  #counted;
  #last = null;
  #more = false;
  #pages = 1;
  // Changes when the list begins anew: then what was asked for its end is of no use.
  #listing;

  constructor() {
    super();
    this.height = 800;
    this.hints = [];
    this.#begin();
  }

  /** What was found and chosen belongs to a search: another one begins with nothing. */
  #begin() {
    this.jobs = [];
    this.next = null;
    this.searched = null;
    this.selected = new Set();
    this.everything = null;
    this.top = 0;
    this.loaded = false;
    this.failure = null;
    this.#last = null;
    this.#pages = 1;
    this.#listing = {};
  }

  willUpdate(changed) {
    const asked = `${this.#state} ${this.#query}`;
    if (asked !== this.#asked) {
      if (this.#asked !== undefined) {
        scrollTo(0, 0);
        if (this.#counted !== this.#query) {
          this.counts = null;
        }
      }
      this.#asked = asked;
      this.#counted = this.#query;
      this.#begin();
    }
    super.willUpdate(changed);
  }

  get #query() {
    return this.route.query.get('q') ?? '';
  }

  get #state() {
    return this.route.query.get('state') ?? '';
  }

  #parameters(cursor) {
    return { q: this.#query, state: this.#state, limit: AT_ONCE, cursor };
  }

  async load(signal) {
    const page = await get(url(['jobs'], this.#parameters()), { signal });
    const counts = await get(url(['jobs', 'counts'], { q: this.#query }), { signal });
    if (counts[this.#state]?.exact === false && this.#query) {
      // There is as much time again for the state that is looked at.
      const own = await get(url(['jobs', 'counts'], this.#parameters()), { signal });
      counts[this.#state] = own[this.#state];
    }
    signal.throwIfAborted();
    this.counts = counts;
    if (this.#pages === 1 || !page.next || this.jobs.length > MOST_LISTED || !this.#meets(page)) {
      this.#pages = 1;
      this.#listing = {};
      this.jobs = page.jobs;
      this.next = page.next;
      this.searched = page.searched;
      this.looked = page.searched.jobs;
    } else {
      // What is in sight changes where it stands, or goes; what is new comes on top.
      const { complete, until } = page.searched;
      const last = page.jobs.at(-1)?.id;
      this.jobs = [...page.jobs, ...this.jobs.filter((job) => (complete ? job.id < last : until && new Date(job.enqueuedAt) < new Date(until)))];
    }
    this.#keepChosen();
    this.#goOn();
  }

  /**
   * Whether a first page goes down to what is listed: else there may be more between the two. One
   * that was ended by the time has gone past all that is new.
   */
  #meets(page) {
    const known = new Set(this.jobs.map((job) => job.id));
    return !page.searched.complete || page.jobs.some((job) => known.has(job.id));
  }

  /** Nobody acts on what has gone. What is older than all that is listed may still be there. */
  #keepChosen() {
    const listed = new Set(this.jobs.map((job) => job.id));
    const last = this.jobs.at(-1)?.id ?? Infinity;
    const kept = [...this.selected].filter((id) => listed.has(id) || (this.next && id < last));
    if (kept.length < this.selected.size) {
      this.selected = new Set(kept);
    }
  }

  async #loadMore() {
    if (this.#more || !this.next) {
      return;
    }
    this.#more = true;
    const listing = this.#listing;
    try {
      const page = await get(url(['jobs'], this.#parameters(this.next)));
      if (listing === this.#listing) {
        const known = new Set(this.jobs.map((job) => job.id));
        this.jobs = [...this.jobs, ...page.jobs.filter((job) => !known.has(job.id))];
        this.next = page.next;
        this.searched = page.searched;
        this.looked += page.searched.jobs;
        this.#pages++;
      }
    } catch (error) {
      if (listing === this.#listing) {
        this.failure = error;
      }
    } finally {
      this.#more = false;
    }
    if (listing !== this.#listing && this.isConnected) {
      this.scrolled();
    }
    this.#goOn();
  }

  /** A search that has found little in its time goes on by itself, as long as somebody looks. */
  #goOn() {
    if (this.searched?.complete === false && this.jobs.length < AT_ONCE && this.isConnected && !document.hidden && !this.failure) {
      setTimeout(() => this.#loadMore());
    }
  }

  connectedCallback() {
    super.connectedCallback();
    this.scrolled = () => {
      const list = this.querySelector('.rows');
      if (list) {
        this.top = Math.max(0, -list.getBoundingClientRect().top);
        this.height = innerHeight;
        if (this.top + 2 * this.height > this.jobs.length * ROW) {
          this.#loadMore();
        }
      }
    };
    addEventListener('scroll', this.scrolled, { passive: true });
    addEventListener('resize', this.scrolled, { passive: true });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('scroll', this.scrolled);
    removeEventListener('resize', this.scrolled);
  }

  #search(event) {
    event.preventDefault();
    this.hints = [];
    setQuery({ q: this.querySelector('[data-search]').value.trim() });
  }

  /** The names that there are, asked for once when somebody begins to type. */
  async #learn() {
    if (!this.#names) {
      this.#names = { 'state:': Object.keys(STATES).map((name) => name.toLowerCase()) };
      const [queues, nodes] = await Promise.all([get('queues'), this.general ? get('nodes') : []]).catch(() => [[], []]);
      this.#names['queue:'] = queues.map((queue) => queue.name);
      this.#names['type:'] = [...new Set(nodes.flatMap((node) => node.types))].sort();
      this.#names['node:'] = [...new Set(nodes.map((node) => node.name))];
    }
  }

  #suggest(event) {
    const word = event.target.value.split(/\s+/).at(-1);
    const qualifier = QUALIFIERS.find((one) => word.startsWith(one) && this.#names?.[one]);
    const choices = qualifier ? this.#names[qualifier].map((name) => searchFor({ [qualifier.slice(0, -1)]: name })) : QUALIFIERS;
    this.hints = word === '' ? [] : choices.filter((one) => one.startsWith(word) && one !== word).slice(0, MOST_HINTS);
    this.hint = -1;
  }

  #toHints(event) {
    const { length } = this.hints;
    const actions = {
      ArrowDown: () => { this.hint = (this.hint + 1) % length; },
      ArrowUp: () => { this.hint = (this.hint <= 0 ? length : this.hint) - 1; },
      Escape: () => { this.hints = []; },
      Enter: this.hint >= 0 ? () => this.#take(this.hints[this.hint]) : undefined,
    };
    if (length && actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  #take(hint) {
    const input = this.querySelector('[data-search]');
    input.value = input.value.replace(/\S*$/, hint);
    this.hints = [];
    input.focus();
  }

  get #allChosen() {
    return this.jobs.every((job) => this.selected.has(job.id));
  }

  #choose(event, index) {
    const { id } = this.jobs[index];
    const chosen = new Set(this.selected);
    const on = !chosen.has(id);
    const last = event.shiftKey ? this.jobs.findIndex((job) => job.id === this.#last) : -1;
    const [from, to] = last < 0 ? [index, index] : [Math.min(last, index), Math.max(last, index)];
    for (let i = from; i <= to; i++) {
      if (on) {
        chosen.add(this.jobs[i].id);
      } else {
        chosen.delete(this.jobs[i].id);
      }
    }
    this.#last = id;
    this.selected = chosen;
    this.everything = null;
  }

  #chooseAll(event) {
    this.selected = event.target.checked ? new Set(this.jobs.map((job) => job.id)) : new Set();
    this.everything = null;
  }

  async #bulk(action) {
    const what = this.everything ? { matching: this.everything } : { ids: [...this.selected] };
    const number = this.everything ? this.#matching() : whole(this.selected.size);
    const sure = await confirmed({
      title: `${action.title} ${number} job${number === '1' ? '' : 's'}?`,
      text: action.text,
      action: action.title,
      danger: action.danger,
      number: action.priority ? { label: 'Priority', least: 0, most: 9, value: 4 } : undefined,
      word: action.type ? { label: 'Type', pattern: '[^@\\s]+(@[1-9][0-9]{0,3})?', hint: 'a job type, or type@2 for a version' } : undefined,
    });
    if (sure !== false) {
      const [type, version] = action.type ? sure.split('@') : [];
      const over = change(action, {
        action: action.name, priority: action.priority ? sure : undefined, type, version: version && Number(version), ...what,
      });
      this.selected = new Set();
      this.everything = null;
      await over;
      if (this.isConnected) {
        // Below the first page nothing says what has become of them.
        this.#pages = 1;
        this.refresh();
      }
    }
  }

  #matching() {
    const counts = this.#state ? [this.counts?.[this.#state]] : Object.values(this.counts ?? {});
    return counts[0]
      ? `${whole(counts.reduce((sum, one) => sum + one.count, 0))}${counts.every((one) => one.exact) ? '' : ' or more'}`
      : 'all matching';
  }

  render() {
    return html`
      <div class="head"><h1>Jobs</h1><span class="grow"></span>
        <form class="search" role="search" @submit=${this.#search}>
          <label class="hidden" for="search">Search jobs</label>
          <input id="search" data-search type="search" role="combobox" aria-autocomplete="list" aria-controls="hints"
            aria-expanded=${this.hints.length ? 'true' : 'false'} aria-activedescendant=${this.hints[this.hint] ? `hint-${this.hint}` : nothing} size="48" autocomplete="off" spellcheck="false"
            placeholder='queue:mail type:invoice.* error:"timeout" age>1h' .value=${this.#query} @focus=${this.#learn} @input=${this.#suggest} @keydown=${this.#toHints}>
          <button>${icon('search')} Search</button>
        </form>
      </div>
      <div id="hints" class="tabs" role="listbox" aria-label="Suggestions" ?hidden=${!this.hints.length}>
        ${this.hints.map((hint, i) => html`<button id="hint-${i}" role="option" aria-selected=${i === this.hint ? 'true' : 'false'} tabindex="-1"
          class="quiet mono" @click=${() => this.#take(hint)}>${hint}</button>`)}</div>
      <nav class="states" aria-label="States">${this.#tab('', 'All')}
        ${Object.entries(STATES).map(([name, { label }]) => this.#tab(name, label))}</nav>
      ${failed(this.failure, () => this.refresh())}
      ${this.#bar()}
      ${this.loaded ? this.#list() : this.failure ? nothing : skeleton(12)}
      ${this.searched?.overlooksEncrypted
        ? html`<p class="faint">What is encrypted is not searched.</p>` : nothing}
      ${this.searched && !this.searched.complete
        ? html`<p class="faint">Searched ${compact(this.looked)} jobs so far${this.searched.until ? html`, back to ${when(this.searched.until)}` : nothing}.
            It goes on.</p>`
        : nothing}`;
  }

  #tab(name, label) {
    const count = name ? this.counts?.[name] : null;
    return html`<a href=${href('jobs', [], { q: this.#query, state: name })}
      aria-current=${name === this.#state ? 'true' : nothing}>${label}
      <span class="count" title=${count && !count.exact ? 'at least so many, or about' : ''}>${count ? `${compact(count.count)}${count.exact ? '' : '+'}` : nothing}</span></a>`;
  }

  #bar() {
    if (!this.selected.size) {
      return nothing;
    }
    const actions = [
      { name: 'RESET', title: 'Reset', done: 'reset', text: 'They start again with their full number of attempts.' },
      { name: 'CANCEL', title: 'Cancel', done: 'cancelled', danger: true,
        text: 'Those that wait end at once; those that are in work are asked to end.' },
      { name: 'DELETE', title: 'Delete', done: 'deleted', danger: true,
        text: 'Ended jobs are forgotten, with their attempts and logs. This cannot be taken back.' },
      { name: 'PRIORITIZE', title: 'Prioritize', done: 'prioritized', text: 'Those that wait get this priority: 9 is the most urgent.',
        priority: true },
      { name: 'MOVE', title: 'Move', done: 'moved',
        text: 'Those that wait become jobs of another type, which must be known. The roles of their enqueuers are forgotten. Write type@2 for a version.',
        type: true },
      ...(this.has('ADMIN') ? [{ path: 'jobs/erase', title: 'Erase', done: 'erased', danger: true,
        text: 'Of ended jobs the payload, the result, the properties, the texts of failures and the log are deleted; the rest is kept. This cannot be taken back.' }] : []),
    ];
    return html`
      <div class="notice chosen" role="group" aria-label="Chosen jobs">
        <strong>${this.everything ? this.#matching() : whole(this.selected.size)} chosen</strong>
        ${this.#allChosen && this.next && !this.everything
          ? html`<button class="quiet" @click=${() => { this.everything = { q: this.#query, state: this.#state || undefined }; }}>Choose all that match</button>`
          : nothing}
        <span class="grow"></span>
        ${this.operates
          ? actions.map((action) => html`<button ?disabled=${busy()} @click=${() => this.#bulk(action)}>${action.title}</button>`)
          : html`<span>You may look, but not change.</span>`}
        <button class="quiet" @click=${() => { this.selected = new Set(); }}>Choose none</button>
      </div>`;
  }

  #list() {
    if (!this.jobs.length) {
      return this.#query || this.#state
        ? empty('search', 'No job matches', 'Try fewer words, another state, or a longer span of time.')
        : empty('archive', 'No jobs yet', 'Enqueue one: inject JobQueue into a bean and call enqueue with a record, or POST to api/queues/{queue}/jobs.');
    }
    const first = Math.max(0, Math.floor(this.top / ROW) - 10);
    const last = Math.min(this.jobs.length, Math.ceil((this.top + this.height) / ROW) + 10);
    return html`
      <div class="card jobs" role="table" aria-label="Jobs" aria-rowcount=${this.next ? -1 : this.jobs.length + 1}>
        <div class="row heading" role="row">
          <span role="columnheader"><input type="checkbox" aria-label="Choose all that are listed" .checked=${this.#allChosen} @change=${this.#chooseAll}></span>
          ${['Job', 'State', 'Type', 'Queue', 'Attempt', 'When'].map((name) => html`<span role="columnheader">${name}</span>`)}
        </div>
        <div class="rows" role="rowgroup">
          ${gap(first)}
          ${this.jobs.slice(first, last).map((job, i) => this.#row(job, first + i))}
          ${gap(this.jobs.length - last)}
        </div>
      </div>`;
  }

  #row(job, index) {
    const moment = job.endedAt ?? job.startedAt ?? (job.state === 'SCHEDULED' ? job.availableAt : job.enqueuedAt);
    const took = job.endedAt && job.startedAt ? new Date(job.endedAt) - new Date(job.startedAt) : null;
    return html`
      <div class="row" role="row" aria-rowindex=${index + 2} aria-selected=${this.selected.has(job.id)}>
        <span role="cell"><input type="checkbox" aria-label="Choose job ${job.id}" .checked=${this.selected.has(job.id)}
          @click=${(event) => this.#choose(event, index)}></span>
        <span role="cell"><a class="mono" href=${href('jobs', [job.id])}>${job.id}</a></span>
        <span role="cell">${state(job.state)}</span>
        <span role="cell" class="cut" title=${escaped(job.lastFailure ?? job.type)}>${typeOf(job)}
          ${job.lastFailure ? html`<small class="faint">${escaped(job.lastFailure)}</small>` : nothing}</span>
        <span role="cell" class="cut">${job.queue}</span>
        <span role="cell">${job.attempt}${job.maxAttempts > 0 ? ` of ${job.maxAttempts}` : ''}</span>
        <span role="cell"><time datetime=${moment} title=${exact(moment)}>${relative(moment)}</time>
          ${took === null ? nothing : html`<small class="faint">${span(took)}</small>`}</span>
      </div>`;
  }
}

customElements.define('readpast-jobs', Jobs);
