package org.readpast.dependency;

import org.readpast.api.JobState;

/** Collects the amounts by which the counts of a wave change. */
public final class WaveChange {
  private int live;
  private int completed;
  private int discarded;
  private int cancelled;
  private int expired;

  /** Adds a number to that of the live jobs. */
  public void live(int by) {
    live += by;
  }

  /** Adds a number to that of the jobs that have ended in the given state. */
  public void ended(JobState state, int by) {
    switch (state) {
      case COMPLETED -> completed += by;
      case DISCARDED -> discarded += by;
      case CANCELLED -> cancelled += by;
      case EXPIRED -> expired += by;
      default ->
          throw new IllegalArgumentException(state + " is not a state in which jobs have ended");
    }
  }

  int live() {
    return live;
  }

  int completed() {
    return completed;
  }

  int discarded() {
    return discarded;
  }

  int cancelled() {
    return cancelled;
  }

  int expired() {
    return expired;
  }
}
