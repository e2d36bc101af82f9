// @ts-check
import { session, signOut, whenSignedOut } from './api.js';
import { paused, start, stop, togglePause } from './events.js';
import { act, announce, failed, icon, skeleton } from './parts.js';
import { current, go, href } from './route.js';
import { html, nothing, View } from './view.js';

/**
 * Lists the pages in the navigation.
 *
 * @type {{name: string, label: string, icon: string, key: string, one?: string, general?: boolean}[]}
 * `one` is the page of a single object; `general` pages are hidden from users that see single queues only.
 */
const PAGES = [
  { name: 'overview', label: 'Overview', icon: 'gauge', key: 'o' },
  { name: 'jobs', label: 'Jobs', icon: 'list', key: 'j', one: 'job' },
  { name: 'queues', label: 'Queues', icon: 'layers', key: 'q' },
  { name: 'batches', label: 'Batches', icon: 'workflow', key: 'b' },
  { name: 'schedules', label: 'Schedules', icon: 'calendar-clock', key: 's', one: 'schedule' },
  { name: 'nodes', label: 'Nodes', icon: 'server', key: 'n', general: true },
  { name: 'audit', label: 'Audit', icon: 'file-text', key: 'a' },
  { name: 'about', label: 'About', icon: 'info', key: 'i', general: true },
];
/**
 * Describes the page for addresses that do not exist.
 *
 * @type {{name: string, label: string, one?: string}}
 */
const MISSING = { name: 'missing', label: 'Page not found' };
/** Names the key under which the user's choice of a theme is stored. */
const THEME = 'readpast.theme';
/** @type {Record<string, string>} */
const THEMES = { system: 'monitor', light: 'sun', dark: 'moon' };

const theme = () => localStorage.getItem(THEME) ?? 'system';

/** Applies the theme, and notifies the charts, because a canvas does not follow style sheets. */
function applyTheme() {
  document.documentElement.dataset.theme = theme();
  dispatchEvent(new Event('themechange'));
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);

/** Shows the frame around every page: the user, the navigation and the current page. */
class Console extends View {
  static properties = {
    session: { state: true },
    route: { state: true },
    failure: { state: true },
    more: { state: true },
    page: { state: true },
  };

  #goPressed = false;
  #signingOut = false;
  #searchRequested = false;
  #navigations = 0;
  /** @type {HTMLElement | null} */
  #element = null;

  constructor() {
    super();
    this.route = current();
    /** @type {Api.Session | null | undefined} */
    this.session = undefined;
    /** @type {Error | null} */
    this.failure = null;
    /** @type {string | null} */
    this.page = null;
    this.more = false;
    applyTheme();
    whenSignedOut(() => this.#signInAgain(), (session) => this.#switchTo(session));
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('hashchange', () => this.#navigate());
    addEventListener('keydown', (event) => this.#key(event));
    this.#start();
  }

  async #start() {
    try {
      this.session = await session();
      this.failure = null;
    } catch (error) {
      this.failure = error;
      setTimeout(() => this.#start(), 3_000);
    }
    this.#navigate();
  }

  /** Shows the sign-in form above the page, which keeps its state. */
  async #signInAgain() {
    const name = this.session?.name;
    if (name && !this.#signingOut) {
      const { signInAgain } = await import('./sign-in.js');
      const session = await signInAgain(name);
      if (session?.name === name) {
        this.session = session;
      } else {
        this.#switchTo(session);
      }
    }
  }

  /**
   * Changes the user, and discards all data that was shown to the previous user.
   *
   * @param {Api.Session | null} session
   */
  async #switchTo(session) {
    this.session = session;
    this.page = null;
    await this.updateComplete;
    this.#navigate();
  }

  async #navigate() {
    const route = current();
    const known = this.#pages().find((page) => page.name === route.page) ?? MISSING;
    const name = known.one && route.parts.length ? known.one : known.name;
    if (this.session) {
      const navigation = ++this.#navigations;
      await import(`./pages/${name}.js`);
      if (navigation !== this.#navigations) {
        return;
      }
    }
    const moved = this.page !== name;
    this.route = route;
    this.page = name;
    const [subject = route.query.get('queue')] = route.parts;
    document.title = `${subject ? `${subject} · ` : ''}${known.label} · Readpast`;
    this.more = false;
    if (moved) {
      await this.updateComplete;
      scrollTo(0, 0);
      // The search field exists only after the page was rendered for the first time.
      await /** @type {View | null} */ (this.#element)?.updateComplete;
      const target = this.#searchRequested && this.#searchField() || this.querySelector('main');
      target?.focus({ preventScroll: true });
      this.#searchRequested = false;
    }
  }

  /** @param {any} event */
  #key(event) {
    const typing = event.target.closest?.('input, textarea, select, dialog');
    if (!this.session || typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const page = this.#goPressed && this.#pages().find((candidate) => candidate.key === event.key);
    this.#goPressed = event.key === 'g';
    if (page) {
      go(page.name);
    } else if (event.key === '?') {
      this.#showShortcuts();
    } else if (event.key === 'p') {
      this.#pause();
    } else if (event.key === '/') {
      event.preventDefault();
      this.#searchRequested = !this.#searchField();
      this.#searchRequested ? go('jobs') : this.#searchField()?.focus();
    }
  }

  #pages() {
    return this.session?.others === 'NONE' ? PAGES.filter((page) => !page.general) : PAGES;
  }

