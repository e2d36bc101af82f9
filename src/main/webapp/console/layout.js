// @ts-check
/**
 * Computes the layout of a graph of jobs that wait for one another.
 *
 * @typedef {{id: number, type: string, state: string, after: number[]}} GraphJob
 * @typedef {{job: GraphJob, x: number, y: number}} Place
 */

/** Specifies the width and height of a job in the graph. */
export const WIDTH = 168;
export const HEIGHT = 44;
const COLUMN_WIDTH = 232;
const ROW_HEIGHT = 64;

/**
 * Places each job one column to the right of the last job that it waits for. Within a column, jobs are
 * ordered by the rows of their predecessors.
 *
 * @param {GraphJob[]} jobs
 * @returns {Place[]}
 */
export function layout(jobs) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  /** @type {Map<number, number>} */
  const columns = new Map();
  /** @type {(job: GraphJob, path: Set<number>) => number} */
  const column = (job, path) => {
    const known = columns.get(job.id);
    if (known !== undefined) {
      return known;
    }
    // The database allows no cycles, but the response may combine two states of the graph.
    if (path.has(job.id)) {
      return 0;
    }
    path.add(job.id);
    const before = job.after.flatMap((id) => byId.get(id) ?? []).map((one) => column(one, path) + 1);
    path.delete(job.id);
    const at = Math.max(0, ...before);
    columns.set(job.id, at);
    return at;
  };
  jobs.forEach((job) => column(job, new Set()));
  const columnOf = (/** @type {GraphJob} */ job) => columns.get(job.id) ?? 0;
  /** @type {Map<number, Place & {row: number}>} */
  const places = new Map();
  /** @type {number[]} the next free row of each column */
  const free = [];
  [...jobs].sort((a, b) => columnOf(a) - columnOf(b) || a.id - b.id).forEach((job) => {
    const x = columnOf(job);
    const before = job.after.flatMap((id) => places.get(id)?.row ?? []);
    const wanted = before.length ? Math.round(before.reduce((sum, row) => sum + row, 0) / before.length) : 0;
    const row = Math.max(wanted, free[x] ?? 0);
    free[x] = row + 1;
    places.set(job.id, { job, row, x: x * COLUMN_WIDTH, y: row * ROW_HEIGHT });
  });
  return [...places.values()];
}
