package org.readpast.model;

import org.jspecify.annotations.Nullable;
import org.readpast.api.FailNowException;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.RetryLaterException;
import org.readpast.model.Failure.Kind;

/**
 * Judges what becomes of a job by what its handler gave or threw.
 *
 * @param counted how many attempts have counted, this one included
 * @param own how often this job may be tried; null: as often as the policy says
 * @param random from 0 (included) to 1; where in its range a pause lies
 */
public record Verdict(int counted, @Nullable Integer own, RetryPolicy policy, double random) {

  /** How often a job is tried, or {@link JobRequest#UNLIMITED}. */
  public static int mostAttempts(@Nullable Integer own, RetryPolicy policy) {
    return own == null ? policy.maxAttempts() : own;
  }

  /** How many attempts are left after this one, or {@link JobRequest#UNLIMITED}. */
  public int remaining() {
    int most = mostAttempts(own, policy);
    return most == JobRequest.UNLIMITED ? most : Math.max(0, most - counted);
  }

  /**
   * The handler gave something.
   *
   * @param written its result as JSON; null: none
   */
  public Outcome returned(@Nullable JobResult result, @Nullable String written) {
    if (result instanceof JobResult.RetryLater later) {
      Failure failure =
          Failure.of(Kind.RETRY_LATER, "the handler asked to be tried again in " + later.pause());
      return later.counted() && remaining() == 0
          ? new Outcome.Discarded(failure)
          : new Outcome.Retry(later.pause(), later.counted(), failure);
    }
    if (result instanceof JobResult.FailNow never) {
      return new Outcome.Discarded(Failure.of(Kind.FAILED, never.reason()));
    }
    return new Outcome.Completed(written);
  }

  /**
   * The handler threw.
   *
   * @param failure what is kept of it
   */
  public Outcome threw(Throwable thrown, Failure failure) {
    if (thrown instanceof RetryLaterException later) {
      return new Outcome.Retry(
          later.pause(), false, Failure.of(Kind.RETRY_LATER, String.valueOf(later.getMessage())));
    }
    if (thrown instanceof FailNowException || policy.abortsOn(thrown)) {
      return new Outcome.Discarded(failure);
    }
    return failed(failure);
  }

  /** The application that has received it rolled back. */
  public Outcome rolledBack() {
    return failed(
        Failure.of(Kind.FAILED, "the transaction in which it was received was rolled back"));
  }

  private Outcome failed(Failure failure) {
    return remaining() == 0
        ? new Outcome.Discarded(failure)
        : new Outcome.Retry(policy.pauseAfter(counted, random), true, failure);
  }
}
