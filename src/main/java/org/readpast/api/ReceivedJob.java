package org.readpast.api;

import java.time.Duration;

/**
 * Represents a job that {@link JobQueue#receive} has received in the caller's transaction. The job
 * ends as COMPLETED when the transaction commits, unless the caller decides otherwise.
 *
 * <pre>{@code
 * ReceivedJob job = jobs.receive("inbox", Duration.ZERO).orElseThrow();
 * if (!bank.isOpen()) {
 *   job.retryLater(Duration.ofMinutes(10));
 *   return; // rolls back
 * }
 * }</pre>
 *
 * <p>{@link #retryLater} and {@link #failNow} mark the transaction for rollback, so what the caller
 * has written in it does not take effect, as with {@link JobResult#retryLater} and {@link
 * JobResult#failNow} of a handler. The job is retried or discarded once the transaction has rolled
 * back. A caller that commits the transaction itself receives the container's {@code
 * RollbackException}.
 */
public interface ReceivedJob extends Job {
  /**
   * Marks the transaction for rollback; the job is then retried after a pause, without counting the
   * attempt.
   *
   * @param pause the pause before the next attempt, from PT0S to P36500D
   * @throws StateConflictException if the current transaction is not the one that received the job,
   *     or if the end of the job has already been decided
   */
  void retryLater(Duration pause);

  /**
   * Marks the transaction for rollback; the job then ends as DISCARDED, even if attempts remain.
   *
   * @param reason the reason, which is stored as the message of the failure
   * @throws StateConflictException if the current transaction is not the one that received the job,
   *     or if the end of the job has already been decided
   */
  void failNow(String reason);
}
