package org.readpast.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Runs the maintenance when the timer of the server fires, or when it fails to do so. The timer
 * follows the clock of the machine. After the clock was set back, the timer does not fire until the
 * clock shows its next time; after the clock was set ahead, it fires many times in a row. This
 * class measures time by a clock that cannot be set.
 */
final class MaintenanceTrigger {
  /** Specifies the interval of the timer. */
  static final int SECONDS = 4;

  private static final long INTERVAL_NANOS = SECONDS * 1_000_000_000L;
  private static final long LATE_NANOS = 3 * INTERVAL_NANOS;

  private final Runnable maintenance;
  private final LongSupplier nanoTime;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile long fired;
  private long began;

  MaintenanceTrigger(Runnable maintenance, LongSupplier nanoTime) {
    this.maintenance = maintenance;
    this.nanoTime = nanoTime;
    this.fired = nanoTime.getAsLong();
    this.began = fired - INTERVAL_NANOS;
  }

  /** Runs the maintenance on behalf of the timer. */
  void fire() {
    fired = nanoTime.getAsLong();
    run();
  }

  /**
   * Returns true if the timer has not fired for three intervals. Another thread must then call
   * {@link #run()} once in each interval.
   */
  boolean timerIsLate() {
    return nanoTime.getAsLong() - fired >= LATE_NANOS;
  }

  /** Runs the maintenance, unless it is running or has begun less than half an interval ago. */
  void run() {
    if (busy.compareAndSet(false, true)) {
      try {
        long now = nanoTime.getAsLong();
        if (now - began >= INTERVAL_NANOS / 2) {
          began = now;
          maintenance.run();
        }
      } finally {
        busy.set(false);
      }
    }
  }
}
