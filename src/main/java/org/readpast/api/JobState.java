package org.readpast.api;

/** Describes the state of a job in its life cycle. */
public enum JobState {
  /** The job waits for its due time: it is delayed, or between two attempts. */
  SCHEDULED,
  /** The job waits for other jobs. */
  BLOCKED,
  /** The job is ready to be claimed. */
  AVAILABLE,
  /** A node has claimed the job. */
  RUNNING,
  /** The job has succeeded. */
  COMPLETED,
  /** The job has failed permanently, or has no attempts left: a dead letter. */
  DISCARDED,
  /**
   * The job was cancelled by an operator, by an application, or by the failure policy of its batch
   * or of its predecessors.
   */
  CANCELLED,
  /** The job has ended because it was not started before it expired. */
  EXPIRED;

  /**
   * Returns true if the job has ended. Ended jobs are kept in the history and can be {@linkplain
   * JobQueue#reset reset}, except COMPLETED ones, which cannot be reset.
   */
  public boolean ended() {
    return switch (this) {
      case SCHEDULED, BLOCKED, AVAILABLE, RUNNING -> false;
      case COMPLETED, DISCARDED, CANCELLED, EXPIRED -> true;
    };
  }
}
