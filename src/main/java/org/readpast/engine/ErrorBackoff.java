package org.readpast.engine;

import java.time.Duration;

/**
 * Pauses the scans of a queue after an error, longer after each further error, so that a broken
 * database does not cause a busy loop. Scans that were in progress when the pause began neither
 * make it longer, because several receivers usually fail together, nor count as a success after it.
 */
final class ErrorBackoff {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  private int failures;
  private long pausedUntil;

  synchronized void failed(long now) {
    if (pauses(now)) {
      return;
    }
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
    failures++;
    pausedUntil = now + Duration.ofMillis(pause).toNanos();
  }

  /** Resets the length of the pause after a success. */
  synchronized void succeeded(long now) {
    if (!pauses(now)) {
      failures = 0;
    }
  }

  synchronized boolean pauses(long now) {
    return now - pausedUntil < 0;
  }

  /** Returns true if there was an error and the pause after it has elapsed. */
  synchronized boolean over(long now) {
    return failures > 0 && now - pausedUntil >= 0;
  }
}
