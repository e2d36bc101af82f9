// @ts-check
/** Contains small templates that pages share. */
import { exact, relative, STATES } from './format.js';
import { href } from './route.js';
import { html, nothing, render } from './view.js';

const ICONS = 'vendor/lucide-static-0.545.0/icons.svg';

/** Limits the number of failures that are shown together. */
const MAX_FAILURES = 3;

/**
 * Returns an icon, hidden from screen readers because the text next to it has the same meaning.
 *
 * @param {string} name
 */
export const icon = (name) => html`<svg class="icon" aria-hidden="true"><use href="${ICONS}#${name}"></use></svg>`;

/**
 * Shows a time relative to now, with the exact time on hover and for screen readers.
 *
 * @param {string | null | undefined} moment
 */
export const when = (moment) =>
  moment
    ? html`<time datetime=${moment} title=${exact(moment)}>${relative(moment)}</time>`
    : html`<span class="faint">–</span>`;

/** @param {string} name */
export const state = (name) => html`<span class="state ${name.toLowerCase()}"
  >${icon(STATES[name]?.icon ?? 'circle')}${STATES[name]?.label ?? name}</span>`;

/** @param {number | string} id */
export const jobLink = (id) => html`<a class="mono" href=${href('jobs', [id])}>${id}</a>`;

/**
 * Returns a placeholder for an empty list.
 *
 * @param {string} symbol
 * @param {string} title
 * @param {string} text
 */
export const empty = (symbol, title, text) => html`
  <div class="empty">${icon(symbol)}<h2>${title}</h2><p>${text}</p></div>`;

/**
 * Shows an error, or nothing.
 *
 * @param {Error | null | undefined} error
 * @param {() => void} [retry]
 */
export const failed = (error, retry) =>
  error
    ? html`<div class="notice bad" role="alert">
        ${icon('alert-triangle')}<span>${error.message}</span>
        ${retry ? html`<button class="quiet" @click=${retry}>Try again</button>` : nothing}
      </div>`
    : nothing;

/**
 * Shows grey bars in place of content that is being loaded, so that nothing moves when the content
 * arrives.
 */
export const skeleton = (rows = 5) => html`
  <div class="skeleton" role="status" aria-label="Loading">${Array.from({ length: rows }, () => html`<i></i>`)}</div>`;

/**
 * Announces that an action has succeeded or failed. A failure stays until the user closes it.
 *
 * @param {string} text
 */
export function announce(text, { bad = false } = {}) {
  // The element for announcements does not exist while no user is signed in.
  const region = document.getElementById('announcements');
  if (!region) {
    return;
  }
  const item = document.createElement('div');
  item.className = bad ? 'toast bad' : 'toast';
  if (bad) {
    item.setAttribute('role', 'alert');
    [...region.querySelectorAll('.bad')].slice(0, 1 - MAX_FAILURES).forEach((oldest) => oldest.remove());
    render(html`<span>${text}</span>
      <button class="quiet" aria-label="Dismiss" @click=${() => item.remove()}>${icon('x')}</button>`, item);
  } else {
    item.textContent = text;
    setTimeout(() => item.remove(), 5_000);
  }
  region.append(item);
}

/**
 * Performs an action and announces its result. Returns undefined if the action fails.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string | ((result: T) => string)} [done]
 * @returns {Promise<T | undefined>}
 */
export async function act(work, done) {
  try {
    const result = await work();
    if (done) {
      announce(typeof done === 'function' ? done(result) : done);
    }
    return result;
  } catch (error) {
    announce(error.message, { bad: true });
    return undefined;
  }
}
