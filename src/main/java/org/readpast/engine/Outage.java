package org.readpast.engine;

import java.time.Duration;

/**
 * Keeps all of a node from looking, each by itself, for a database that is away: after an error
 * nobody looks for a while, longer each time.
 */
final class Outage {
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  private int failures;
  private volatile boolean lasts;
  private volatile long until = System.nanoTime();

  /** An error; those of looks that were under way at the time count as one. */
  synchronized void failed(long now) {
    if (active(now)) {
      return;
    }
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
    failures++;
    until = now + Duration.ofMillis(pause).toNanos();
    lasts = true;
  }

  /** Whether nobody is to look now. */
  boolean active(long now) {
    return lasts && now - until < 0;
  }

  /** How long nobody is to look. */
  Duration left(long now) {
    return active(now) ? Duration.ofMillis((until - now) / 1_000_000 + 1) : Duration.ZERO;
  }

  /** The database answers. */
  void succeeded() {
    if (lasts) {
      synchronized (this) {
        failures = 0;
        lasts = false;
      }
    }
  }
}
