package org.readpast.api;

/**
 * Specifies what happens to a group when one of its jobs is discarded. While a job is being
 * retried, its group waits.
 */
public enum GroupFailure {
  /** Starts the next job of the group, as after a dead letter in Jakarta Messaging. */
  SKIP,
  /**
   * Holds the other jobs of the group until the discarded job is reset and ends, or the failure is
   * skipped.
   */
  HOLD
}
