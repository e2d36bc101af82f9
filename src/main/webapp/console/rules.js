// @ts-check
import { get, patch, post, put, remove, url } from './api.js';
import { confirmed, singleClick } from './ask.js';
import { whole } from './format.js';
import { fieldsOf, filledIn } from './forms.js';
import { escaped } from './json.js';
import { act, failed, icon, when } from './parts.js';
import { href } from './route.js';
import { toggle } from './toggle.js';
import { html, nothing, Page } from './view.js';

/** The fields that an edit resets if they are empty. */
const DEFAULTS = { queue: 'default', priority: 4, datasource: null, computation: null, schedule: null };

/** The rules, each of which creates a job for every row that its search finds. */
class Rules extends Page {
  static properties = { ...Page.properties, rules: { state: true }, editing: { state: true } };

  constructor() {
    super();
    /** @type {Api.Rule[]} */
    this.rules = [];
    /** @type {Partial<Api.Rule> | null} the rule that is edited; a new rule has no name yet */
    this.editing = null;
  }

  clear() {
    this.editing = null;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    this.rules = await get('rules', { signal });
  }

  /** @param {Partial<Api.Rule>} rule */
  async #edit(rule) {
    // The form is created anew, so that fields that were typed for another rule do not stay.
    this.editing = null;
    await this.updateComplete;
    this.editing = rule;
  }

  /** @param {any} event */
  async #save(event) {
    event.preventDefault();
    const { editing } = this;
    const { name, ...rest } = fieldsOf(event.target);
    const body = filledIn(rest, ['priority']);
    // An edit omits whether the rule is enabled, which may have changed in the meantime.
    const store = () => (editing?.name ? patch(url(['rules', name]), { ...DEFAULTS, ...body }) : put(url(['rules', name]), { ...body, enabled: true }));
    if (await act(store, 'Rule saved') && this.editing === editing) {
      this.editing = null;
      this.refresh();
    }
  }

  /** @param {string} name */
  async #run(name) {
    await act(() => post(url(['rules', name, 'runs'])), `${name}: job created`);
    await this.refresh();
  }

  /** @param {string} name @param {boolean} enabled */
  async #enable(name, enabled) {
    const answer = await act(() => patch(url(['rules', name]), { enabled }), `${name} ${enabled ? 'enabled' : 'disabled'}`);
    this.refresh();
    return answer !== undefined;
  }

  /** @param {string} name */
  async #delete(name) {
    const text = 'Its searches and its run history are deleted. Jobs that it has created are kept.';
    if (await confirmed({ title: `Delete rule ${name}?`, text, action: 'Delete', danger: true })) {
      await act(() => remove(url(['rules', name])), `${name} deleted`);
      this.refresh();
    }
  }

  render() {
    const create = this.administers && !this.editing
      ? html`<button @click=${() => { this.editing = {}; }}>${icon('plus')} New rule</button>` : nothing;
    return html`
      ${failed(this.failure, () => this.refresh())}
      ${this.editing ? this.#editor(this.editing) : nothing}
      ${this.rules.length
        ? html`<section class="card" aria-labelledby="rules"><h2 id="rules">Rules<span class="grow"></span>${create}</h2>
            ${this.#table()}</section>`
        : this.administers && this.loaded
          ? html`<p class="faint">${create} A rule creates a job for each row that its search finds.</p>` : nothing}`;
  }

  #table() {
    return html`<div class="scroll"><table>
      <thead><tr><th>Rule</th><th>Type</th><th>Last run</th><th class="number">Found</th><th class="number">New</th><th>Enabled</th>
        <th><span class="hidden">Actions</span></th></tr></thead>
      <tbody>${this.rules.map((rule) => html`<tr>
        <td class="cut" title=${rule.search}><strong>${rule.name}</strong><br><small class="faint mono">${rule.search}</small></td>
        <td class="mono cut" title=${rule.type}>${rule.type}</td>
        <td>${rule.lastRun ? html`<a href=${href('jobs', [rule.lastRun.job])}>${when(rule.lastRun.startedAt)}</a>` : 'never'}</td>
        <td class="number">${rule.lastRun ? whole(rule.lastRun.found ?? 0) : '–'}</td>
        <td class="number">${rule.lastRun ? whole(rule.lastRun.new ?? 0) : '–'}</td>
        <td>${toggle(rule, this.administers && !rule.declared, (enabled) => this.#enable(rule.name, enabled))}</td>
        <td class="actions-cell">${this.#actions(rule)}</td></tr>
        ${rule.lastRun?.error ? html`<tr><td colspan="7" class="reason">${icon('alert-triangle')} The last run of ${rule.name} failed:
          ${escaped(rule.lastRun.error)}</td></tr>` : nothing}`)}</tbody></table></div>`;
  }

  /** @param {Api.Rule} rule */
  #actions(rule) {
    return html`
      ${this.has('OPERATOR', rule.queue)
        ? html`<button @click=${singleClick(() => this.#run(rule.name))}>${icon('play')} Run now</button>` : nothing}
      ${this.administers && !rule.declared ? html`
        <button @click=${() => this.#edit(rule)}>${icon('pencil')} Edit</button>
        <button class="quiet" aria-label="Delete ${rule.name}" @click=${() => this.#delete(rule.name)}>${icon('trash-2')}</button>` : nothing}`;
  }

  /** @param {Partial<Api.Rule>} rule */
  #editor(rule) {
    return html`
      <form class="card form" @submit=${this.#save}>
        <label>Name <input name="name" required .value=${rule.name ?? ''} ?readonly=${Boolean(rule.name)}></label>
        <label>Type <input name="type" required .value=${rule.type ?? ''}></label>
        <label>Queue <input name="queue" .value=${rule.queue ?? ''}></label>
        <label>Priority <input name="priority" type="number" min="0" max="9" .value=${String(rule.priority ?? 4)}></label>
        <label>Data source <input name="datasource" .value=${rule.datasource ?? ''} placeholder="the queue's data source"></label>
        <label>Type that runs first <input name="computation" .value=${rule.computation ?? ''} placeholder="optional job type"></label>
        <label>Schedule <input name="schedule" .value=${rule.schedule ?? ''} placeholder="0 3 * * * Europe/Berlin; empty: on demand"></label>
        <label class="wide">Search <textarea name="search" rows="4" class="mono" spellcheck="false" required .value=${rule.search ?? ''}
          placeholder='select id as "documentId" from document where archived_at is null'></textarea></label>
        <div class="actions wide"><button type="button" class="quiet" @click=${() => { this.editing = null; }}>Cancel</button>
          <button class="primary">${icon('check')} Save</button></div>
      </form>`;
  }
}

customElements.define('readpast-rules', Rules);
