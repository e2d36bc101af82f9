// @ts-check
/** Combines the responses of the server to successive requests for the same series. */

/** @typedef {Pick<Api.Throughput, 'at' | 'enqueued' | 'completed' | 'failed' | 'waited' | 'ran'>} Series */

/**
 * Returns a function that drops the first `drop` entries of an array, keeps the others up to entry
 * `keep`, and appends newer entries.
 *
 * @param {number} keep
 * @param {number} drop
 */
const joiner = (keep, drop) => (/** @type {number[]} */ before, /** @type {number[]} */ after) =>
  [...before.slice(drop, keep), ...after];

/**
 * Returns a series in which newer values replace older ones of the same time; later values are
 * appended.
 *
 * @param {Series} known
 * @param {Series} newer
 * @param {number} length the maximum number of values
 * @returns {Series}
 */
export function merge(known, newer, length) {
  const [first] = newer.at;
  const keep = first === undefined ? known.at.length : known.at.filter((at) => at < first).length;
  const join = joiner(keep, Math.max(0, keep + newer.at.length - length));
  const times = (/** @type {'waited' | 'ran'} */ name) => ({
    p50: join(known[name].p50, newer[name].p50),
    p95: join(known[name].p95, newer[name].p95),
    p99: join(known[name].p99, newer[name].p99),
  });
  return {
    at: join(known.at, newer.at),
    enqueued: join(known.enqueued, newer.enqueued),
    completed: join(known.completed, newer.completed),
    failed: join(known.failed, newer.failed),
    waited: times('waited'),
    ran: times('ran'),
  };
}

/**
 * Returns the values of stacked areas: each area reaches from zero to the sum of its own values and
 * those of all later areas, so that areas that are drawn in this order cover one another.
 *
 * @param {(number | null)[][]} data the times, and one array of values for each area
 * @returns {(number | null)[][]}
 */
export function stack([at, ...areas]) {
  /** @type {number[][]} */
  const stacked = [];
  areas.reduceRight((above, values) => {
    const sums = values.map((value, i) => (value ?? 0) + (above[i] ?? 0));
    stacked.unshift(sums);
    return sums;
  }, /** @type {number[]} */ ([]));
  return [at, ...stacked];
}

/**
 * Returns the positions of names, from 1. A name keeps its position, and new names get free
 * positions. The empty name is always last.
 *
 * @param {Map<string, number>} before
 * @param {string[]} names
 * @returns {Map<string, number>}
 */
export function placed(before, names) {
  const kept = names.filter((name) => name && before.has(name));
  const places = new Map(kept.map((name) => [name, /** @type {number} */ (before.get(name))]));
  const taken = new Set(places.values());
  let next = 1;
  for (const name of names.filter((one) => one && !places.has(one))) {
    while (taken.has(next)) {
      next += 1;
    }
    places.set(name, next);
    taken.add(next);
  }
  return names.includes('') ? places.set('', Infinity) : places;
}

/**
 * Returns the values with null in place of 0, so that a chart shows a gap where nothing was
 * measured.
 *
 * @param {number[]} values
 */
export const withGaps = (values) => values.map((value) => value || null);
