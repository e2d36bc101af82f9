// @ts-check
/**
 * Contains templates that show where a job is: why it waits, what happened when, and how far it is.
 */
import { clock, exact, relative, span, STATES } from './format.js';
import { icon, jobLink } from './parts.js';
import { html, nothing } from './view.js';

const JOB = /^job (\d+)$/;
const JOB_OR_TIME = /(\bjob \d+\b|\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/**
 * Shows a sentence from the server, with links to jobs and with times in the viewer's time zone.
 *
 * @param {string} text
 */
const linked = (text) => text.split(JOB_OR_TIME).map((part, i) => {
  const job = JOB.exec(part);
  if (i % 2 === 0 || (!job && Number.isNaN(Date.parse(part)))) {
    return part;
  }
  return job ? html`job ${jobLink(job[1])}` : html`<time datetime=${part} title=${exact(part)}>${clock(part)} (${relative(part)})</time>`;
});

/**
 * The reasons why a job is not running.
 *
 * @param {Api.Job} job
 */
export const reasons = (job) => (job.reasons?.length
  ? html`<div class="notice warn" role="status">${icon('hourglass')}<div><strong>Why it is not running</strong>
      ${job.reasons.map((reason) => html`<p>${linked(reason)}</p>`)}</div></div>`
  : nothing);

/**
 * Shows the names of the fields that are hidden from the user.
 *
 * @param {Api.Job} job
 */
export const masked = (job) => (job.masked?.length
  ? html`<div class="notice">${icon('eye-off')}<span>Hidden, and visible to operators only:
      ${job.masked.map((name, i) => html`${i ? ', ' : nothing}<span class="mono">${name}</span>`)}</span></div>`
  : nothing);

/**
 * Shows the steps of a job with their times, and its progress.
 *
 * @param {Api.Job} job
 */
export function timeline(job) {
  /** @type {[string | null, string | null | undefined][]} */
  const times = [
    ['Enqueued', job.enqueuedAt],
    ['Due', job.availableAt !== job.enqueuedAt ? job.availableAt : null],
    ['Started', job.startedAt],
    [STATES[job.state].live ? null : STATES[job.state].label, job.endedAt],
  ];
  const steps = /** @type {[string, string][]} */ (times.filter(([label, moment]) => label && moment));
  return html`
    <section class="card" aria-label="Timeline">
      <ol class="timeline">${steps.map(([label, moment], i) => html`
        <li><strong>${label}</strong> <time datetime=${moment} title=${exact(moment)}>${clock(moment)}</time>
          ${i > 0 ? html`<span class="faint">${span(Date.parse(moment) - Date.parse(steps[i - 1][1]))} later</span>` : nothing}</li>`)}
      </ol>
      ${job.progress
        ? html`<label>Progress <progress max=${job.progress.total} value=${job.progress.done}></progress>
            ${job.progress.done} of ${job.progress.total}</label>` : nothing}
    </section>`;
}
