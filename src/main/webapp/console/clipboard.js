// @ts-check
import { act, icon } from './parts.js';
import { html } from './view.js';

/**
 * Copies a string to the clipboard. Pages that were loaded over plain HTTP must use the older interface.
 *
 * @param {string} text
 */
async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
  } else {
    const area = Object.assign(document.createElement('textarea'), { value: text, className: 'hidden' });
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done) {
      throw new Error('The browser does not allow this page to copy. Select the text and copy it.');
    }
  }
}

/**
 * Returns a button that copies a string.
 *
 * @param {string} what names the text
 * @param {() => string} text
 */
export const copyButton = (what, text) => html`
  <button class="quiet" aria-label="Copy ${what}" @click=${() => act(() => copy(text()), 'copied')}>${icon('copy')} Copy</button>`;
