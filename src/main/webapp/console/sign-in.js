import { provider, session, signIn } from './api.js';
import { failed, icon } from './parts.js';
import { html, nothing, View } from './view.js';

/** Asks for a name and a password, or sends to the OpenID provider. */
class SignIn extends View {
  static properties = { name: { attribute: false }, failure: { state: true }, busy: { state: true } };

  #returned = async () => {
    // Whoever has signed in at the provider has done so in another window, and comes back.
    const begun = await session().catch(() => null);
    if (begun && this.isConnected) {
      this.#tell(begun);
    }
  };

  connectedCallback() {
    super.connectedCallback();
    addEventListener('focus', this.#returned);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('focus', this.#returned);
  }

  #tell(begun) {
    this.dispatchEvent(new CustomEvent('signed-in', { detail: begun }));
  }

  firstUpdated() {
    this.querySelector(this.name ? '[name=password]' : 'input').focus();
  }

  async #submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    this.busy = true;
    this.failure = null;
    try {
      this.#tell(await signIn(form.get('name'), form.get('password')));
    } catch (error) {
      this.failure = error;
      this.busy = false;
      await this.updateComplete;
      this.querySelector('[name=password]').select();
    }
  }

  render() {
    return html`
      <form @submit=${this.#submit}>
        <img src="icon.svg" alt="" width="40" height="40">
        ${this.name ? html`<h2 id="ended">Your session has ended</h2><p>Sign in to go on where you are. What you have typed stays.</p>` : html`<h1>Readpast</h1>`}
        ${failed(this.failure)}
        <label>Name <input name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required .value=${this.name ?? ''}></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
        <button class="primary" ?disabled=${this.busy}>Sign in ${icon('arrow-right')}</button>
        ${this.#elsewhere()}
      </form>`;
  }

  /** A session that is begun again must not take the page away: then in a window of its own. */
  #elsewhere() {
    return provider()
      ? html`<a class="button" href="oidc" target=${this.name ? '_blank' : '_self'} @click=${(event) => {
          event.currentTarget.href = `oidc?page=${encodeURIComponent(location.hash)}`;
        }}>Sign in with ${provider()} ${icon('arrow-right')}</a>`
      : nothing;
  }
}

/** Asks above the page that is shown; resolves to the new session, or null when it is left. */
export function signInAgain(name) {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog sign-in';
    dialog.setAttribute('aria-labelledby', 'ended');
    const form = Object.assign(document.createElement('readpast-sign-in'), { name });
    let session = null;
    form.addEventListener('signed-in', (event) => {
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
