package org.readpast.api;

/** Specifies what happens to a batch when one of its jobs is discarded. */
public enum BatchFailure {
  /** Holds higher waves until the job is reset and ends, or the failure is skipped. */
  HOLD,
  /** Starts higher waves as if the job had succeeded. */
  CONTINUE,
  /**
   * Cancels all jobs of the batch that have not started, asks its running jobs to end, and refuses
   * further jobs.
   */
  CANCEL
}
