package org.readpast.engine;

import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.readpast.api.FailNowException;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.api.RetryLaterException;
import org.readpast.model.Failure;
import org.readpast.model.Failure.Kind;
import org.readpast.model.Outcome;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Verdict;
import org.readpast.store.ClaimedJob;

/** Calls a handler, and determines the outcome of its attempt. */
final class HandlerInvoker {
  private HandlerInvoker() {}

  /**
   * Calls the handler on this thread; never throws an exception.
   *
   * @param infrastructureFault returns true if an exception was not caused by the handler, but by a
   *     database connection that broke, or by an outage of the database
   */
  static Outcome run(
      Attempt attempt, HandlerDefinition handler, Predicate<Throwable> infrastructureFault) {
    Instrumentation.Observation observed = attempt.observed();
    Outcome outcome = call(attempt, handler, infrastructureFault);
    observed.end(outcome instanceof Outcome.Fault fault ? fault.uncounted() : outcome);
    return outcome;
  }

  private static Outcome call(
      Attempt attempt, HandlerDefinition handler, Predicate<Throwable> infrastructureFault) {
    JobResult result = null;
    String resultJson = null;
    Throwable thrown = null;
    try {
      attempt.requireStartable();
      checkEnqueuer(attempt.job(), handler);
      result = handler.work().work(attempt.job().payload(), attempt);
      resultJson = result instanceof JobResult.Done done ? attempt.resultJson(done) : null;
    } catch (Throwable t) {
      thrown = t;
    }
    Attempt.StopReason stop = attempt.finish();
    // The watchdog may have interrupted this thread just as the handler ended. The interrupt must
    // not affect the engine's own steps.
    Thread.interrupted();
    if (stop == Attempt.StopReason.ABANDONED) {
      return new Outcome.NotOurs();
    }
    if (thrown == null) {
      return verdict(attempt.job(), handler.retries()).returned(result, resultJson);
    }
    if (stop == Attempt.StopReason.OWNER_LOST || stop == Attempt.StopReason.SHUTDOWN) {
      return stopped(attempt, handler.retries(), stop);
    }
    if (attempt.cancellationRequested()) {
      return new Outcome.Cancelled(Failure.of(Kind.FAILED, thrown));
    }
    boolean timedOut = stop == Attempt.StopReason.TIMED_OUT;
    if (thrown instanceof UnreadablePayloadException && !timedOut) {
      return new Outcome.Unreadable(Failure.of(Kind.UNREADABLE, thrown));
    }
    if ((timedOut && !attempt.transactional())
        || decidedByHandler(attempt, handler, thrown)
        || !infrastructureFault.test(thrown)) {
      return failed(attempt.job(), handler, thrown, timedOut);
    }
    return infrastructureFault(attempt.job(), handler, thrown, attempt.transactional());
  }

  /**
   * Returns true if the handler decides with its exception whether the job is retried. If the
   * database ended a transactional attempt, the exception does not decide, because the outage may
   * have caused it.
   */
  private static boolean decidedByHandler(
      Attempt attempt, HandlerDefinition handler, Throwable thrown) {
    return !attempt.transactional()
        && (thrown instanceof FailNowException
            || thrown instanceof RetryLaterException
            || handler.retries().abortsOn(thrown));
  }

  private static void checkEnqueuer(ClaimedJob job, HandlerDefinition handler) {
    if (!job.enqueuedBy().isInOneOf(handler.roles())) {
      String name = job.enqueuedBy().name();
      throw new FailNowException(
          "jobs of type '"
              + job.type()
              + "' may only be enqueued by callers with one of the roles "
              + new TreeSet<>(handler.roles())
              + ", but this job was enqueued by "
              + (name == null ? "a caller that was not signed in" : "'" + name + "'")
              + ", and none of these roles was stored for that caller. Enqueue the job as"
              + " a caller with such a role, in an application that has the"
              + " handler, or the payload class with @RolesAllowed");
    }
  }

