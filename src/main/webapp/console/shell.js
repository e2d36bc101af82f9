import { session, signOut, whenSignedOut } from './api.js';
import { start, stop } from './events.js';
import { act, failed, icon, skeleton } from './parts.js';
import { current, go, href } from './route.js';
import { html, nothing, View } from './view.js';

const PAGES = [
  { name: 'overview', label: 'Overview', icon: 'gauge', key: 'o' },
  { name: 'jobs', label: 'Jobs', icon: 'list', key: 'j' },
  { name: 'queues', label: 'Queues', icon: 'layers', key: 'q' },
  { name: 'batches', label: 'Batches', icon: 'workflow', key: 'b' },
  { name: 'schedules', label: 'Schedules', icon: 'calendar-clock', key: 's' },
  { name: 'nodes', label: 'Nodes', icon: 'server', key: 'n', general: true },
  { name: 'audit', label: 'Audit', icon: 'file-text', key: 'a' },
  { name: 'about', label: 'About', icon: 'info', key: 'i', general: true },
];
/** Dark, light, or as the system has it. */
const THEME = 'readpast.theme';
const THEMES = { system: 'monitor', light: 'sun', dark: 'moon' };

const theme = () => localStorage.getItem(THEME) ?? 'system';

/** Says so too: what is drawn on a canvas has its colours from then. */
function apply() {
  document.documentElement.dataset.theme = theme();
  dispatchEvent(new Event('themechange'));
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);

/** The frame around every page: who is signed in, where one is, where one can go. */
class Console extends View {
  static properties = {
    session: { state: true },
    route: { state: true },
    failure: { state: true },
    more: { state: true },
    page: { state: true },
  };

  #going = false;
  #leaving = false;
  #seeking = false;
  #arrivals = 0;

  constructor() {
    super();
    this.route = current();
    apply();
    whenSignedOut(() => this.#signInAgain(), (session) => this.#become(session));
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('hashchange', () => this.#arrive());
    addEventListener('keydown', (event) => this.#key(event));
    this.#enter();
  }

  async #enter() {
    try {
      this.session = await session();
      this.failure = null;
    } catch (error) {
      this.failure = error;
      setTimeout(() => this.#enter(), 3_000);
    }
    this.#arrive();
  }

  /** Above the page, which stays as it is. */
  async #signInAgain() {
    const name = this.session?.name;
    if (name && !this.#leaving) {
      const { signInAgain } = await import('./sign-in.js');
      const session = await signInAgain(name);
      if (session?.name === name) {
        this.session = session;
      } else {
        this.#become(session);
      }
    }
  }

  /** Nothing that was shown to one person stays for another. */
  async #become(session) {
    this.session = session;
    this.page = null;
    await this.updateComplete;
    this.#arrive();
  }

  async #arrive() {
    const route = current();
    const known = this.#pages().find((page) => page.name === route.page) ?? PAGES[0];
    const name = known.name === 'jobs' && route.parts.length ? 'job' : known.name;
    if (this.session) {
      const arrival = ++this.#arrivals;
      await import(`./pages/${name}.js`);
      if (arrival !== this.#arrivals) {
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
      // What is sought is asked for as soon as it is there.
      await this.querySelector('main > *')?.updateComplete;
      (this.#seeking && this.#field() || this.querySelector('main'))?.focus({ preventScroll: true });
      this.#seeking = false;
    }
  }

  #key(event) {
    const typing = event.target.closest?.('input, textarea, select, dialog');
    if (!this.session || typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const page = this.#going && this.#pages().find((candidate) => candidate.key === event.key);
    this.#going = event.key === 'g';
    if (page) {
      go(page.name);
    } else if (event.key === '?') {
      this.#sheet();
    } else if (event.key === '/') {
      event.preventDefault();
      this.#seeking = !this.#field();
      this.#seeking ? go('jobs') : this.#field().focus();
    }
  }

  #pages() {
    return this.session?.others === 'NONE' ? PAGES.filter((page) => !page.general) : PAGES;
  }

  #field() {
    return this.querySelector('[data-search]');
  }

