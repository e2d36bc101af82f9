package org.readpast.model;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Describes what happens to a job after an attempt. */
public sealed interface Outcome {
  /**
   * Ends the job as COMPLETED.
   *
   * @param result the handler's result as JSON, or null if it returned none
   */
  record Completed(@Nullable String result) implements Outcome {}

  /**
   * Ends the job as COMPLETED, and enqueues other jobs in the same transaction.
   *
   * @param result the handler's result as JSON, or null if it returned none
   * @param toEnqueue the jobs to enqueue
   * @param refused returns the outcome of the job if the database refuses to enqueue the jobs
   */
  record CompletedAndEnqueued(
      @Nullable String result, List<NewJob> toEnqueue, Function<RuntimeException, Outcome> refused)
      implements Outcome {}

  /**
   * Retries the job.
   *
   * @param pause the time until the next attempt
   * @param counted true if the attempt counts towards the maximum
   * @param failure the failure of the attempt, which is stored
   */
  record Retry(Duration pause, boolean counted, Failure failure) implements Outcome {}

  /**
   * Decides later, because an infrastructure fault ended the attempt, such as an outage of the
   * database. The attempt counts only if the previous attempts of the job ended in the same way, so
   * that the job itself may cause the faults.
   *
   * @param uncounted the outcome if the attempt does not count
   * @param counted the outcome if the attempt counts
   */
  record Fault(Outcome uncounted, Outcome counted) implements Outcome {}

  /** Leaves the job to a node that can read its payload; the handler was not called. */
  record Unreadable(Failure failure) implements Outcome {}

  /** Ends the job as DISCARDED. */
  record Discarded(Failure failure) implements Outcome {}

  /**
   * Changes nothing, because this node no longer owns the job, or the end of the job has already
   * been decided.
   */
  record NotOurs() implements Outcome {}

  /** Ends the job as CANCELLED, because a cancellation was requested. */
  record Cancelled(Failure failure) implements Outcome {}
}
