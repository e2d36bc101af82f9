// @ts-check
import { get } from './api.js';
import { STATES } from './format.js';
import { icon } from './parts.js';
import { setQuery } from './route.js';
import { searchFor } from './search.js';
import { handledTypes } from './types.js';
import { html, NO_SESSION, nothing, View } from './view.js';

const MAX_SUGGESTIONS = 12;
const QUALIFIERS = ['state:', 'queue:', 'type:', 'version:', 'priority:', 'property.', 'error:', 'payload.', 'group:', 'batch:', 'wave:',
  'node:', 'uniqueKey:', 'correlationId:', 'age>', 'age<'];

/** Shows the search field of the jobs page, with suggestions. */
class JobSearch extends View {
  static properties = {
    session: { attribute: false },
    value: { attribute: false },
    suggestions: { state: true },
    active: { state: true },
  };

  /** @type {Record<string, string[]> | undefined} */
  #names;

  constructor() {
    super();
    this.session = NO_SESSION;
    this.value = '';
    /** @type {string[]} */
    this.suggestions = [];
    this.active = -1;
  }

  /** @returns {HTMLInputElement} */
  get #input() {
    return /** @type {HTMLInputElement} */ (this.querySelector('input'));
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    this.suggestions = [];
    setQuery({ q: this.#input.value.trim() });
  }

  /** Loads the names of queues and types when the user starts to type. */
  async #loadNames() {
    if (!this.#names) {
      /** @type {Record<string, string[]>} */
      const names = { 'state:': Object.keys(STATES).map((name) => name.toLowerCase()) };
      this.#names = names;
      const general = this.session.others !== 'NONE';
      /** @type {[Api.Queue[], Api.Node[], Pick<Api.JobFacets, 'properties'>]} */
      const [queues, nodes, { properties }] = await Promise.all([get('queues'), general ? get('nodes') : [], get('jobs/facets')])
        .catch(() => [[], [], { properties: {} }]);
      names['queue:'] = queues.map((queue) => queue.name);
      names['type:'] = handledTypes(nodes);
      names['node:'] = [...new Set(nodes.map((node) => node.name))];
      for (const [name, values] of Object.entries(properties).filter(([name]) => /^[\w.-]+$/.test(name))) {
        names[`property.${name}:`] = values.map(({ value }) => value);
      }
    }
  }

  #suggest() {
    const word = this.#input.value.split(/\s+/).at(-1) ?? '';
    const known = this.#names ?? {};
    const qualifier = Object.keys(known).find((one) => word.startsWith(one));
    const choices = qualifier ? known[qualifier].map((name) => searchFor({ [qualifier.slice(0, -1)]: name }))
      : [...new Set([...QUALIFIERS, ...Object.keys(known)])];
    this.suggestions = word === '' ? [] : choices.filter((one) => one.startsWith(word) && one !== word).slice(0, MAX_SUGGESTIONS);
    this.active = -1;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { length } = this.suggestions;
    /** @type {Record<string, (() => void) | undefined>} */
    const actions = {
      ArrowDown: () => { this.active = (this.active + 1) % length; },
      ArrowUp: () => { this.active = (this.active <= 0 ? length : this.active) - 1; },
      Escape: () => { this.suggestions = []; },
      Enter: this.active >= 0 ? () => this.#accept(this.suggestions[this.active]) : undefined,
    };
    const action = length ? actions[event.key] : undefined;
    if (action) {
      event.preventDefault();
      action();
    }
  }

  /** @param {string} suggestion */
  #accept(suggestion) {
    this.#input.value = this.#input.value.replace(/\S*$/, suggestion);
    this.suggestions = [];
    this.#input.focus();
  }

  render() {
    const { suggestions } = this;
    return html`
      <form class="search" role="search" @submit=${this.#submit}>
        <label class="hidden" for="search">Search jobs</label>
        <input id="search" data-search type="search" role="combobox" aria-autocomplete="list" aria-controls="suggestions"
          aria-expanded=${suggestions.length ? 'true' : 'false'}
          aria-activedescendant=${suggestions[this.active] ? `suggestion-${this.active}` : nothing}
          size="48" autocomplete="off" spellcheck="false" placeholder='queue:mail type:invoice.* error:"timeout" age>1h'
          .value=${this.value} @focus=${this.#loadNames} @input=${this.#suggest} @keydown=${this.#onKey}>
        <button>${icon('search')} Search</button>
      </form>
      <div id="suggestions" class="tabs" role="listbox" aria-label="Suggestions" ?hidden=${!suggestions.length}>
        ${suggestions.map((suggestion, i) => html`
          <button id="suggestion-${i}" role="option" aria-selected=${i === this.active ? 'true' : 'false'} tabindex="-1"
            class="quiet mono" @click=${() => this.#accept(suggestion)}>${suggestion}</button>`)}</div>`;
  }
}

customElements.define('readpast-job-search', JobSearch);
