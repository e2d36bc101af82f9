package org.readpast.dependency;

import java.time.Duration;

/** Informs the receivers of this node and of other nodes of jobs that the resolver has released. */
public interface ReceiverSignals {
  /** Announces jobs that can be claimed. */
  void jobsAvailable(QueueLane at, int jobs);

  /** Announces that something becomes due after a time. */
  void dueIn(Duration wait);

  /** Announces that a wave is open. */
  void opened(OpenWave wave);

  /** Returns true if jobs of a lane are claimed directly from open waves. */
  boolean claimsFromWaves(QueueLane lane);

  /** Returns true if jobs of any lane are claimed directly from open waves. */
  boolean claimsAnyFromWaves();
}
