import { signIn } from './api.js';
import { failed, icon } from './parts.js';
import { html, View } from './view.js';

/** Asks for a name and a password. */
class SignIn extends View {
  static properties = { failure: { state: true }, busy: { state: true } };

  firstUpdated() {
    this.querySelector('input').focus();
  }

  async #submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    this.busy = true;
    this.failure = null;
    try {
      const session = await signIn(form.get('name'), form.get('password'));
      this.dispatchEvent(new CustomEvent('signed-in', { detail: session }));
    } catch (error) {
      this.failure = error;
      this.busy = false;
      await this.updateComplete;
      this.querySelector('[name=password]').select();
    }
  }

  render() {
    return html`
      <main class="sign-in">
        <form @submit=${this.#submit}>
          <img src="icon.svg" alt="" width="40" height="40">
          <h1>Readpast</h1>
          ${failed(this.failure)}
          <label>Name <input name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required></label>
          <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
          <button class="primary" ?disabled=${this.busy}>Sign in ${icon('arrow-right')}</button>
        </form>
      </main>`;
  }
}

customElements.define('readpast-sign-in', SignIn);
