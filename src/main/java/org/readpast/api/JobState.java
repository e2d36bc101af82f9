package org.readpast.api;

/** Describes the state of a job in its life cycle. */
public enum JobState {
  /** Waits for a moment in time: the job is delayed, or between two attempts. */
  SCHEDULED,
  /** Waits for other jobs. */
  BLOCKED,
  /** Is ready to be claimed. */
  AVAILABLE,
  /** Is claimed by a node. */
  RUNNING,
  /** Has succeeded. */
  COMPLETED,
  /** Has failed for good or has no attempts left: a dead letter. */
  DISCARDED,
  /**
   * Was cancelled: by an operator, by an application, or by the failure policy of its batch or of
   * its predecessors.
   */
  CANCELLED,
  /** Has ended because it was not started before it expired. */
  EXPIRED;

  /**
   * Returns true if the job has ended. An ended job is kept in the history; unless it is COMPLETED,
   * it can be {@linkplain JobQueue#reset reset}.
   */
  public boolean ended() {
    return switch (this) {
      case SCHEDULED, BLOCKED, AVAILABLE, RUNNING -> false;
      case COMPLETED, DISCARDED, CANCELLED, EXPIRED -> true;
    };
  }
}
