package org.readpast.api;

/** Where a job stands in its life. */
public enum JobState {
  /** Waits for a moment in time: delayed, or between two attempts. */
  SCHEDULED,
  /** Waits for other jobs. */
  BLOCKED,
  /** Ready to be claimed. */
  AVAILABLE,
  /** Claimed by a node. */
  RUNNING,
  /** Ended well. */
  COMPLETED,
  /** Ended badly, out of attempts or failed for good: a dead letter. */
  DISCARDED,
  /** Ended by an operator. */
  CANCELLED,
  /** Ended because nobody worked it before it expired. */
  EXPIRED;

  /**
   * Whether the job has ended; an ended job lives in the history and can be {@linkplain JobQueue
   * reset}.
   */
  public boolean ended() {
    return switch (this) {
      case SCHEDULED, BLOCKED, AVAILABLE, RUNNING -> false;
      case COMPLETED, DISCARDED, CANCELLED, EXPIRED -> true;
    };
  }
}
