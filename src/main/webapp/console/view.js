// @ts-check
import { LitElement } from '../vendor/lit-3.3.3/lit.js';
import { paused, subscribe } from './events.js';
import { current, href } from './route.js';

export * from '../vendor/lit-3.3.3/lit.js';

/**
 * Holds the session of an element to which its parent has not passed one yet.
 *
 * @type {Api.Session}
 */
export const NO_SESSION = { roles: [], others: 'NONE', queues: {} };

const ROLES = ['NONE', 'VIEWER', 'OPERATOR', 'ADMIN'];

/**
 * Represents an element of the console. Elements have no shadow tree, so that labels, styles and
 * ids work across elements.
 */
export class View extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/**
 * Returns true if the user has a role in a queue, or in any queue if none is given.
 *
 * @param {Pick<Api.Session, 'others' | 'queues'>} session
 * @param {string} role
 * @param {string} [queue]
 */
export function hasRole({ others, queues }, role, queue) {
  const own = queue === undefined ? [others, ...Object.values(queues)] : [queues[queue] ?? others];
  return own.some((one) => ROLES.indexOf(one) >= ROLES.indexOf(role));
}

/**
 * Represents a page. A page loads its data, loads it again when the address changes or the server
 * reports a change, and shows errors. A subclass implements `load(signal)`, which sets properties.
 */
export class Page extends View {
  static properties = {
    route: { attribute: false },
    session: { attribute: false },
    failure: { state: true },
    loaded: { state: true },
  };

  /** Lists the topics of server events after which the page loads its data again. */
  static topics = ['jobs', 'queues', 'nodes'];

  /** Specifies the shortest time between two loads that events cause, in ms. */
  static minInterval = 1_000;

  #loadedAt = 0;
  #loading = false;
  #changedMeanwhile = false;
  /** @type {number | undefined} */
  #timer;
  /** @type {AbortController | undefined} */
  #abort;
  /** @type {string | undefined} */
  #address;
  /** @type {string | undefined} */
  #subject;
  #onVisible = () => (paused() ? this.#refreshIn(this.interval) : this.refresh());
  #onResize = () => this.updated();
  /** @type {() => void} */
  #unsubscribe = () => {};

  constructor() {
    super();
    this.route = current();
    this.session = NO_SESSION;
    /** @type {Error | null} */
    this.failure = null;
    this.loaded = false;
  }

  /**
   * Returns the interval at which the page loads its data even without an event, in ms, because
   * relative times change.
   */
  get interval() {
    return 10_000;
  }

  /**
   * Loads the data of the page.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  async load(signal) {
    signal.throwIfAborted();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisible);
    addEventListener('resize', this.#onResize);
    const { topics } = /** @type {typeof Page} */ (this.constructor);
    this.#unsubscribe = subscribe((changed) => {
      if (changed.some((topic) => topics.includes(topic))) {
        this.#onChange();
      }
    });
  }

  #onChange() {
    if (this.#loading) {
      // The current load is not restarted, because it would never finish if events are frequent and
      // responses slow.
      this.#changedMeanwhile = true;
      return;
    }
    const { minInterval } = /** @type {typeof Page} */ (this.constructor);
    this.#refreshIn(Math.max(0, minInterval - (Date.now() - this.#loadedAt)));
  }

  /** @param {number} millis */
  #refreshIn(millis) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (paused() ? this.#refreshIn(millis) : this.refresh()), millis);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisible);
    removeEventListener('resize', this.#onResize);
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('route')) {
      const address = href(this.route.page, this.route.parts, Object.fromEntries(this.route.query));
      if (address !== this.#address) {
        this.#address = address;
        const subject = href(this.route.page, this.route.parts);
        if (subject !== this.#subject) {
          this.#subject = subject;
          this.loaded = false;
          this.failure = null;
          this.clear();
        }
        this.refresh();
      }
    }
  }

  /** Clears the state that belongs to the object that was shown before. */
  clear() {}

  /** Makes tables that are wider than the window scrollable with the arrow keys. */
  updated() {
    for (const scroller of this.querySelectorAll('.scroll')) {
      const wide = scroller.scrollWidth > scroller.clientWidth;
      if (wide !== scroller.hasAttribute('tabindex')) {
        wide ? scroller.setAttribute('tabindex', '0') : scroller.removeAttribute('tabindex');
      }
    }
  }

  /**
   * Returns true if the user has a role in a queue, or in any queue if none is given.
   *
   * @param {string} role
   * @param {string} [queue]
   */
  has(role, queue) {
    return hasRole(this.session, role, queue);
  }

  /** Returns true if the user is an operator of any queue. */
  get operates() {
    return this.has('OPERATOR');
  }

  /** Returns true if the user is an administrator of all unrestricted queues. */
  get administers() {
    return this.session.others === 'ADMIN';
  }

  /** Returns true if the user's role covers more than single queues. */
  get general() {
    return this.session.others !== 'NONE';
  }

  /** Loads the data again. In a hidden tab, loading waits until the tab is visible. */
  async refresh() {
    clearTimeout(this.#timer);
    if (document.hidden && this.loaded) {
      return;
    }
    this.#loadedAt = Date.now();
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.#loading = true;
    this.#changedMeanwhile = false;
    try {
      await this.load(abort.signal);
      this.failure = null;
      this.loaded = true;
    } catch (error) {
      if (error.name === 'AbortError' || abort.signal.aborted) {
        return;
      }
      this.failure = error;
    }
    if (abort.signal.aborted) {
      return;
    }
    this.#loading = false;
    if (this.isConnected) {
      const { minInterval } = /** @type {typeof Page} */ (this.constructor);
      this.#refreshIn(this.failure ? 5_000 : this.#changedMeanwhile ? minInterval : this.interval);
    }
  }
}
