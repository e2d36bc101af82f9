package org.readpast.support;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition instead of sleeping. */
public final class Await {
  private static final Duration STEP = Duration.ofMillis(25);

  private Await() {}

  /** Represents a condition to wait for; if it throws an exception, it does not hold yet. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Waits until the condition holds. Fails after {@code limit}, with the last exception of the
   * condition.
   */
  public static void until(Duration limit, Condition condition) {
    until(limit, "the condition", condition);
  }

  /** Waits like {@link #until(Duration, Condition)}; the failure message contains {@code what}. */
  public static void until(Duration limit, String what, Condition condition) {
    until(limit, STEP, what, condition);
  }

  /**
   * Waits like {@link #until(Duration, String, Condition)}, and checks the condition every {@code
   * step}.
   */
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
