package org.readpast.api;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports the outcome of a handler: done, retry later, or discard. Results with the same content
 * are equal, so that tests of handlers can compare them.
 */
public sealed interface JobResult {
  /** Completes the job without a result. */
  static JobResult done() {
    return Done.NOTHING;
  }

  /**
   * Completes the job with a result.
   *
   * @param result the result, which is stored as JSON with the ended job, for {@link
   *     JobQueue#await} and the REST API; it may be as large as a payload
   */
  static JobResult done(Object result) {
    return new Done(result);
  }

  /**
   * Retries the job after a pause, without counting the attempt. The changes that a TRANSACTIONAL
   * handler has made are rolled back.
   *
   * @param pause the pause before the next attempt, from PT0S to P36500D
   * @throws IllegalArgumentException if the pause is out of range
   */
  static JobResult retryLater(Duration pause) {
    return new RetryLater(pause, false);
  }

  /**
   * Retries the job after a pause, and counts the attempt. If the attempt was the last one, the job
   * is discarded.
   *
   * @param pause the pause before the next attempt, from PT0S to P36500D
   * @throws IllegalArgumentException if the pause is out of range
   */
  static JobResult retryLaterCounted(Duration pause) {
    return new RetryLater(pause, true);
  }

  /**
   * Discards the job, even if attempts remain. The changes that a TRANSACTIONAL handler has made
   * are rolled back.
   *
   * @param reason the reason, which is stored as the message of the failure
   */
  static JobResult failNow(String reason) {
    return new FailNow(reason);
  }

  /** Completes the job; this result is created by {@link #done()} and {@link #done(Object)}. */
  final class Done implements JobResult {
    private static final Done NOTHING = new Done(null);
    private final @Nullable Object result;

    private Done(@Nullable Object result) {
      this.result = result;
    }

    /** Returns the result; null if there is none. */
    public @Nullable Object result() {
      return result;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Done done && Objects.equals(result, done.result);
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(result);
    }

    @Override
    public String toString() {
      return "done";
    }
  }

  /**
   * Retries the job later; this result is created by {@link #retryLater} and {@link
   * #retryLaterCounted}.
   */
  final class RetryLater implements JobResult {
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private final Duration pause;
    private final boolean counted;

    private RetryLater(Duration pause, boolean counted) {
      this.pause = check(pause);
      this.counted = counted;
    }

    static Duration check(Duration pause) {
      if (pause == null || pause.isNegative() || pause.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "a job cannot be retried in " + pause + "; specify a duration from PT0S to P36500D");
      }
      return pause;
    }

    /** Returns how long to wait before the next attempt. */
    public Duration pause() {
      return pause;
    }

    /** Returns true if this attempt counts towards the maximum. */
    public boolean counted() {
      return counted;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof RetryLater later
          && pause.equals(later.pause)
          && counted == later.counted;
    }

    @Override
    public int hashCode() {
      return pause.hashCode();
    }

    @Override
    public String toString() {
      return "retry in " + pause + (counted ? ", counted" : "");
    }
  }

  /** Discards the job; this result is created by {@link #failNow}. */
  final class FailNow implements JobResult {
    private final String reason;

    private FailNow(String reason) {
      this.reason = reason;
    }

    /** Returns the reason, which is stored as the message of the failure. */
    public String reason() {
      return reason;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof FailNow failNow && Objects.equals(reason, failNow.reason);
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(reason);
    }

    @Override
    public String toString() {
      return "fail now: " + reason;
    }
  }
}
