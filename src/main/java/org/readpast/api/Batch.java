package org.readpast.api;

/**
 * Represents a named, open-ended set of jobs that run in waves: {@code jobs.batch("year-end")}.
 *
 * <pre>{@code
 * jobs.batch("year-end-2026")
 *     .wave(100, closings)
 *     .wave(200, new PrintBalance(2026), new MailBalance(2026))
 *     .onSuccess(new Congratulate("accounting"))
 *     .seal();
 * }</pre>
 *
 * <p>Jobs of one wave run concurrently; a job starts once every job of all lower waves has ended.
 * Wave numbers need not be consecutive, and jobs can be added while the batch runs. A job that is
 * added to a lower wave holds back the jobs that still wait for their wave, but not those that only
 * wait for their turn in a group. Each method takes effect immediately, in the caller's
 * transaction, as {@link JobQueue#enqueue} does. The first call creates the batch, even if the
 * caller's transaction rolls back.
 */
@CanIgnoreReturnValue
public interface Batch {
  /**
   * Sets what happens to this batch when one of its jobs is discarded; {@link BatchFailure#HOLD} by
   * default. The policy is a setting of the batch. To enqueue a job on a discard, use {@link
   * #onDiscard}.
   *
   * @throws JobRejectedException if the batch exists with another policy
   */
  Batch failurePolicy(BatchFailure policy);

  /**
   * Adds jobs to a wave.
   *
   * @param number from 0
   * @param jobs payloads, {@link JobRequest}s, or collections of these
   * @throws BatchSealedException if the batch is sealed
   */
  Batch wave(int number, Object... jobs);

  /**
   * Enqueues this job once, when the batch is sealed and all its jobs have succeeded.
   *
   * @param job a payload or a {@link JobRequest} that waits for no other job and has no delay,
   *     expiry, unique key or content type; if this is called more than once, the first job is used
   */
  Batch onSuccess(Object job);

  /**
   * Enqueues this job once, when a job of the batch is discarded for the first time.
   *
   * @param job as for {@link #onSuccess}
   */
  Batch onDiscard(Object job);

  /**
   * Enqueues this job once, when the batch is sealed and all its jobs have ended, whether they
   * succeeded or not.
   *
   * @param job as for {@link #onSuccess}
   */
  Batch onFinish(Object job);

  /**
   * Closes the batch to additions, once the caller's transaction and all transactions that are
   * adding to the batch have ended. A batch without jobs is then finished. A finished batch is
   * removed together with its last job; a batch that is never sealed is kept.
   */
  void seal();
}
