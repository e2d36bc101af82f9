// @ts-check
import { provider, session, signIn } from './api.js';
import { failed, icon } from './parts.js';
import { html, nothing, View } from './view.js';

/** Shows the form that asks for a name and a password, and links to the OpenID provider. */
class SignIn extends View {
  static properties = { name: { attribute: false }, failure: { state: true }, busy: { state: true } };

  #onFocus = async () => {
    // The user may have signed in at the provider in another window.
    const current = await session().catch(() => null);
    if (current && this.isConnected) {
      this.#signedIn(current);
    }
  };

  constructor() {
    super();
    /** @type {string | undefined} */
    this.name = undefined;
    /** @type {Error | null} */
    this.failure = null;
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('focus', this.#onFocus);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('focus', this.#onFocus);
  }

  /** @param {Api.Session | null} session */
  #signedIn(session) {
    this.dispatchEvent(new CustomEvent('signed-in', { detail: session }));
  }

  firstUpdated() {
    /** @type {HTMLElement} */ (this.querySelector(this.name ? '[name=password]' : 'input')).focus();
  }

  /** @param {any} event */
  async #submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    this.busy = true;
    this.failure = null;
    try {
      this.#signedIn(await signIn(String(form.get('name')), String(form.get('password'))));
    } catch (error) {
      this.failure = error;
      this.busy = false;
      await this.updateComplete;
      /** @type {HTMLInputElement} */ (this.querySelector('[name=password]')).select();
    }
  }

  render() {
    return html`
      <form @submit=${this.#submit}>
        <img src="icon.svg" alt="" width="40" height="40">
        ${this.name
          ? html`<h2 id="ended">Your session has ended</h2><p>Sign in again to continue. Nothing you have typed is lost.</p>`
          : html`<h1>Readpast</h1>`}
        ${failed(this.failure)}
        <label>Name <input name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required .value=${this.name ?? ''}></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
        <button class="primary" ?disabled=${this.busy}>Sign in ${icon('arrow-right')}</button>
        ${this.#providerLink()}
      </form>`;
  }

  /**
   * Returns a link to the provider's page, which opens in another window if the session has ended,
   * so that this page keeps its state.
   */
  #providerLink() {
    return provider()
      ? html`<a class="button" href="oidc" target=${this.name ? '_blank' : '_self'} @click=${(/** @type {any} */ event) => {
          event.currentTarget.href = `oidc?page=${encodeURIComponent(location.hash)}`;
        }}>Sign in with ${provider()} ${icon('arrow-right')}</a>`
      : nothing;
  }
}

/**
 * Shows the form above the page; resolves to the new session, or null if the user closes the form.
 *
 * @param {string} name
 * @returns {Promise<Api.Session | null>}
 */
export function signInAgain(name) {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog sign-in';
    dialog.setAttribute('aria-labelledby', 'ended');
    const form = Object.assign(document.createElement('readpast-sign-in'), { name });
    /** @type {Api.Session | null} */
    let session = null;
    form.addEventListener('signed-in', (/** @type {any} */ event) => {
      session = event.detail;
      dialog.close();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(session);
    });
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
  });
}

customElements.define('readpast-sign-in', SignIn);
