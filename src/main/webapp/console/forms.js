// @ts-check
import { html } from './view.js';

/**
 * Returns the fields of a form as an object.
 *
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export const fieldsOf = (form) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/**
 * Returns the fields that are not empty, with some of them as numbers.
 *
 * @param {Record<string, string>} fields
 * @param {string[]} numbers
 * @returns {Record<string, string | number>}
 */
export function filledIn(fields, numbers) {
  return Object.fromEntries(Object.entries(fields)
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]));
}

/**
 * Returns a text area for JSON.
 *
 * @param {string} value
 */
export const jsonArea = (value, rows = 4) => html`
  <textarea name="payload" rows=${rows} class="mono" spellcheck="false" .value=${value} placeholder="{}"
    @input=${(/** @type {any} */ event) => event.target.setCustomValidity('')}></textarea>`;
