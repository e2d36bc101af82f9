import { post } from './api.js';
import { whole } from './format.js';
import { act } from './parts.js';
import { html, nothing, View } from './view.js';

/** Before a request is sent again that the server had no time for, in ms. */
const PAUSES = [500, 1_000, 2_000, 4_000];

/**
 * A change of many jobs: many requests, each of which does what it can in a second or two. It goes
 * on wherever somebody goes in the console, and says on every page how far it is.
 */
class Bulk extends View {
  static properties = { sum: { state: true }, stopped: { state: true }, failure: { state: true } };

  #cursor;
  #over;

  constructor() {
    super();
    this.sum = { changed: 0, found: 0 };
    addEventListener('beforeunload', Bulk.#ask);
  }

  static #ask(event) {
    event.preventDefault();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopped = true;
    removeEventListener('beforeunload', Bulk.#ask);
  }

  /** Resolves when it has come to its end, or was stopped. */
  begin(action, body) {
    this.action = action;
    this.body = body;
    return new Promise((resolve) => {
      this.#over = resolve;
      this.#goOn();
    });
  }

  async #goOn() {
    this.failure = null;
    try {
      do {
        const done = await this.#send({ ...this.body, cursor: this.#cursor });
        this.sum = { changed: this.sum.changed + done.changed, found: this.sum.found + done.found };
        this.#cursor = done.next;
      } while (this.#cursor && !this.stopped);
    } catch (error) {
      this.failure = error;
      if (!this.stopped) {
        return;
      }
    }
    this.#end();
  }

  async #send(body) {
    for (const pause of PAUSES) {
      try {
        return await post(this.action.path ?? 'jobs/bulk', body);
      } catch (error) {
        if (error.status !== 503 || this.stopped) {
          throw error;
        }
        await new Promise((resolve) => { setTimeout(resolve, pause); });
      }
    }
    return post(this.action.path ?? 'jobs/bulk', body);
  }

  #end() {
    const { changed, found } = this.sum;
    this.remove();
    this.#over(`${whole(changed)} of ${whole(found)} jobs ${this.action.done}${this.#cursor || this.failure ? '; stopped' : ''}`);
  }

  render() {
    const { changed, found } = this.sum;
    const far = found ? `${whole(changed)} of ${whole(found)} jobs so far` : 'under way';
    return html`
      <div class="notice chosen ${this.failure ? 'bad' : ''}" role="status">
        ${this.failure ? nothing : html`<progress aria-label="Under way"></progress>`}
        <span>${this.action.title}: ${this.failure ? `${whole(changed)} jobs ${this.action.done}, then: ${this.failure.message}` : far}</span>
        ${this.failure
          ? html`<button @click=${this.#goOn}>Go on</button><button class="quiet" @click=${this.#end}>Leave it</button>`
          : html`<button @click=${() => { this.stopped = true; }} ?disabled=${this.stopped}>Stop</button>`}
      </div>`;
  }
}

customElements.define('readpast-bulk', Bulk);

/** Whether one is under way: the next waits for its end. */
export const busy = () => Boolean(document.querySelector('readpast-bulk'));

/** Changes many jobs; resolves when that is over, and has been said. */
export function change(action, body) {
  const bulk = document.createElement('readpast-bulk');
  const over = act(() => bulk.begin(action, body), (said) => said);
  document.body.append(bulk);
  return over;
}
