package org.readpast.api;

/** What becomes of a batch when one of its jobs is discarded. */
public enum BatchFailure {
  /** Higher waves wait until the job is reset and ends, or the failure is skipped. */
  HOLD,
  /** Higher waves start as if the job had ended well. */
  CONTINUE,
  /**
   * Whatever of the batch has not started is cancelled, what is in work is asked to end, and
   * nothing can be added any more.
   */
  CANCEL
}
