// @ts-check
/** Contains templates that show the payload and the result of a job, and edit the payload. */
import { copyButton } from './clipboard.js';
import { notJson, pretty } from './json.js';
import { icon } from './parts.js';
import { html, nothing } from './view.js';

/**
 * Shows the payload of a job.
 *
 * @param {Api.Job} job
 * @param {string | null} text
 */
export function payload(job, text) {
  return job.payloadKept === false
    ? html`
      <section class="card" aria-labelledby="payload">
        <h2 id="payload">Payload</h2>
        <p class="faint">Not stored: payloads of this type are deleted when their jobs succeed, or an administrator has erased this one.</p>
      </section>`
    : json('Payload', 'payload', text, job.contentType);
}

/**
 * Shows a JSON text, with a button that copies it.
 *
 * @param {string} title
 * @param {string} id
 * @param {string | null} text
 * @param {string} [contentType]
 */
export function json(title, id, text, contentType) {
  return html`
    <section class="card" aria-labelledby=${id}>
      <h2 id=${id}>${title} ${contentType ? html`<span class="faint">${contentType}</span>` : nothing}<span class="grow"></span>
        ${copyButton(`the ${id}`, () => pretty(text))}</h2>
      <pre tabindex="0" aria-label=${title}>${pretty(text)}</pre>
    </section>`;
}

/**
 * Returns a form that resets a job with another payload.
 *
 * @param {string | null} text
 * @param {(text: string) => unknown} reset
 * @param {() => void} close
 */
export function payloadEditor(text, reset, close) {
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const { payload: field } = event.target.elements;
    if (!notJson(field, field.value)) {
      reset(field.value);
    }
  };
  return html`
    <form class="card" @submit=${submit}>
      <h2><label for="edited">Payload</label></h2>
      <textarea id="edited" name="payload" class="mono" rows="14" spellcheck="false" .value=${pretty(text)}
        @input=${(/** @type {any} */ event) => event.target.setCustomValidity('')}></textarea>
      <div class="actions"><button type="button" class="quiet" @click=${close}>Cancel</button>
        <button class="primary">${icon('rotate-ccw')} Reset with this payload</button></div>
    </form>`;
}
