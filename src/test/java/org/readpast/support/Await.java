package org.readpast.support;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition instead of sleeping. */
public final class Await {
  private static final Duration STEP = Duration.ofMillis(25);

  private Await() {}

  /** What is waited for; an exception means "not yet". */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** Returns as soon as the condition holds; after {@code limit} fails with its last exception. */
  public static void until(Duration limit, Condition condition) {
    until(limit, "the condition", condition);
  }

  /** As {@link #until(Duration, Condition)}, with {@code what} named in the failure. */
  public static void until(Duration limit, String what, Condition condition) {
    until(limit, STEP, what, condition);
  }

  /** As {@link #until(Duration, String, Condition)}, with a look every {@code step}. */
  public static void until(Duration limit, Duration step, String what, Condition condition) {
    long end = System.nanoTime() + limit.toNanos();
    Exception last = null;
    do {
      try {
        if (condition.holds()) {
          return;
        }
        last = null;
      } catch (Exception e) {
        last = e;
      }
      LockSupport.parkNanos(step.toNanos());
    } while (System.nanoTime() < end && !Thread.currentThread().isInterrupted());
    throw new AssertionError(what + " did not hold within " + limit, last);
  }
}
