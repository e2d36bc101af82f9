package org.readpast.api;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a handler says of its job: done, try again later, or never again. Results that say the same
 * are equal, so that a test of a handler can compare them.
 */
public sealed interface JobResult {
  /** The job is done. */
  static JobResult done() {
    return Done.NOTHING;
  }

  /**
   * The job is done, and this came of it.
   *
   * @param result kept as JSON with the ended job, for {@link JobQueue#await} and the REST API;
   *     bounded like a payload
   */
  static JobResult done(Object result) {
    return new Done(result);
  }

  /**
   * Tries again after this pause; does not count as an attempt. A TRANSACTIONAL handler's work is
   * rolled back.
   */
  static JobResult retryLater(Duration pause) {
    return new RetryLater(pause, false);
  }

  /** Tries again after this pause, and counts this attempt. */
  static JobResult retryLaterCounted(Duration pause) {
    return new RetryLater(pause, true);
  }

  /** Discards the job, whatever attempts remain. A TRANSACTIONAL handler's work is rolled back. */
  static JobResult failNow(String reason) {
    return new FailNow(reason);
  }

  /** The job is done; made by {@link #done()} and {@link #done(Object)}. */
  final class Done implements JobResult {
    private static final Done NOTHING = new Done(null);
    private final @Nullable Object result;

    private Done(@Nullable Object result) {
      this.result = result;
    }

    /** Null: nothing. */
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

  /** Try again later; made by {@link #retryLater} and {@link #retryLaterCounted}. */
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
            "a job cannot be tried again in " + pause + "; give a duration from PT0S to P36500D");
      }
      return pause;
    }

    /** The time to wait. */
    public Duration pause() {
      return pause;
    }

    /** Returns true if this attempt counts against the maximum. */
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

  /** Discard the job; made by {@link #failNow}. */
  final class FailNow implements JobResult {
    private final String reason;

    private FailNow(String reason) {
      this.reason = reason;
    }

    /** Kept as the failure's message. */
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
