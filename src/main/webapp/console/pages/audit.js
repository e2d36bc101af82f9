import { get, url } from '../api.js';
import { empty, failed, icon, skeleton, when } from '../parts.js';
import { escaped } from '../json.js';
import { href, setQuery } from '../route.js';
import { searchFor } from '../search.js';
import { html, nothing, Page } from '../view.js';

/** Where that is to which something was done. */
const PLACES = {
  job: (target) => href('jobs', [target]),
  queue: (target) => href('queues', [], { queue: target }),
  jobs: (target) => href('queues', [], { queue: target }),
  group: (target) => {
    const [queue, ...group] = target.split('/');
    return href('jobs', [], { q: searchFor({ queue, group: group.join('/') }) });
  },
  batch: (target) => href('batches', [target]),
  schedule: (target) => href('schedules', [target]),
  rule: () => href('schedules'),
  node: () => href('nodes'),
};

const value = (one) => (one === null ? 'nothing' : typeof one === 'object' ? JSON.stringify(one) : String(one));

/** "paused: false → true, reset: 12". */
const told = (detail) => Object.entries(detail ?? {})
  .filter(([, one]) => one !== null)
  .map(([name, one]) => `${name}: ${one && typeof one === 'object' && 'to' in one ? `${value(one.from)} → ${value(one.to)}` : value(one)}`)
  .join(', ');

/** A moment as a field of type datetime-local wants it, in the viewer's zone; and back. */
const local = (moment) => {
  const date = moment ? new Date(moment) : null;
  return date && !Number.isNaN(date.getTime())
    ? new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16) : '';
};
const utc = (typed) => (typed ? new Date(typed).toISOString() : null);

/** Who did what, when, to which job. */
class Audit extends Page {
  static properties = { ...Page.properties, entries: { state: true }, next: { state: true } };

  get #filter() {
    const { query } = this.route;
    return Object.fromEntries(['who', 'action', 'target', 'from', 'to'].map((name) => [name, query.get(name)]));
  }

  async load(signal) {
    const page = await get(url(['audit'], { ...this.#filter, limit: 100, cursor: this.route.query.get('cursor') }), { signal });
    this.entries = page.entries;
    this.next = page.next;
  }

  render() {
    const filter = this.#filter;
    const filtered = Object.values(filter).some(Boolean);
    const submit = (event) => {
      event.preventDefault();
      const typed = Object.fromEntries(new FormData(event.target));
      setQuery({ ...typed, from: utc(typed.from), to: utc(typed.to), cursor: null });
    };
    return html`
      <div class="head"><h1>Audit</h1><span class="grow"></span>
        ${['csv', 'json'].map((format) => html`<a class="button" download="readpast-audit.${format}"
          href="api/${url(['audit'], { ...filter, format })}" title="All that match, 100,000 at most">${icon('download')} ${format.toUpperCase()}</a>`)}</div>
      <form class="line" role="search" @submit=${submit}>
        <label>Who <input name="who" data-search maxlength="255" .value=${filter.who ?? ''}></label>
        <label>Action <input name="action" list="actions" .value=${filter.action ?? ''} placeholder="job.reset, or queue"></label>
        <label>To what <input name="target" .value=${filter.target ?? ''} placeholder="4711, mail, …"></label>
        <label>From <input type="datetime-local" name="from" .value=${local(filter.from)}></label>
        <label>Until <input type="datetime-local" name="to" .value=${local(filter.to)}></label>
        <datalist id="actions">${['job', 'job.cancel', 'job.delete', 'job.prioritize', 'job.reschedule', 'job.reset', 'job.run', 'jobs', 'jobs.reset', 'jobs.cancel', 'jobs.delete', 'jobs.prioritize', 'queue', 'queue.change', 'queue.purge', 'type', 'type.change', 'batch',
    'group', 'node', 'schedule', 'rule'].map((name) => html`<option value=${name}></option>`)}</datalist>
        <button>${icon('filter')} Filter</button>
        ${filtered ? html`<a class="button" href=${href('audit')}>${icon('x')} Clear</a>` : nothing}</form>
      ${failed(this.failure, () => this.refresh())}
      ${!this.loaded ? skeleton() : this.entries.length ? this.#table()
        : filtered || this.route.query.get('cursor')
          ? empty('search', 'Nothing like that has been done', 'An action is written as job.reset, or job for all that is done to jobs; who and what are whole names.')
          : empty('file-text', 'Nothing has been done yet', 'Each change that somebody makes, here or by the API, is kept: who, what, when, and to which job.')}
      ${this.route.query.get('cursor') ? html`<a class="button" href=${href('audit', [], filter)}>${icon('arrow-left')} Newest</a>` : nothing}
      ${this.next ? html`<a class="button" href=${href('audit', [], { ...filter, cursor: this.next })}>Older ${icon('arrow-right')}</a>` : nothing}`;
  }

  #table() {
    return html`
      <div class="card scroll"><table><thead><tr><th>When</th><th>Who</th><th>Action</th><th>To what</th><th>How</th></tr></thead>
        <tbody>${this.entries.map((one) => html`<tr><td>${when(one.at)}</td><td>${one.who}</td><td class="mono">${one.action}</td>
          <td class="cut" title=${one.target ?? ''}>${this.#target(one)}</td><td class="faint">${escaped(told(one.detail))}</td></tr>`)}</tbody></table></div>`;
  }

  #target({ action, target }) {
    const place = PLACES[action.split('.')[0]];
    return !target ? html`<span class="faint">many</span>` : place ? html`<a class="mono" href=${place(target)}>${escaped(target)}</a>` : escaped(target);
  }
}

customElements.define('readpast-audit', Audit);
