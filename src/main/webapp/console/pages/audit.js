// @ts-check
import { get, url } from '../api.js';
import { fieldsOf } from '../forms.js';
import { empty, failed, icon, skeleton, when } from '../parts.js';
import { escaped } from '../json.js';
import { href, setQuery } from '../route.js';
import { searchFor } from '../search.js';
import { localField, utc } from '../times.js';
import { html, nothing, Page } from '../view.js';

/**
 * Contains the addresses of the objects of actions, by the first word of the action.
 *
 * @type {Record<string, (target: string) => string>}
 */
const ADDRESSES = {
  job: (target) => href('jobs', [target]),
  queue: (target) => href('queues', [], { queue: target }),
  jobs: (target) => href('queues', [], { queue: target }),
  group: (target) => {
    const [queue, ...group] = target.split('/');
    return href('jobs', [], { q: searchFor({ queue, group: group.join('/') }) });
  },
  type: (target) => href('jobs', [], { q: searchFor({ type: target }) }),
  batch: (target) => href('batches', [target]),
  schedule: (target) => href('schedules', [target]),
  rule: () => href('schedules'),
  node: () => href('nodes'),
};

/**
 * Lists the actions on each kind of object.
 *
 * @type {Record<string, string[]>}
 */
const ACTIONS = {
  job: ['cancel', 'delete', 'prioritize', 'reschedule', 'reset', 'run'],
  jobs: ['cancel', 'delete', 'erase', 'move', 'prioritize', 'reset', 'run'],
  queue: ['change', 'purge'],
  type: ['change'],
  group: ['limit', 'skip'],
  batch: ['callback', 'cancel', 'define', 'hold', 'release', 'seal', 'skip'],
  schedule: ['define', 'delete', 'disable', 'enable', 'run'],
  rule: ['define', 'delete', 'run'],
  node: ['drain'],
  encryption: ['rotate'],
  'sign-in': ['fail', 'succeed'],
};
const SUGGESTED = Object.entries(ACTIONS).flatMap(([object, actions]) => [object, ...actions.map((action) => `${object}.${action}`)]);

/** @param {unknown} one */
const value = (one) => (one === null ? 'nothing' : typeof one === 'object' ? JSON.stringify(one) : String(one));

/**
 * Describes the details of an audit entry, such as "paused: false → true, reset: 12".
 *
 * @param {Record<string, any> | undefined} detail
 */
const described = (detail) => Object.entries(detail ?? {})
  .filter(([, one]) => one !== null)
  .map(([name, one]) => {
    const changed = typeof one === 'object' && 'to' in one;
    return `${name}: ${changed ? `${value(one.from)} → ${value(one.to)}` : value(one)}`;
  })
  .join(', ');

/** Shows the audit: which user changed what, and when. */
class Audit extends Page {
  static properties = { ...Page.properties, entries: { state: true }, next: { state: true } };

  /**
   * Changes to jobs do not reload this page, because jobs change far more often than users act.
   * @type {string[]}
   */
  static topics = [];

  get #filter() {
    const { query } = this.route;
    return Object.fromEntries(['who', 'action', 'target', 'from', 'to'].map((name) => [name, query.get(name)]));
  }

  constructor() {
    super();
    /** @type {Api.AuditEntry[]} */
    this.entries = [];
    /** @type {string | undefined} */
    this.next = undefined;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const page = await get(url(['audit'], { ...this.#filter, limit: 100, cursor: this.route.query.get('cursor') }), { signal });
    this.entries = page.entries;
    this.next = page.next;
  }

  render() {
    const filter = this.#filter;
    const filtered = Object.values(filter).some(Boolean);
    const submit = (/** @type {any} */ event) => {
      event.preventDefault();
      const typed = fieldsOf(event.target);
      setQuery({ ...typed, from: utc(typed.from), to: utc(typed.to), cursor: null });
    };
    return html`
      <div class="head"><h1>Audit</h1><span class="grow"></span>
        ${['csv', 'json'].map((format) => html`<a class="button" download="readpast-audit.${format}"
          href="api/${url(['audit'], { ...filter, format })}" title="All matching entries, at most 100,000">${icon('download')} ${format.toUpperCase()}</a>`)}</div>
      <form class="line" role="search" @submit=${submit}>
        <label>Who <input name="who" data-search maxlength="255" .value=${filter.who ?? ''}></label>
        <label>Action <input name="action" list="actions" .value=${filter.action ?? ''} placeholder="job.reset, or queue"></label>
        <label>Object <input name="target" .value=${filter.target ?? ''} placeholder="4711, mail, …"></label>
        <label>From <input type="datetime-local" name="from" .value=${localField(filter.from)}></label>
        <label>Until <input type="datetime-local" name="to" .value=${localField(filter.to)}></label>
        <datalist id="actions">${SUGGESTED.map((name) => html`<option value=${name}></option>`)}</datalist>
        <button>${icon('filter')} Filter</button>
        ${filtered ? html`<a class="button" href=${href('audit')}>${icon('x')} Clear</a>` : nothing}</form>
      ${failed(this.failure, () => this.refresh())}
      ${!this.loaded ? skeleton() : this.entries.length ? this.#table()
        : filtered || this.route.query.get('cursor')
          ? empty('search', 'No matching entries',
            'Enter an action such as job.reset, or job for all actions on jobs. Users and objects are matched by their full names.')
          : empty('file-text', 'No entries yet', 'Every change that a user makes in the console or through the API is recorded here.')}
      ${this.route.query.get('cursor') ? html`<a class="button" href=${href('audit', [], filter)}>${icon('arrow-left')} Newest</a>` : nothing}
      ${this.next ? html`<a class="button" href=${href('audit', [], { ...filter, cursor: this.next })}>Older ${icon('arrow-right')}</a>` : nothing}`;
  }

  #table() {
    return html`
      <div class="card scroll"><table><thead><tr><th>When</th><th>Who</th><th>Action</th><th>Object</th><th>Details</th></tr></thead>
        <tbody>${this.entries.map((one) => html`<tr><td>${when(one.at)}</td><td>${one.who}</td><td class="mono">${one.action}</td>
          <td class="cut" title=${one.target ?? ''}>${this.#target(one)}</td>
          <td class="faint">${escaped(described(one.detail))}</td></tr>`)}</tbody></table></div>`;
  }

  /** @param {Api.AuditEntry} entry */
  #target({ action, target }) {
    if (!target) {
      return html`<span class="faint">many</span>`;
    }
    const address = ADDRESSES[action.split('.')[0]];
    return address ? html`<a class="mono" href=${address(target)}>${escaped(target)}</a>` : escaped(target);
  }
}

customElements.define('readpast-audit', Audit);
