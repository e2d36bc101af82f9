// @ts-check
/** Shows the headers of a job. */
import { escaped } from './json.js';
import { jobLink, when } from './parts.js';
import { href } from './route.js';
import { searchFor } from './search.js';
import { typeOf } from './types.js';
import { html, nothing } from './view.js';

/** @typedef {(priority: number) => Promise<number | undefined>} SetPriority returns the priority that the job has then */

/**
 * Shows a value, with a link to the jobs that have it.
 *
 * @param {string} qualifier
 * @param {string | undefined} value
 */
function search(qualifier, value, title = '') {
  return value && html`<a title=${title || nothing} href=${href('jobs', [], { q: searchFor({ [qualifier]: value }) })}>${escaped(value)}</a>`;
}

/** @param {string} name @param {unknown} value */
function fact(name, value) {
  return value === undefined || value === null || value === '' || value === 0
    ? name === 'Priority' ? html`<dt>${name}</dt><dd>0</dd>` : nothing
    : html`<dt>${name}</dt><dd>${value}</dd>`;
}

/**
 * Lets the user choose the priority.
 *
 * @param {Api.Job} job
 * @param {SetPriority} set
 */
function priority(job, set) {
  const change = async (/** @type {any} */ event) => {
    event.target.value = String(await set(Number(event.target.value)));
  };
  return html`<select aria-label="Priority" @change=${change}>
    ${[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((one) => html`<option value=${one} ?selected=${one === job.priority}>${one}</option>`)}
  </select>`;
}

/**
 * Shows the headers of a job, with links to jobs with the same values.
 *
 * @param {Api.Job} job
 * @param {(id: string) => string} nameOf returns the name of a node
 * @param {SetPriority} [setPriority] changes the priority; undefined if the user is not allowed to
 *    change it
 */
export const facts = (job, nameOf, setPriority) => html`
  <aside class="card" aria-labelledby="facts"><h2 id="facts">Headers</h2>
    <dl class="facts">
      ${fact('Queue', html`<a href=${href('queues', [], { queue: job.queue })}>${job.queue}</a>`)}
      ${fact('Type', html`<a class="mono" href=${href('jobs', [], { q: searchFor({ type: job.type }) })}>${typeOf(job)}</a>`)}
      ${fact('Priority', setPriority ? priority(job, setPriority) : job.priority)}
      ${fact('Attempt', `${job.attempt}${job.maxAttempts > 0 ? ` of ${job.maxAttempts}` : ', unlimited'}`)}
      ${fact('Group', search('group', job.group))}
      ${fact('Batch', job.batch && html`<a href=${href('batches', [job.batch])}>${job.batch}</a>, wave ${job.wave}`)}
      ${fact('After', job.predecessors?.length && job.predecessors.map((one) => html`${jobLink(one.id)} `))}
      ${fact('Unique key', search('uniqueKey', job.uniqueKey))}
      ${fact('Correlation id', search('correlationId', job.correlationId))}
      ${fact('Enqueued by', job.enqueuedBy && escaped(job.enqueuedBy))}
      ${fact('Node', job.node && search('node', nameOf(job.node), job.node))}
      ${fact('Expires', job.expiresAt && when(job.expiresAt))}
      ${Object.entries(job.properties ?? {}).map(([name, value]) => fact(escaped(name), escaped(value)))}
    </dl>
  </aside>`;
