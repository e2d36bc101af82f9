package org.readpast.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Puts jobs into queues, finds and changes them, and takes them out where no handler does, in the
 * caller's transaction.
 *
 * <p>Inject it: {@code @Inject JobQueue jobs}. With a JTA transaction active an enqueue joins it
 * and never commits: the jobs exist if and only if that transaction commits. Without one, the jobs
 * are committed when the call returns; calls on several threads may share that commit. A queue that
 * does not exist yet is created with the default settings.
 *
 * <p>All other methods, too, join the caller's transaction unless they say otherwise: what they
 * change is undone if it rolls back, and a job that they have changed is claimed by no node before
 * it has ended. Without a transaction a change is committed when the call returns. A refused call
 * has changed nothing, and marks the caller's transaction for rollback.
 *
 * <p>Every method throws a {@link DatabaseUnavailableException} if the database does not answer.
 */
public interface JobQueue {

  /**
   * Enqueues one job with the defaults of its type.
   *
   * @param payload a record (or bean) whose class has {@link JobType}; stored as JSON. A {@link
   *     JobRequest} is enqueued as by {@link #enqueue(JobRequest)}; for a list of payloads there is
   *     {@link #enqueueAll}
   * @throws JobRejectedException if the payload has no job type, cannot be written as JSON or is
   *     too large
   */
  @CanIgnoreReturnValue
  default Enqueued enqueue(Object payload) {
    return enqueue(JobRequest.of(payload));
  }

  /**
   * Enqueues one job.
   *
   * @throws JobRejectedException if the request breaks a rule; the message names the field, the
   *     rule and the way out
   */
  @CanIgnoreReturnValue
  Enqueued enqueue(JobRequest request);

  /**
   * Enqueues many jobs, set-based: one statement for each 1,000 jobs or 4 million characters of
   * payloads and properties, all in one transaction.
   *
   * @param jobs payloads, {@link JobRequest}s, or both
   * @return one result for each job, in the order given; all jobs are enqueued, or none
   * @throws JobRejectedException if one of them breaks a rule
   */
  @CanIgnoreReturnValue
  List<Enqueued> enqueueAll(Iterable<?> jobs);

  /**
   * A named set of jobs that are worked in waves; it need not exist yet.
   *
   * @param name up to 255 characters
   */
  Batch batch(String name);

  /**
   * Receives a job in the caller's transaction, waiting for one if need be: the job ends as
   * COMPLETED when that commits. When it rolls back, the attempt is counted and the job is tried
   * again after the pause of its type's {@link Retries}, or is DISCARDED when it was the last one;
   * when this server dies before the commit, the job is simply there again. {@link ReceivedJob} has
   * it tried later or discarded instead.
   *
   * <p>Jobs of types that have handlers are taken from the same line as the handlers' receivers
   * take them. A paused queue gives nothing; the limits of the queue and of the type over all nodes
   * hold, their concurrency on this node does not. To wait is to hold the transaction open: it
   * wants the isolation level READ COMMITTED and a timeout of its own that is longer than the wait,
   * and what it has written before stays locked meanwhile.
   *
   * @param timeout how long to wait; zero: not at all
   * @param types of these types only; none: of any
   * @return empty when none came in time, the thread was interrupted or the server stops
   * @throws ReadpastException if there is no transaction, or it could never see a job that comes
   */
  Optional<ReceivedJob> receive(String queue, Duration timeout, String... types);

  /**
   * Looks at the live jobs of a queue that match, oldest first, and locks nothing. In a transaction
   * it sees what that has enqueued.
   */
  List<Job> browse(String queue, JobSelection selection);

  /**
   * Ends all jobs that wait in a queue now as CANCELLED; those in work stay. Not part of the
   * caller's transaction: goes in steps, each in a transaction of its own.
   *
   * @return how many were ended
   */
  @CanIgnoreReturnValue
  int purge(String queue);

  /**
   * Finds a job, live or ended.
   *
   * @return the job as it is now, also one that the caller's transaction has enqueued; empty if it
   *     never existed, or its retention has passed
   */
  Optional<JobStatus> find(long id);

  /**
   * Finds the live job that holds a unique key.
   *
   * @param uniqueKey up to 255 characters
   * @return the job as it is now; empty if no live job holds the key: one that has ended does not
   */
  Optional<JobStatus> find(String uniqueKey);

  /** Finds the first hundred jobs with a correlation id, live or ended, oldest first. */
  default List<JobStatus> findByCorrelationId(String correlationId) {
    return findByCorrelationId(correlationId, 0, 100);
  }

  /**
   * Finds a page of the jobs with a correlation id, live or ended, of all queues, oldest first.
   *
   * @param correlationId up to 255 characters
   * @param after ids above this only: that of the last job of the page before; 0 for the first page
   * @param limit 1 to 1,000
   */
  List<JobStatus> findByCorrelationId(String correlationId, long after, int limit);

  /**
   * Makes a SCHEDULED job due now, whether it is delayed or waits for its next attempt.
   *
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if it is not SCHEDULED
   */
  void runNow(long id);

  /**
   * Changes when a job becomes due that has not begun, or waits for its next attempt. A job of a
   * group keeps its turn, and holds those behind it.
   *
   * @param at a moment between the years 1970 and 9999; one that has passed makes the job due now.
   *     When the job expires does not change.
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if it is not SCHEDULED or AVAILABLE: it runs, has ended, or is
   *     BLOCKED by others
   */
  void reschedule(long id, Instant at);

  /**
   * Cancels a job that waits; asks one that is in work to end. A job that waits for others ends
   * just after the commit of the caller's transaction.
   *
   * @return whether it has ended; false: it was asked to, or will just after the commit
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if it has ended already
   */
  @CanIgnoreReturnValue
  boolean cancel(long id);

  /**
   * Cancels the live job that holds a unique key, as {@link #cancel(long)} does.
   *
   * @param uniqueKey up to 255 characters
   * @throws NotFoundException if no live job holds it
   */
  @CanIgnoreReturnValue
  boolean cancel(String uniqueKey);

  /**
   * Brings a DISCARDED, CANCELLED or EXPIRED job back, with its full number of attempts.
   *
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if it is live or COMPLETED, a live job holds its unique key, or
   *     jobs that would have waited for it have started, or wait for it no more
   */
  void reset(long id);

  /**
   * Pauses a queue on all nodes: its jobs are no longer claimed; running ones continue. Lasts until
   * {@link #resume}, also across restarts. Keep the transaction short: until it ends, others that
   * change this queue's settings wait.
   */
  void pause(String queue);

  /** Has the jobs of a paused queue claimed again; no change if it is not paused. */
  void resume(String queue);

  /**
   * Waits for the end of a job, wherever it is worked. With {@link JobRequest#correlationId} and a
   * handler that gives a result, this is request and reply.
   *
   * @param timeout how long to wait; zero: not at all
   * @return how it ended and what its handler gave, or where it stands when the time is up or the
   *     thread was interrupted; a queue that keeps no completed jobs gives no result
   * @throws NotFoundException if the job does not exist
   * @throws ReadpastException if it was enqueued in the caller's own transaction, which must be
   *     committed first
   */
  JobReply await(long id, Duration timeout);
}
