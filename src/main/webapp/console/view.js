import { LitElement } from '../vendor/lit-3.3.3/lit.js';
import { subscribe } from './events.js';
import { href } from './route.js';

export * from '../vendor/lit-3.3.3/lit.js';

const ROLES = ['NONE', 'VIEWER', 'OPERATOR', 'ADMIN'];

/** An element of the console: in the page's own tree, so that labels, styles and ids reach it. */
export class View extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/**
 * A page: loads what it shows, again whenever the address changes or something has happened, and
 * says what went wrong. A subclass has `load(signal)`, which sets properties, and `view()`.
 */
export class Page extends View {
  static properties = {
    route: { attribute: false },
    session: { attribute: false },
    failure: { state: true },
    loaded: { state: true },
  };

  /** Of what it shows something: it looks again when the server says that this has changed. */
  static topics = ['jobs', 'queues', 'nodes'];

  /** How often it looks by itself, in ms: ages grow although nothing happens. */
  get pace() {
    return 10_000;
  }

  /** No more often than this, in ms, however much happens. */
  static rest = 1_000;

  #looked = 0;
  #loading = false;
  #missed = false;
  #timer;
  #abort;
  #address;
  #subject;

  connectedCallback() {
    super.connectedCallback();
    this.wake = () => this.refresh();
    this.resized = () => this.updated();
    document.addEventListener('visibilitychange', this.wake);
    addEventListener('resize', this.resized);
    this.unsubscribe = subscribe((topics, counters) => {
      if (topics.some((topic) => this.constructor.topics.includes(topic))) {
        this.happened(counters);
      }
    });
  }

  /** Something has changed; what exactly, a page may look at. */
  happened() {
    if (this.#loading) {
      // To begin anew each time would never end where much happens and answers are slow.
      this.#missed = true;
      return;
    }
    const rest = this.constructor.rest - (Date.now() - this.#looked);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refresh(), Math.max(0, rest));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.wake);
    removeEventListener('resize', this.resized);
    this.unsubscribe();
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

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
          this.left();
        }
        this.refresh();
      }
    }
  }

  /** Another thing is to be shown now: what was begun with the last one ends. */
  left() {}

  /** A table wider than the window can be moved with the arrow keys too. */
  updated() {
    for (const scroller of this.querySelectorAll('.scroll')) {
      const wide = scroller.scrollWidth > scroller.clientWidth;
      if (wide !== scroller.hasAttribute('tabindex')) {
        wide ? scroller.setAttribute('tabindex', '0') : scroller.removeAttribute('tabindex');
      }
    }
  }

  /** In a queue; without one: in any. */
  has(role, queue) {
    const { others, queues } = this.session;
    const own = queue === undefined ? [others, ...Object.values(queues)] : [queues[queue] ?? others];
    return own.some((one) => ROLES.indexOf(one) >= ROLES.indexOf(role));
  }

  /** An operator of some queue. */
  get operates() {
    return this.has('OPERATOR');
  }

  /** May do everything. */
  get administers() {
    return this.session.others === 'ADMIN';
  }

  /** Sees more than single queues. */
  get general() {
    return this.session.others !== 'NONE';
  }

  /** Loads anew. A hidden tab rests until it is looked at again. */
  async refresh() {
    clearTimeout(this.#timer);
    if (document.hidden && this.loaded) {
      return;
    }
    this.#looked = Date.now();
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.#loading = true;
    this.#missed = false;
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
      const { rest } = this.constructor;
      this.#timer = setTimeout(() => this.refresh(), this.failure ? 5_000 : this.#missed ? rest : this.pace);
    }
  }
}
