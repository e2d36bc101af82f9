// @ts-check
/**
 * Contains the words in which the console shows values of the API.
 *
 * @typedef {Record<string, string>} Labels
 */

/** @type {Labels} how an attempt failed */
export const FAILURES = {
  FAILED: 'failed',
  RETRY_LATER: 'asked for a later retry',
  TIMED_OUT: 'timed out',
  OWNER_LOST: 'node lost',
  UNREADABLE: 'unreadable payload',
};

/** @type {Labels} what a schedule does about planned times that have passed */
export const CATCH_UP = { ONCE: 'one job for all missed runs', NONE: 'no job', ALL: 'one job for each missed run' };

/** @type {Labels} what a schedule does while the job of its previous run is live */
export const OVERLAP = { ALLOW: 'start another job', SKIP: 'skip the run' };

/** @type {Labels} why a planned time has no job */
export const SKIPS = { MISSED: 'no node was available', OVERLAP: 'the previous job was still live', TOO_LATE: 'too late to start' };
