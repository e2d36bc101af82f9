import { session, signOut, whenSignedOut } from './api.js';
import { start, stop } from './events.js';
import { act, failed, icon, skeleton } from './parts.js';
import { current, go, href } from './route.js';
import { apply, setTheme, theme } from './theme.js';
import { html, nothing, View } from './view.js';

const PAGES = [
  { name: 'overview', label: 'Overview', icon: 'gauge', key: 'o' },
  { name: 'jobs', label: 'Jobs', icon: 'list', key: 'j' },
  { name: 'queues', label: 'Queues', icon: 'layers', key: 'q' },
  { name: 'batches', label: 'Batches', icon: 'workflow', key: 'b' },
  { name: 'schedules', label: 'Schedules', icon: 'calendar-clock', key: 's' },
  { name: 'nodes', label: 'Nodes', icon: 'server', key: 'n' },
  { name: 'audit', label: 'Audit', icon: 'file-text', key: 'a' },
  { name: 'about', label: 'About', icon: 'info', key: 'i' },
];
const THEMES = { system: 'monitor', light: 'sun', dark: 'moon' };

/** The frame around every page: who is signed in, where one is, where one can go. */
class Console extends View {
  static properties = {
    session: { state: true },
    route: { state: true },
    failure: { state: true },
    shortcuts: { state: true },
    page: { state: true },
  };

  #going = false;
  #arrivals = 0;

  constructor() {
    super();
    this.route = current();
    apply();
    whenSignedOut(() => {
      this.session = null;
    });
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

  async #arrive() {
    const route = current();
    const known = PAGES.find((page) => page.name === route.page) ?? PAGES[0];
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
    document.title = `${known.label} · Readpast`;
    if (moved) {
      await this.updateComplete;
      this.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      this.querySelector('main')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  #key(event) {
    const typing = event.target.closest?.('input, textarea, select, dialog');
    if (!this.session || typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const page = this.#going && PAGES.find((candidate) => candidate.key === event.key);
    this.#going = event.key === 'g';
    if (page) {
      go(page.name);
    } else if (event.key === '?') {
      this.querySelector('#shortcuts').showModal();
    } else if (event.key === '/') {
      const search = this.querySelector('[data-search]');
      if (search) {
        event.preventDefault();
        search.focus();
      } else {
        event.preventDefault();
        go('jobs');
      }
    }
  }

  render() {
    if (this.session === undefined) {
      return html`<main class="sign-in">${failed(this.failure) === nothing ? skeleton(3) : failed(this.failure)}</main>`;
    }
    if (this.session === null) {
      return html`<readpast-sign-in @signed-in=${(event) => {
        this.session = event.detail;
        this.#arrive();
      }}></readpast-sign-in>`;
    }
    return html`
      <a class="skip" href="#main" @click=${this.#skip}>Skip to the page</a>
      <header class="bar">
        <a class="brand" href="#/overview"><img src="icon.svg" alt="" width="24" height="24"> Readpast</a>
        <span class="grow"></span>
        ${this.#themes()}
        <button class="quiet" title="Keyboard shortcuts" @click=${() => this.querySelector('#shortcuts').showModal()}>
          ${icon('keyboard')}<span class="label">Shortcuts</span></button>
        <span class="who">${icon('user')}${this.session.name}</span>
        <button class="quiet" @click=${this.#leave}>${icon('log-out')}<span class="label">Sign out</span></button>
      </header>
      <nav class="side" aria-label="Pages">
        ${PAGES.map((page) => html`
          <a href=${href(page.name)} aria-current=${page.name === this.route.page ? 'page' : nothing}>
            ${icon(page.icon)}<span>${page.label}</span></a>`)}
      </nav>
      <main id="main" tabindex="-1">${this.#shown()}</main>
      <div id="announcements" role="status" aria-live="polite"></div>
      ${this.#sheet()}`;
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
      setTheme(next);
      this.requestUpdate();
    }}>${icon(THEMES[now])}<span class="label">Theme: ${now}</span></button>`;
  }

  #sheet() {
    return html`
      <dialog id="shortcuts" class="dialog" aria-labelledby="shortcuts-title">
        <h2 id="shortcuts-title">Keyboard shortcuts</h2>
        <dl class="keys">
          ${PAGES.map((page) => html`<div><dt><kbd>g</kbd> <kbd>${page.key}</kbd></dt><dd>${page.label}</dd></div>`)}
          <div><dt><kbd>/</kbd></dt><dd>Search</dd></div>
          <div><dt><kbd>?</kbd></dt><dd>This sheet</dd></div>
          <div><dt><kbd>Esc</kbd></dt><dd>Close what is open</dd></div>
        </dl>
        <form method="dialog" class="actions"><button class="primary">Close</button></form>
      </dialog>`;
  }

  #skip(event) {
    event.preventDefault();
    this.querySelector('#main').focus();
  }

  async #leave() {
    await act(signOut);
    this.session = null;
  }

  updated(changed) {
    if (changed.has('session')) {
      (this.session ? start : stop)();
    }
    if (changed.has('session') && this.session === null) {
      import('./sign-in.js');
    }
  }
}

customElements.define('readpast-console', Console);
