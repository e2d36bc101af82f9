package org.readpast.api;

/**
 * What becomes of a job when one of its predecessors ends badly: discarded, cancelled or expired.
 */
public enum PredecessorFailure {
  /** It waits until the predecessor is reset and ends well. */
  HOLD,
  /** It is cancelled. */
  CANCEL,
  /** It runs all the same. */
  RUN
}
