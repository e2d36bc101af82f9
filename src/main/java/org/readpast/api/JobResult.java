package org.readpast.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a handler says of its job: done, try again later, or never again. */
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

  /**
   * The job is done.
   *
   * @param result null: nothing
   */
  record Done(@Nullable Object result) implements JobResult {
    private static final Done NOTHING = new Done(null);
  }

  /**
   * Try again later.
   *
   * @param pause how long to wait
   * @param counted whether this attempt counts against the maximum
   */
  record RetryLater(Duration pause, boolean counted) implements JobResult {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    public RetryLater {
      check(pause);
    }

    static Duration check(Duration pause) {
      if (pause == null || pause.isNegative() || pause.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "a job cannot be tried again in " + pause + "; give a duration from PT0S to P36500D");
      }
      return pause;
    }
  }

  /**
   * Discard the job.
   *
   * @param reason kept as the failure's message
   */
  record FailNow(String reason) implements JobResult {}
}
