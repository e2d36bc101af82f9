package org.readpast.model;

import org.jspecify.annotations.Nullable;
import org.readpast.api.FailNowException;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.RetryLaterException;
import org.readpast.model.Failure.Kind;

/**
 * Decides the outcome of an attempt from the result or the exception of the handler.
 *
 * @param counted the number of attempts that have counted, including this one
 * @param own the maximum number of attempts of this job, or null for that of the policy
 * @param random a number from 0 (inclusive) to 1 (exclusive) that selects a pause in its range
 */
public record Verdict(int counted, @Nullable Integer own, RetryPolicy policy, double random) {

  /** Returns the maximum number of attempts of a job, or {@link JobRequest#UNLIMITED}. */
  public static int mostAttempts(@Nullable Integer own, RetryPolicy policy) {
    return own == null ? policy.maxAttempts() : own;
  }

  /** Returns how many attempts remain after this one, or {@link JobRequest#UNLIMITED}. */
  public int remaining() {
    int most = mostAttempts(own, policy);
    return most == JobRequest.UNLIMITED ? most : Math.max(0, most - counted);
  }

  /**
   * Decides after the handler has returned.
   *
   * @param written the handler's result as JSON, or null if there is none
   */
  public Outcome returned(@Nullable JobResult result, @Nullable String written) {
    if (result instanceof JobResult.RetryLater later) {
      Failure failure =
          Failure.of(Kind.RETRY_LATER, "the handler asked to be retried in " + later.pause());
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
   * Decides after the handler has thrown an exception.
   *
   * @param failure the failure that is stored for the exception
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

  /** Decides after the application that received the job has rolled back. */
  public Outcome rolledBack() {
    return failed(Failure.of(Kind.FAILED, "the transaction that received the job was rolled back"));
  }

  private Outcome failed(Failure failure) {
    return remaining() == 0
        ? new Outcome.Discarded(failure)
        : new Outcome.Retry(policy.pauseAfter(counted, random), true, failure);
  }
}
