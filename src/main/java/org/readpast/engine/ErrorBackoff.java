package org.readpast.engine;

import java.time.Duration;

/**
 * After an error nobody looks in a queue for a while, longer each time, so that a broken database
 * causes no busy loop.
 */
final class ErrorBackoff {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  private int failures;
  private long pausedUntil;

  synchronized void failed(long now) {
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
    failures++;
    pausedUntil = now + Duration.ofMillis(pause).toNanos();
  }

  /** It works again. */
  synchronized void succeeded() {
    failures = 0;
  }

  synchronized boolean pauses(long now) {
    return now - pausedUntil < 0;
  }

  /** Whether there was an error, and the pause after it is over. */
  synchronized boolean over(long now) {
    return failures > 0 && now - pausedUntil >= 0;
  }
}