  /**
   * Returns the outcome of an attempt whose handler was abandoned.
   *
   * @param endedByDatabase true if the handler's changes are rolled back and the database was
   *     unavailable during the attempt
   */
  static Outcome abandoned(ClaimedJob job, HandlerDefinition handler, boolean endedByDatabase) {
    Throwable why = new TimeoutException("the handler did not end when it was interrupted");
    return endedByDatabase
        ? infrastructureFault(job, handler, why, true)
        : failed(job, handler, why, true);
  }

  /**
   * Returns the outcome of an attempt that was ended by a broken database connection, an outage of
   * the database of the jobs, or an error in the engine itself.
   *
   * @param rolledBack true if the handler's changes are rolled back, so that it may run again even
   *     if the job may be attempted only once
   */
  static Outcome infrastructureFault(
      ClaimedJob job, HandlerDefinition handler, Throwable why, boolean rolledBack) {
    Throwable fault = new InfrastructureFaultException(why);
    return fault(job, handler.retries(), fault, rolledBack, failed(job, handler, fault, false));
  }

  private static Outcome fault(
      ClaimedJob job, RetryPolicy policy, Throwable fault, boolean rolledBack, Outcome counted) {
    Failure failure = Failure.of(Kind.FAILED, fault);
    Duration pause = policy.pauseAfter(1, random());
    return new Outcome.Fault(uncounted(job, policy, pause, failure, rolledBack), counted);
  }

  static Outcome failed(
      ClaimedJob job, HandlerDefinition handler, Throwable thrown, boolean timedOut) {
    return verdict(job, handler.retries()).threw(thrown, failure(handler, thrown, timedOut));
  }

  private static Failure failure(HandlerDefinition handler, Throwable thrown, boolean timedOut) {
    if (timedOut) {
      Failure cause = Failure.of(Kind.TIMED_OUT, thrown);
      return new Failure(
          Kind.TIMED_OUT,
          cause.exception(),
          "the handler ran longer than its timeout of "
              + handler.timeout()
              + " and was interrupted; make it faster, or raise the timeout of its type",
          cause.trace());
    }
    return Failure.of(Kind.FAILED, thrown);
  }

  /**
   * Returns the outcome of an attempt that the engine has stopped. The job is retried and the
   * attempt does not count, unless the job may be attempted only once. If the job was taken over,
   * the fence refuses the outcome.
   */
  private static Outcome stopped(Attempt attempt, RetryPolicy policy, Attempt.StopReason why) {
    Failure failure =
        Failure.of(
            Kind.OWNER_LOST,
            why == Attempt.StopReason.SHUTDOWN
                ? "the node stopped before the handler had ended"
                : "the node lost its lease of the job before the handler had ended");
    return uncounted(attempt.job(), policy, Duration.ZERO, failure, attempt.transactional());
  }

  private static Outcome uncounted(
      ClaimedJob job, RetryPolicy policy, Duration pause, Failure failure, boolean rolledBack) {
    boolean mayRunAgain = rolledBack || Verdict.mostAttempts(job.maxAttempts(), policy) != 1;
    return mayRunAgain ? new Outcome.Retry(pause, false, failure) : new Outcome.Discarded(failure);
  }

  /** Returns the outcome of a job whose receiving application has rolled back. */
  static Outcome rolledBack(ClaimedJob job, RetryPolicy policy) {
    return verdict(job, policy).rolledBack();
  }

  /** Returns the outcome of a received job whose transaction an outage has rolled back. */
  static Outcome rolledBackInOutage(ClaimedJob job, RetryPolicy policy) {
    Throwable fault =
        new InfrastructureFaultException(
            new ReadpastException(
                "the transaction that received the job was rolled back, and the database was"
                    + " unavailable at that time"));
    return fault(job, policy, fault, true, rolledBack(job, policy));
  }

  /**
   * Returns the outcome of a job whose receiving application has rolled back and has specified a
   * result.
   */
  static Outcome decided(ClaimedJob job, RetryPolicy policy, JobResult result) {
    return verdict(job, policy).returned(result, null);
  }

  private static Verdict verdict(ClaimedJob job, RetryPolicy policy) {
    return new Verdict(job.countedAttempts(), job.maxAttempts(), policy, random());
  }

  private static double random() {
    return ThreadLocalRandom.current().nextDouble();
  }
}
