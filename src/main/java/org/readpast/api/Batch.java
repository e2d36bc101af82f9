package org.readpast.api;

/**
 * A named, open-ended set of jobs, worked in waves: {@code jobs.batch("year-end")}.
 *
 * <pre>{@code
 * jobs.batch("year-end-2026")
 *     .wave(100, closings)
 *     .wave(200, new PrintBalance(2026), new MailBalance(2026))
 *     .onSuccess(new Congratulate("accounting"))
 *     .seal();
 * }</pre>
 *
 * <p>Jobs of one wave run together; a job starts once every job of all lower waves has ended. Wave
 * numbers need not be consecutive, and jobs can be added while the batch runs: one of a lower wave
 * holds back what still waits for its wave, but not what waits only for the turn of its group. Each
 * method acts at once, in the caller's transaction like {@link JobQueue#enqueue}; the batch itself
 * comes to be with the first of them, whatever becomes of that transaction.
 */
@CanIgnoreReturnValue
public interface Batch {
  /**
   * Sets what becomes of this batch when one of its jobs is discarded; {@link BatchFailure#HOLD} by
   * default. This is a setting of the batch; a job to be enqueued then is given by {@link
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
   * Enqueues this job once, when the batch is sealed and all its jobs have ended well.
   *
   * @param job a payload or a {@link JobRequest} that waits for no other and has no delay, expiry,
   *     unique key or content type; the first one said counts
   */
  Batch onSuccess(Object job);

  /** Enqueues this job once, when a job of the batch is discarded for the first time. */
  Batch onDiscard(Object job);

  /**
   * Enqueues this job once, when the batch is sealed and all its jobs have ended, well or badly.
   */
  Batch onFinish(Object job);

  /**
   * Closes the batch to additions, once the caller's transaction and those that are adding to it
   * have ended. Without jobs it is then finished. A finished one is forgotten with its last job;
   * one that nobody closes is kept.
   */
  void seal();
}
