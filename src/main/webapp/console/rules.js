// @ts-check
import { get, patch, put, remove, url } from './api.js';
import { confirmed } from './ask.js';
import { runButton, toggle } from './controls.js';
import { span, whole } from './format.js';
import { fieldsOf, filledIn } from './forms.js';
import { escaped } from './json.js';
import { act, failed, icon, jobLink, when } from './parts.js';
import { href } from './route.js';
import { html, nothing, Page } from './view.js';

/** Limits the number of runs that the history of a rule shows. */
const LISTED = 20;

/** @param {any} error of a request about a rule that may have been deleted in the meantime */
function deleted(error) {
  if (error.status === 404) {
    return null;
  }
  throw error;
}

/** Lists the fields that an edit resets if they are empty, with their default values. */
const DEFAULTS = { queue: 'default', priority: 4, datasource: null, computation: null, schedule: null };

/** Shows the rules, each of which creates a job for every row that its search finds. */
class Rules extends Page {
  static properties = { ...Page.properties, rules: { state: true }, shown: { state: true }, runs: { state: true }, editing: { state: true } };

  constructor() {
    super();
    /** @type {Api.Rule[]} */
    this.rules = [];
    /** Holds the name of the rule whose runs are shown, or an empty string. */
    this.shown = '';
    /** @type {Api.RuleRun[] | null} the latest runs of that rule */
    this.runs = null;
    /** @type {Partial<Api.Rule> | null} the rule that is edited; a new rule has no name yet */
    this.editing = null;
  }

  clear() {
    this.editing = null;
    this.shown = '';
    this.runs = null;
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    const { shown } = this;
    /** @type {[Api.Rule[], Api.RuleRun[] | null]} */
    const [rules, runs] = await Promise.all([
      get('rules', { signal }),
      shown ? get(url(['rules', shown, 'runs'], { limit: LISTED }), { signal }).catch(deleted) : null,
    ]);
    this.rules = rules;
    if (shown === this.shown) {
      this.runs = runs;
    }
  }

  /** @param {string} name */
  #toggleRuns(name) {
    this.shown = this.shown === name ? '' : name;
    this.runs = null;
    this.refresh();
  }

  /** @param {Partial<Api.Rule>} rule */
  async #edit(rule) {
    // The form is created again, so that it does not keep the input for another rule.
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
  async #delete(name) {
    const text = 'The searches and the run history of the rule are deleted. Jobs that the rule has created are kept.';
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
        <td>${toggle('rules', rule, this.administers && !rule.declared, () => this.refresh())}</td>
        <td class="actions-cell">${this.#actions(rule)}</td></tr>
        ${rule.lastRun?.error ? html`<tr><td colspan="7" class="reason">${icon('alert-triangle')} The last run of ${rule.name} failed:
          ${escaped(rule.lastRun.error)}</td></tr>` : nothing}
        ${this.runs && this.shown === rule.name ? html`<tr><td colspan="7">${this.#history(rule.name, this.runs)}</td></tr>` : nothing}`)}</tbody></table></div>`;
  }

  /** @param {string} name @param {Api.RuleRun[]} runs */
  #history(name, runs) {
    return runs.length ? html`<table aria-label="Runs of ${name}">
      <thead><tr><th>Started</th><th>Job</th><th>Outcome</th><th class="number">Took</th>
        <th class="number">Found</th><th class="number">New</th><th class="number">Skipped</th></tr></thead>
      <tbody>${runs.map((run) => html`<tr>
        <td>${when(run.startedAt)}</td><td>${jobLink(run.job)}</td>
        <td><span class="state ${run.state === 'FAILED' ? 'discarded' : run.state.toLowerCase()}">${run.state.toLowerCase()}</span>
          ${run.error ? html`<br><small class="reason">${escaped(run.error)}</small>` : nothing}</td>
        <td class="number">${run.endedAt ? span(Date.parse(run.endedAt) - Date.parse(run.startedAt)) : '–'}</td>
        <td class="number">${whole(run.found)}</td><td class="number">${whole(run.new)}</td>
        <td class="number">${whole(run.skipped)}</td></tr>`)}</tbody></table>`
      : html`<p class="faint">No runs yet.</p>`;
  }

  /** @param {Api.Rule} rule */
  #actions(rule) {
    return html`
      ${rule.lastRun ? html`<button class="quiet" aria-expanded=${String(this.shown === rule.name)}
        aria-label="History of ${rule.name}" @click=${() => this.#toggleRuns(rule.name)}>${icon('clock')}</button>` : nothing}
      ${this.has('OPERATOR', rule.queue)
        ? runButton('rules', rule.name, () => this.refresh()) : nothing}
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
