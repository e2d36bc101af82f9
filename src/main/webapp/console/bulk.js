// @ts-check
import { post } from './api.js';
import { whole } from './format.js';
import { act } from './parts.js';
import { html, nothing, View } from './view.js';

/**
 * @typedef {object} Action
 * @property {string} [name] of the action in the request
 * @property {string} [path] of the request; by default that of bulk changes
 * @property {string} title
 * @property {string} text what the action does
 * @property {string} done its past participle
 * @property {string} [confirm] the label of the button that confirms
 * @property {string} [dismiss] the label of the other button
 * @property {boolean} [danger] the action cannot be undone
 * @property {boolean} [priority] the action asks for a priority
 * @property {boolean} [type] the action asks for a job type
 */

/** If the server had no time for a request, it is sent again after these pauses, in ms. */
const PAUSES = [500, 1_000, 2_000, 4_000];

/** @param {BeforeUnloadEvent} event */
const askBeforeUnload = (event) => event.preventDefault();

/**
 * Changes many jobs. A bulk change consists of many requests, each of which changes as many jobs as
 * it can in a second or two. The change continues and shows its progress on every page of the
 * console.
 */
class Bulk extends View {
  static properties = { sum: { state: true }, stopped: { state: true }, failure: { state: true } };

  /** @type {string | undefined} */
  #cursor;
  /** @type {(summary: string) => void} */
  #resolve = () => {};

  constructor() {
    super();
    /** @type {Action} */
    this.action = { title: '', text: '', done: '' };
    /** @type {object} */
    this.body = {};
    this.sum = { changed: 0, found: 0 };
    this.stopped = false;
    /** @type {Error | null} */
    this.failure = null;
    addEventListener('beforeunload', askBeforeUnload);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopped = true;
    removeEventListener('beforeunload', askBeforeUnload);
  }

  /**
   * Starts the bulk change. Resolves to a summary when the change has ended or was stopped.
   *
   * @param {Action} action
   * @param {object} body
   * @returns {Promise<string>}
   */
  begin(action, body) {
    this.action = action;
    this.body = body;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#continue();
    });
  }

  async #continue() {
    this.failure = null;
    try {
      do {
        /** @type {Api.BulkResult} */
        const result = await this.#send({ ...this.body, cursor: this.#cursor });
        this.sum = { changed: this.sum.changed + result.changed, found: this.sum.found + result.found };
        this.#cursor = result.next;
      } while (this.#cursor && !this.stopped);
    } catch (error) {
      this.failure = error;
      if (!this.stopped) {
        return;
      }
    }
    this.#end();
  }

  /** @param {object} body */
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
    this.#resolve(`${whole(changed)} of ${whole(found)} jobs ${this.action.done}${this.#cursor || this.failure ? '; stopped' : ''}`);
  }

  #progress() {
    const { changed, found } = this.sum;
    if (this.failure) {
      return `${whole(changed)} jobs ${this.action.done} before an error: ${this.failure.message}`;
    }
    return found ? `${whole(changed)} of ${whole(found)} jobs so far` : 'in progress';
  }

  render() {
    return html`
      <div class="notice chosen ${this.failure ? 'bad' : ''}" role="status">
        ${this.failure ? nothing : html`<progress aria-label="In progress"></progress>`}
        <span>${this.action.title}: ${this.#progress()}</span>
        ${this.failure
          ? html`<button @click=${this.#continue}>Resume</button><button class="quiet" @click=${this.#end}>Stop</button>`
          : html`<button @click=${() => { this.stopped = true; }} ?disabled=${this.stopped}>Stop</button>`}
      </div>`;
  }
}

customElements.define('readpast-bulk', Bulk);

/** Returns true while a change is in progress; there is only one at a time. */
export const inProgress = () => Boolean(document.querySelector('readpast-bulk'));

/**
 * Starts a bulk change to jobs. Resolves when the change has ended and its summary has been
 * announced.
 *
 * @param {Action} action
 * @param {object} body
 */
export function change(action, body) {
  const bulk = /** @type {Bulk} */ (document.createElement('readpast-bulk'));
  const ended = act(() => bulk.begin(action, body), (summary) => summary);
  document.body.append(bulk);
  return ended;
}
