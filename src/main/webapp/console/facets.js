// @ts-check
import { get, url } from './api.js';
import { compact, STATES } from './format.js';
import { icon } from './parts.js';
import { escaped } from './json.js';
import { href } from './route.js';
import { valueIn, withValue } from './search.js';
import { html, nothing, View } from './view.js';

/** The shortest time between two counts of the same search, in ms. */
const MIN_INTERVAL = 10_000;
const WIDE = matchMedia('(min-width: 1180px)');

/** @typedef {{value: string, count: number}} Facet */

/**
 * The most frequent values of the jobs that match a search. A click on a value narrows the search,
 * and another click widens it again.
 */
class Facets extends View {
  static properties = {
    query: { attribute: false },
    state: { attribute: false },
    order: { attribute: false },
    /** a value that changes when the list of jobs has been loaded */
    jobs: { attribute: false },
    facets: { state: true },
  };

  #counted = '';
  #countedAt = 0;
  /** @type {AbortController | undefined} */
  #abort;

  constructor() {
    super();
    this.query = '';
    this.state = '';
    this.order = '';
    /** @type {Api.Job[]} */
    this.jobs = [];
    /** @type {Api.JobFacets | null} */
    this.facets = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#abort?.abort();
  }

  willUpdate() {
    const search = url(['jobs', 'facets'], { q: this.query, state: this.state });
    if (search !== this.#counted || Date.now() - this.#countedAt > MIN_INTERVAL) {
      this.#counted = search;
      this.#countedAt = Date.now();
      this.#load(search);
    }
  }

  /** @param {string} search */
  async #load(search) {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const facets = await get(search, { signal: abort.signal });
      if (!abort.signal.aborted) {
        this.facets = facets;
      }
    } catch {
      // The list of jobs reports the error, because it runs the same search.
      this.facets = abort.signal.aborted ? this.facets : null;
    }
  }

  /**
   * Returns a link that adds the value of a qualifier to the search.
   *
   * @param {string} qualifier
   * @param {Facet} facet
   */
  #value(qualifier, { value, count }) {
    const selected = valueIn(this.query, qualifier) === value;
    return this.#link(value, value, count, selected,
      this.#address({ q: withValue(this.query, qualifier, selected ? null : value) }));
  }

  /** @param {Facet} facet */
  #state({ value, count }) {
    const selected = this.state === value;
    return this.#link(STATES[value]?.label ?? value, value, count, selected,
      this.#address({ state: selected ? '' : value }));
  }

  /** @param {{q?: string, state?: string}} changes */
  #address(changes) {
    return href('jobs', [], { q: this.query, state: this.state, order: this.order, ...changes });
  }

  /** @param {string} label @param {string} title @param {number} count @param {boolean} selected @param {string} address */
  #link(label, title, count, selected, address) {
    return html`<li><a href=${address} aria-current=${selected ? 'true' : nothing} title=${escaped(title)}>
      <span class="cut">${escaped(label)}</span><span class="count">${selected ? icon('x') : compact(count)}</span></a></li>`;
  }

  /** @param {string} title @param {Facet[]} facets @param {(facet: Facet) => unknown} link */
  #group(title, facets, link) {
    return facets.length ? html`<section aria-label=${title}><h2>${title}</h2><ul>${facets.map(link)}</ul></section>` : nothing;
  }

  render() {
    const { facets } = this;
    const of = (/** @type {string} */ qualifier) => (/** @type {Facet} */ facet) => this.#value(qualifier, facet);
    return html`
      <details class="card facets" ?open=${WIDE.matches}><summary>Filters</summary>
        ${facets ? html`
          ${this.#group('Queue', facets.queues, of('queue'))}
          ${this.#group('Type', facets.types, of('type'))}
          ${this.#group('State', facets.states, (facet) => this.#state(facet))}
          ${this.#group('Priority', facets.priorities, of('priority'))}
          ${this.#group('Node', facets.nodes, of('node'))}
          ${Object.entries(facets.properties).filter(([name]) => /^[\w.-]+$/.test(name))
            .map(([name, values]) => this.#group(name, values, of(`property.${name}`)))}
          ${facets.complete ? nothing : html`<p class="faint">Counts of the newest ${compact(facets.jobs)} matching jobs.</p>`}`
          : nothing}
      </details>`;
  }
}

customElements.define('readpast-facets', Facets);
