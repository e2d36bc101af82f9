package org.readpast.api;

/**
 * Specifies what happens to a job if one of its predecessors fails, which means that it is
 * discarded, cancelled or expired.
 */
public enum PredecessorFailure {
  /** Holds the job until the predecessor is reset and succeeds. */
  HOLD,
  /** Cancels the job. */
  CANCEL,
  /** Runs the job in spite of the failure. */
  RUN
}
