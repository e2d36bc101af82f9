// @ts-check
/** Shows the attempts of a job, and the lines that its handler has logged. */
import { copyButton } from './clipboard.js';
import { span } from './format.js';
import { escaped } from './json.js';
import { FAILURES } from './labels.js';
import { when } from './parts.js';
import { timeOrDate } from './times.js';
import { html, nothing } from './view.js';

// The server returns only this number of failed attempts.
const MOST_FAILED = 100;

/**
 * Shows the attempts, newest first.
 *
 * @param {Api.Job} job
 * @param {(id: string) => string} nameOf returns the name of a node
 */
export function attempts(job, nameOf) {
  const newest = [...(job.attempts ?? [])].reverse();
  return html`
    <section class="card" aria-labelledby="attempts"><h2 id="attempts">Attempts</h2>
      ${newest.length ? newest.map((one) => html`
        <details ?open=${one === newest[0] && Boolean(one.error)}>
          <summary><strong>${one.attempt}</strong> ${when(one.startedAt)}
            ${one.startedAt && one.endedAt ? html`took ${span(Date.parse(one.endedAt) - Date.parse(one.startedAt))}` : nothing}
            ${one.error ? html`<span class="state discarded">${FAILURES[one.error.kind] ?? one.error.kind}</span> ${escaped(one.error.message ?? '')}`
              : html`<span class="state ${one.endedAt ? 'completed' : 'running'}">${one.endedAt ? 'succeeded' : 'running'}</span>`}
            ${one.node ? html`<span class="faint">on <span title=${one.node}>${nameOf(one.node)}</span></span>` : nothing}</summary>
          ${one.error?.trace ? trace(one.attempt, one.error.trace) : nothing}
        </details>`) : html`<p class="faint">No attempts yet.</p>`}
      ${newest.filter((one) => one.error).length >= MOST_FAILED
        ? html`<p class="faint">The list contains only the last ${MOST_FAILED} failed attempts.</p>` : nothing}
    </section>`;
}

/** @param {number} attempt @param {string} text */
const trace = (attempt, text) => html`
  <div class="actions">${copyButton(`the stack trace of attempt ${attempt}`, () => text)}</div>
  <pre tabindex="0" aria-label="Stack trace of attempt ${attempt}">${escaped(text)}</pre>`;

/** @param {Api.Job} job */
export function log(job) {
  const lines = (job.log ?? []).map((line) => `${timeOrDate(line.at)} [${line.attempt}] ${line.line}\n`);
  return lines.length
    ? html`<section class="card" aria-labelledby="log">
        <h2 id="log">Log<span class="grow"></span>${copyButton('the log', () => lines.join(''))}</h2>
        <pre tabindex="0" aria-label="Log">${lines.map(escaped)}</pre>
      </section>`
    : nothing;
}
