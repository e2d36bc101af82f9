package org.readpast.engine;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.readpast.api.FailNowException;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.RetryLaterException;
import org.readpast.model.Failure;
import org.readpast.model.Failure.Kind;
import org.readpast.model.Outcome;
import org.readpast.model.RetryPolicy;
import org.readpast.store.ClaimedJob;

/** Calls a handler, and judges how its attempt ended. */
final class Execution {
  private Execution() {}

  /** Calls the handler on this thread; never throws. */
  static Outcome run(Attempt attempt, Handling handling) {
    JobResult result = null;
    String written = null;
    Throwable thrown = null;
    try {
      result = handling.work().work(attempt.job().payload(), attempt);
      written = result instanceof JobResult.Done done ? attempt.written(done) : null;
    } catch (Throwable t) {
      thrown = t;
    }
    Attempt.Stop stop = attempt.finish();
    // The watch may have interrupted this thread just as the handler ended; the engine's own steps
    // must not feel it.
    Thread.interrupted();
    if (stop == Attempt.Stop.ABANDONED) {
      return new Outcome.NotOurs();
    }
    if (thrown == null) {
      return verdict(attempt.job(), handling.retries(), result, written);
    }
    if (stop == Attempt.Stop.OWNER_LOST && !attempt.job().leased()) {
      return new Outcome.NotOurs();
    }
    if (stop == Attempt.Stop.OWNER_LOST || stop == Attempt.Stop.SHUTDOWN) {
      return stopped(attempt.job(), handling.retries(), stop);
    }
    if (attempt.cancellationRequested()) {
      return new Outcome.Cancelled(Failure.of(Kind.FAILED, thrown));
    }
    return failed(attempt.job(), handling, thrown, stop == Attempt.Stop.TIMED_OUT);
  }

  /** What is said of a handler that was given up on. */
  static Outcome abandoned(ClaimedJob job, Handling handling) {
    return failed(
        job,
        handling,
        new TimeoutException("the handler did not end when it was interrupted"),
        true);
  }

  /**
   * What it means that the database broke off after the handler was through: its work is undone, it
   * is not to blame.
   */
  static Outcome brokenOff(Handling handling, Throwable why) {
    return new Outcome.Retry(
        handling.retries().pauseAfter(1, random()), false, Failure.of(Kind.FAILED, why));
  }

  static Outcome failed(ClaimedJob job, Handling handling, Throwable thrown, boolean timedOut) {
    if (thrown instanceof RetryLaterException later) {
      return new Outcome.Retry(
          later.pause(), false, Failure.of(Kind.RETRY_LATER, String.valueOf(later.getMessage())));
    }
    Failure failure = failure(handling, thrown, timedOut);
    if (thrown instanceof FailNowException || handling.retries().abortsOn(thrown)) {
      return new Outcome.Discarded(failure);
    }
    return retryOrDiscard(job, handling.retries(), failure);
  }

  private static Failure failure(Handling handling, Throwable thrown, boolean timedOut) {
    if (timedOut) {
      Failure cause = Failure.of(Kind.TIMED_OUT, thrown);
      return new Failure(
          Kind.TIMED_OUT,
          cause.exception(),
          "took longer than " + handling.timeout() + " and was interrupted; see its timeout",
          cause.trace());
    }
    return Failure.of(
        thrown instanceof UnreadablePayloadException ? Kind.UNREADABLE : Kind.FAILED, thrown);
  }

  /**
   * Ended from outside: tried again without counting, unless it may run at most once. Refused if it
   * was taken over.
   */
  private static Outcome stopped(ClaimedJob job, RetryPolicy policy, Attempt.Stop why) {
    Failure failure =
        Failure.of(
            Kind.OWNER_LOST,
            why == Attempt.Stop.SHUTDOWN
                ? "the node stopped before the handler was through"
                : "the node lost touch with the database before the handler was through");
    if (job.leased() && mostAttempts(job, policy) == 1) {
      return new Outcome.Discarded(failure);
    }
    return new Outcome.Retry(Duration.ZERO, false, failure);
  }

  private static Outcome verdict(
      ClaimedJob job, RetryPolicy policy, @Nullable JobResult result, @Nullable String written) {
    if (result instanceof JobResult.RetryLater later) {
      Failure failure =
          Failure.of(Kind.RETRY_LATER, "the handler asked to be tried again in " + later.pause());
      return later.counted() && outOfAttempts(job, policy)
          ? new Outcome.Discarded(failure)
          : new Outcome.Retry(later.pause(), later.counted(), failure);
    }
    if (result instanceof JobResult.FailNow never) {
      return new Outcome.Discarded(Failure.of(Kind.FAILED, never.reason()));
    }
    return new Outcome.Completed(written);
  }

  /** What becomes of a job when the application that has received it rolls back. */
  static Outcome rolledBack(ClaimedJob job, RetryPolicy policy) {
    return retryOrDiscard(
        job,
        policy,
        Failure.of(Kind.FAILED, "the transaction in which it was received was rolled back"));
  }

  private static Outcome retryOrDiscard(ClaimedJob job, RetryPolicy policy, Failure failure) {
    return outOfAttempts(job, policy)
        ? new Outcome.Discarded(failure)
        : new Outcome.Retry(policy.pauseAfter(job.countedAttempts(), random()), true, failure);
  }

  private static boolean outOfAttempts(ClaimedJob job, RetryPolicy policy) {
    int most = mostAttempts(job, policy);
    return most != JobRequest.UNLIMITED && job.countedAttempts() >= most;
  }

  static int mostAttempts(ClaimedJob job, RetryPolicy policy) {
    Integer own = job.maxAttempts();
    return own == null ? policy.maxAttempts() : own;
  }

  private static double random() {
    return ThreadLocalRandom.current().nextDouble();
  }
}
