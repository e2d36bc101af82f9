// @ts-check
import { get, url } from './api.js';
import { compact, STATES } from './format.js';
import { icon } from './parts.js';
import { escaped } from './json.js';
import { href } from './route.js';
import { canAdd, valuesIn, withValues } from './search.js';
import { html, nothing, View } from './view.js';

/** Specifies the shortest time between two counts of the same search, in ms. */
const MIN_INTERVAL = 10_000;
const WIDE = matchMedia('(min-width: 1180px)');

/** @typedef {{value: string, count: number}} Facet */

/**
 * Shows the most frequent values of the jobs that match a search. A click on a value narrows the
 * search, and another click widens it again. Once a value is selected, a click on one of the other
 * values that were listed before adds that value.
 */
class Facets extends View {
  static properties = {
    query: { attribute: false },
    state: { attribute: false },
    order: { attribute: false },
    /** Changes when the list of jobs has been loaded. */
    jobs: { attribute: false },
    facets: { state: true },
  };

  #counted = '';
  #countedAt = 0;
  /** @type {AbortController | undefined} */
  #abort;
  /**
   * Holds the last values of each qualifier that were listed while the search had no such
   * qualifier.
   *
   * @type {Record<string, string[]>}
   */
  #unselected = {};

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
   * Returns links for the values of a qualifier, by which the search is narrowed or widened.
   *
   * @param {string} title
   * @param {string} qualifier
   * @param {Facet[]} facets
   */
  #values(title, qualifier, facets) {
    const chosen = valuesIn(this.query, qualifier);
    const listed = facets.map(({ value }) => value);
    if (!chosen.length) {
      this.#unselected[qualifier] = listed;
    }
    const address = (/** @type {string[]} */ values) => this.#address({ q: withValues(this.query, qualifier, values) });
    const links = facets.map(({ value, count }) => {
      if (chosen.includes(value)) {
        return this.#link(value, value, compact(count), true, address(chosen.filter((one) => one !== value)));
      }
      // A value that matches a selected beginning of a type replaces it.
      const adds = canAdd(this.query, qualifier, value) && !chosen.some((one) => one.endsWith('*'));
      return this.#link(value, value, compact(count), false, address(adds ? [...chosen, value] : [value]));
    });
    const others = (this.#unselected[qualifier] ?? [])
      .filter((value) => !listed.includes(value) && !chosen.includes(value) && canAdd(this.query, qualifier, value))
      .map((value) => this.#link(value, value, icon('plus'), false, address([...chosen, value])));
    return this.#group(title, [...links, ...others]);
  }

  /** @param {Facet} facet */
  #state({ value, count }) {
    const selected = this.state === value;
    return this.#link(STATES[value]?.label ?? value, value, compact(count), selected,
      this.#address({ state: selected ? '' : value }));
  }

  /** @param {{q?: string, state?: string}} changes */
  #address(changes) {
    return href('jobs', [], { q: this.query, state: this.state, order: this.order, ...changes });
  }

  /** @param {string} label @param {string} title @param {unknown} count @param {boolean} selected @param {string} address */
  #link(label, title, count, selected, address) {
    return html`<li><a href=${address} aria-current=${selected ? 'true' : nothing} title=${escaped(title)}>
      <span class="cut">${escaped(label)}</span><span class="count">${selected ? icon('x') : count}</span></a></li>`;
  }

  /** @param {string} title @param {unknown[]} links */
  #group(title, links) {
    return links.length ? html`<section aria-label=${title}><h2>${title}</h2><ul>${links}</ul></section>` : nothing;
  }

  render() {
    const { facets } = this;
    return html`
      <details class="card facets" ?open=${WIDE.matches}><summary>Filters</summary>
        ${facets ? html`
          ${this.#values('Queue', 'queue', facets.queues)}
          ${this.#values('Type', 'type', facets.types)}
          ${this.#group('State', facets.states.map((facet) => this.#state(facet)))}
          ${this.#values('Priority', 'priority', facets.priorities)}
          ${this.#values('Node', 'node', facets.nodes)}
          ${Object.entries(facets.properties).filter(([name]) => /^[\w.-]+$/.test(name))
            .map(([name, values]) => this.#values(name, `property.${name}`, values))}
          ${facets.complete ? nothing : html`<p class="faint">Counts of the newest ${compact(facets.jobs)} matching jobs.</p>`}`
          : nothing}
      </details>`;
  }
}

customElements.define('readpast-facets', Facets);
