package org.readpast.api;

import java.util.List;

/**
 * Puts jobs into queues, in the caller's transaction.
 *
 * <p>Inject it: {@code @Inject JobQueue jobs}. With a JTA transaction active an enqueue joins it
 * and never commits: the jobs exist if and only if that transaction commits. Without one, each call
 * makes a transaction of its own. A queue that does not exist yet is created with the default
 * settings.
 */
public interface JobQueue {

  /**
   * Enqueues one job with the defaults of its type.
   *
   * @param payload a record (or bean) whose class bears {@link JobType}; stored as JSON
   * @throws JobRejectedException if the payload has no job type, cannot be written as JSON or is
   *     too large
   */
  default Enqueued enqueue(Object payload) {
    return enqueue(JobRequest.of(payload));
  }

  /**
   * Enqueues one job.
   *
   * @throws JobRejectedException if the request breaks a rule; the message names the field, the
   *     rule and the way out
   */
  Enqueued enqueue(JobRequest request);

  /**
   * Enqueues many jobs, set-based: one statement for each thousand.
   *
   * @param jobs payloads, {@link JobRequest}s, or both
   * @return one result for each job, in the order given; all jobs are enqueued, or none
   * @throws JobRejectedException if one of them breaks a rule
   */
  List<Enqueued> enqueueAll(Iterable<?> jobs);

  /**
   * A named set of jobs that are worked in waves; it need not exist yet.
   *
   * @param name up to 255 characters
   */
  Batch batch(String name);
}
