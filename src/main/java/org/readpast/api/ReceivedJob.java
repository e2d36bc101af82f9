package org.readpast.api;

import java.time.Duration;

/**
 * A job that {@link JobQueue#receive} has received in the caller's transaction. It ends as
 * COMPLETED when that commits, unless the caller decides otherwise:
 *
 * <pre>{@code
 * ReceivedJob job = jobs.receive("inbox", Duration.ZERO).orElseThrow();
 * if (!bank.isOpen()) {
 *   job.retryLater(Duration.ofMinutes(10));
 *   return; // rolls back
 * }
 * }</pre>
 *
 * <p>As with {@link JobResult#retryLater} and {@link JobResult#failNow} of a handler, what the
 * caller has written in that transaction does not take effect: both methods mark the transaction
 * for rollback, and the job is dealt with once it has rolled back. A caller that commits by itself
 * gets the container's {@code RollbackException}.
 */
public interface ReceivedJob extends Job {
  /**
   * Rolls the transaction back, and has the job tried again after a pause; does not count as an
   * attempt.
   *
   * @param pause from PT0S to P36500D
   * @throws StateConflictException if the current transaction is not the one that received the job,
   *     or its end was decided already
   */
  void retryLater(Duration pause);

  /**
   * Rolls the transaction back, and ends the job as DISCARDED, whatever attempts remain.
   *
   * @param reason kept as the failure's message
   * @throws StateConflictException if the current transaction is not the one that received the job,
   *     or its end was decided already
   */
  void failNow(String reason);
}
