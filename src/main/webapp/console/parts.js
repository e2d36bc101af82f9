/** Small things that pages are made of. */
import { exact, relative, STATES } from './format.js';
import { href } from './route.js';
import { html, nothing } from './view.js';

const ICONS = 'vendor/lucide-static-0.545.0/icons.svg';

/** Decoration: what it means is said beside it. */
export const icon = (name) => html`<svg class="icon" aria-hidden="true"><use href="${ICONS}#${name}"></use></svg>`;

/** A moment, relative to now; the exact one on hover and for screen readers. */
export const when = (moment) =>
  moment
    ? html`<time datetime=${moment} title=${exact(moment)}>${relative(moment)}</time>`
    : html`<span class="faint">–</span>`;

export const state = (name) => html`<span class="state ${name.toLowerCase()}"
  >${icon(STATES[name]?.icon ?? 'circle')}${STATES[name]?.label ?? name}</span>`;

export const jobLink = (id) => html`<a class="mono" href=${href('jobs', [id])}>${id}</a>`;

/** What is shown where nothing is. */
export const empty = (symbol, title, text) => html`
  <div class="empty">${icon(symbol)}<h2>${title}</h2><p>${text}</p></div>`;

export const failed = (error, retry) =>
  error
    ? html`<div class="notice bad" role="alert">
        ${icon('alert-triangle')}<span>${error.message}</span>
        ${retry ? html`<button class="quiet" @click=${retry}>Try again</button>` : nothing}
      </div>`
    : nothing;

/** Grey bars as tall as what will come, so that nothing moves when it does. */
export const skeleton = (rows = 5) => html`
  <div class="skeleton" role="status" aria-label="Loading">${Array.from({ length: rows }, () => html`<i></i>`)}</div>`;

/** Says that something is done, or why it is not. */
export function say(text, { bad = false } = {}) {
  // Gone with the frame when the session is over.
  const region = document.getElementById('announcements');
  if (!region) {
    return;
  }
  const item = document.createElement('div');
  item.className = bad ? 'toast bad' : 'toast';
  item.textContent = text;
  region.append(item);
  setTimeout(() => item.remove(), bad ? 10_000 : 5_000);
}

/** Runs an action of a button, and says how it went. */
export async function act(work, done) {
  try {
    const result = await work();
    if (done) {
      say(typeof done === 'function' ? done(result) : done);
    }
    return result;
  } catch (error) {
    say(error.message, { bad: true });
    return undefined;
  }
}