  /** @returns {HTMLElement | null} */
  #searchField() {
    return this.querySelector('[data-search]');
  }

  render() {
    if (this.session === undefined) {
      return html`<main class="sign-in">${this.failure ? failed(this.failure) : skeleton(3)}</main>`;
    }
    if (this.session === null) {
      const onSignedIn = (/** @type {CustomEvent} */ event) => this.#switchTo(event.detail);
      return html`<main class="sign-in"><readpast-sign-in @signed-in=${onSignedIn}></readpast-sign-in></main>`;
    }
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>Skip to content</a>
      <header class="bar">
        <a class="brand" href="#/overview"><img src="icon.svg" alt="" width="24" height="24"> Readpast</a>
        <span class="grow"></span>
        <a href="docs/" title="Documentation" aria-label="Documentation">${icon('file-text')}</a>
        <button class="quiet ${paused() ? 'paused' : ''}" title="${paused() ? 'Resume' : 'Pause'} updates" @click=${this.#pause}>
          ${icon(paused() ? 'play' : 'pause')}<span class="label">${paused() ? 'Resume' : 'Pause'} updates</span></button>
        ${this.#themes()}
        <button class="quiet" title="Keyboard shortcuts" @click=${this.#showShortcuts}>
          ${icon('keyboard')}<span class="label">Shortcuts</span></button>
        <span class="who">${icon('user')}${this.session.name}</span>
        <button class="quiet" @click=${this.#signOut}>${icon('log-out')}<span class="label">Sign out</span></button>
      </header>
      <nav class="side" aria-label="Pages" ?data-more=${this.more}>
        ${this.#pages().map((page) => html`
          <a href=${href(page.name)} aria-current=${page.name === this.route.page ? 'page' : nothing}>
            ${icon(page.icon)}<span>${page.label}</span></a>`)}
        <button aria-expanded=${this.more ? 'true' : 'false'} @click=${() => { this.more = !this.more; }}>${icon('ellipsis')}More</button>
      </nav>
      <main id="main" tabindex="-1">${this.#pageElement(this.session)}</main>
      <div id="announcements" role="status" aria-live="polite"></div>`;
  }

  /**
   * Returns the element of the current page; all pages have the same properties.
   *
   * @param {Api.Session} session
   */
  #pageElement(session) {
    if (!this.page) {
      this.#element = null;
      return skeleton();
    }
    const name = `readpast-${this.page}`;
    if (this.#element?.localName !== name) {
      this.#element = document.createElement(name);
    }
    return Object.assign(this.#element, { session, route: this.route });
  }

  #themes() {
    const choices = Object.keys(THEMES);
    const now = theme();
    const next = choices[(choices.indexOf(now) + 1) % choices.length];
    return html`<button class="quiet" title="Theme: ${now}; change to ${next}" @click=${() => {
      localStorage.setItem(THEME, next);
      applyTheme();
      this.requestUpdate();
    }}>${icon(THEMES[now])}<span class="label">Theme: ${now}</span></button>`;
  }

  #pause() {
    togglePause();
    announce(`Updates ${paused() ? 'paused' : 'resumed'}`);
    this.requestUpdate();
  }

  async #showShortcuts() {
    (await import('./shortcuts.js')).show(this.#pages());
  }

  /** @param {Event} event */
  #skip(event) {
    event.preventDefault();
    /** @type {HTMLElement} */ (this.querySelector('#main')).focus();
  }

  async #signOut() {
    this.#signingOut = true;
    const ended = await act(async () => ({ continueAt: await signOut() }));
    if (ended?.continueAt) {
      location.assign(ended.continueAt);
    } else if (ended) {
      this.session = null;
    }
    this.#signingOut = false;
  }

  /** @param {Map<string, any>} changed */
  updated(changed) {
    if (changed.has('session')) {
      stop();
      this.session && start();
      if (changed.get('session')?.name !== this.session?.name) {
        // A bulk change must not continue under the name of another user.
        document.querySelector('readpast-bulk')?.remove();
      }
    }
    if (changed.has('session') && this.session === null) {
      import('./sign-in.js');
    }
  }
}

customElements.define('readpast-console', Console);
