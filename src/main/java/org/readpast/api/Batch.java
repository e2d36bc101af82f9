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
 * Wave numbers need not be consecutive, and jobs can be added while the batch runs. If a job is
 * added to a lower wave, jobs that still wait for their wave have to wait for it, but not those
 * that only wait for their group. Each method takes effect immediately, in the caller's
 * transaction, as {@link JobQueue#enqueue} does. The first call creates the batch, and the batch
 * remains even if the caller's transaction rolls back.
 */
@CanIgnoreReturnValue
public interface Batch {
  /**
   * Sets what happens to this batch when one of its jobs is discarded; {@link BatchFailure#HOLD} by
   * default. The policy is a setting of the batch. To enqueue a job when a job is discarded, use
   * {@link #onDiscard}.
   *
   * @throws JobRejectedException if the batch exists with another policy
   */
  Batch failurePolicy(BatchFailure policy);

  /**
   * Adds jobs to a wave.
   *
   * @param number the number of the wave, from 0
   * @param jobs payloads, {@link JobRequest}s, or collections of these
   * @throws BatchSealedException if the batch is sealed
   */
  Batch wave(int number, Object... jobs);

  /**
   * Registers a job that is enqueued once, when the batch is sealed and all its jobs have
   * succeeded.
   *
   * @param job a payload or a {@link JobRequest} that waits for no other job and has no delay,
   *     expiry, unique key or content type; if this method is called more than once, the first job
   *     is used
   */
  Batch onSuccess(Object job);

  /**
   * Registers a job that is enqueued once, when a job of the batch is discarded for the first time.
   *
   * @param job as for {@link #onSuccess}
   */
  Batch onDiscard(Object job);

  /**
   * Registers a job that is enqueued once, when the batch is sealed and all its jobs have ended,
   * successfully or not.
   *
   * @param job as for {@link #onSuccess}
   */
  Batch onFinish(Object job);

  /**
   * Closes the batch to further jobs, once the caller's transaction and all transactions that are
   * adding jobs to the batch have ended. A sealed batch without jobs is finished immediately. A
   * batch is removed when it has been finished for seven days and none of its jobs is stored any
   * more. A batch that is never sealed is kept.
   */
  void seal();
}