  render() {
    if (this.session === undefined) {
      return html`<main class="sign-in">${failed(this.failure) === nothing ? skeleton(3) : failed(this.failure)}</main>`;
    }
    if (this.session === null) {
      return html`<main class="sign-in"><readpast-sign-in @signed-in=${(event) => this.#become(event.detail)}></readpast-sign-in></main>`;
    }
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>Skip to the page</a>
      <header class="bar">
        <a class="brand" href="#/overview"><img src="icon.svg" alt="" width="24" height="24"> Readpast</a>
        <span class="grow"></span>
        <a href="docs/" title="Documentation" aria-label="Documentation">${icon('file-text')}</a>
        ${this.#themes()}
        <button class="quiet" title="Keyboard shortcuts" @click=${this.#sheet}>
          ${icon('keyboard')}<span class="label">Shortcuts</span></button>
        <span class="who">${icon('user')}${this.session.name}</span>
        <button class="quiet" @click=${this.#leave}>${icon('log-out')}<span class="label">Sign out</span></button>
      </header>
      <nav class="side" aria-label="Pages" ?data-more=${this.more}>
        ${this.#pages().map((page) => html`
          <a href=${href(page.name)} aria-current=${page.name === this.route.page ? 'page' : nothing}>
            ${icon(page.icon)}<span>${page.label}</span></a>`)}
        <button aria-expanded=${this.more ? 'true' : 'false'} @click=${() => { this.more = !this.more; }}>${icon('ellipsis')}More</button>
      </nav>
      <main id="main" tabindex="-1">${this.#shown()}</main>
      <div id="announcements" role="status" aria-live="polite"></div>`;
  }

  #shown() {
    const { session: signedIn, route } = this;
    switch (this.page) {
      case 'overview':
        return html`<readpast-overview .session=${signedIn} .route=${route}></readpast-overview>`;
      case 'jobs':
        return html`<readpast-jobs .session=${signedIn} .route=${route}></readpast-jobs>`;
      case 'job':
        return html`<readpast-job .session=${signedIn} .route=${route}></readpast-job>`;
      case 'queues':
        return html`<readpast-queues .session=${signedIn} .route=${route}></readpast-queues>`;
      case 'batches':
        return html`<readpast-batches .session=${signedIn} .route=${route}></readpast-batches>`;
      case 'schedules':
        return html`<readpast-schedules .session=${signedIn} .route=${route}></readpast-schedules>`;
      case 'nodes':
        return html`<readpast-nodes .session=${signedIn} .route=${route}></readpast-nodes>`;
      case 'audit':
        return html`<readpast-audit .session=${signedIn} .route=${route}></readpast-audit>`;
      case 'about':
        return html`<readpast-about .session=${signedIn} .route=${route}></readpast-about>`;
      default:
        return skeleton();
    }
  }

  #themes() {
    const choices = Object.keys(THEMES);
    const now = theme();
    const next = choices[(choices.indexOf(now) + 1) % choices.length];
    return html`<button class="quiet" title="Theme: ${now}; change to ${next}" @click=${() => {
      localStorage.setItem(THEME, next);
      apply();
      this.requestUpdate();
    }}>${icon(THEMES[now])}<span class="label">Theme: ${now}</span></button>`;
  }

  async #sheet() {
    (await import('./shortcuts.js')).show(this.#pages());
  }

  #skip(event) {
    event.preventDefault();
    this.querySelector('#main').focus();
  }

  async #leave() {
    this.#leaving = true;
    const ended = await act(async () => ({ elsewhere: await signOut() }));
    if (ended?.elsewhere) {
      location.assign(ended.elsewhere);
    } else if (ended) {
      this.session = null;
    }
    this.#leaving = false;
  }

  updated(changed) {
    if (changed.has('session')) {
      stop();
      this.session && start();
      if (changed.get('session')?.name !== this.session?.name) {
        // Not in the name of another.
        document.querySelector('readpast-bulk')?.remove();
      }
    }
    if (changed.has('session') && this.session === null) {
      import('./sign-in.js');
    }
  }
}

customElements.define('readpast-console', Console);
