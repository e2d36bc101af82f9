package org.readpast.api;

/**
 * What becomes of a group when one of its jobs is discarded. While a job retries, its group waits.
 */
public enum GroupFailure {
  /** The next job starts, as after a dead letter in Jakarta Messaging. */
  SKIP,
  /** The others wait until the job is reset and ends, or the failure is skipped. */
  HOLD
}
