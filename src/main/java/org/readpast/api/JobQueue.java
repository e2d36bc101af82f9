package org.readpast.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Enqueues, finds and changes jobs, and receives those that have no handler, in the caller's
 * transaction.
 *
 * <p>Inject the queue with {@code @Inject JobQueue jobs}. If a JTA transaction is active, an
 * enqueue joins it and never commits: the jobs exist if and only if that transaction commits.
 * Outside a transaction, the jobs are committed when the call returns; concurrent calls may share
 * one commit. A queue that does not exist is created with the default settings.
 *
 * <p>Unless the description of a method says otherwise, the method joins the caller's transaction.
 * A rollback of the transaction undoes the changes. Until the transaction has ended, no node claims
 * a job that it has changed. Outside a transaction, a change is committed when the call returns. A
 * call that is refused changes nothing and marks the caller's transaction for rollback.
 *
 * <p>Every method throws a {@link DatabaseUnavailableException} if the database does not respond.
 */
public interface JobQueue {

  /**
   * Enqueues one job with the defaults of its type.
   *
   * @param payload a record or bean whose class is annotated with {@link JobType}; stored as JSON.
   *     A {@link JobRequest} is enqueued as by {@link #enqueue(JobRequest)}. To enqueue a list of
   *     payloads, use {@link #enqueueAll}.
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
   *     rule and how to fix it
   */
  @CanIgnoreReturnValue
  Enqueued enqueue(JobRequest request);

  /**
   * Enqueues many jobs in one transaction, with one statement for each 1,000 jobs or 4 million
   * characters of payloads and properties.
   *
   * @param jobs payloads, {@link JobRequest}s, or a mixture of both
   * @return one result for each job, in the given order; all jobs are enqueued, or none if one is
   *     refused
   * @throws JobRejectedException if one of the jobs breaks a rule
   */
  @CanIgnoreReturnValue
  List<Enqueued> enqueueAll(Iterable<?> jobs);

  /**
   * Returns the batch with this name: a named set of jobs that run in waves. The batch does not
   * need to exist yet.
   *
   * @param name the name of the batch, up to 255 characters
   */
  Batch batch(String name);

  /**
   * Receives a job in the caller's transaction, and waits for one if necessary. When the
   * transaction commits, the job ends as COMPLETED. When the transaction rolls back, the attempt is
   * counted, and the job is retried after the pause of its type's {@link Retries}, or DISCARDED if
   * that was its last attempt. The {@link ReceivedJob} can instead be retried later, or discarded.
   * If this server dies before the commit, the job is taken over as soon as its node has been
   * declared dead: it becomes available again, or is DISCARDED if the number of consecutive nodes
   * that died while running it equals its number of attempts.
   *
   * <p>If the job's type has handlers, this call competes with their receivers for the same jobs. A
   * paused queue delivers no jobs. The limits of the queue and of the job type across all nodes
   * apply, but not their concurrency limits on this node. Waiting keeps the transaction open, so
   * the transaction needs the isolation level READ COMMITTED and a timeout that is longer than the
   * wait. Rows that the transaction has already written stay locked during the wait.
   *
   * @param timeout how long to wait for a job; zero to return immediately
   * @param types names of the job types to receive; if there are none, jobs of any type
   * @return the job; empty if none became available in time, the thread was interrupted or the
   *     server is stopping
   * @throws ReadpastException if there is no transaction, or if its isolation level would keep it
   *     from seeing new jobs
   */
  Optional<ReceivedJob> receive(String queue, Duration timeout, String... types);

  /**
   * Returns the live jobs of a queue that match a selection, oldest first, without locking them. In
   * a transaction, the result includes the jobs that the transaction has enqueued.
   */
  List<Job> browse(String queue, JobSelection selection);

  /**
   * Cancels all jobs of a queue that are waiting now; running jobs continue. This method does not
   * join the caller's transaction: it works in steps, each in a separate transaction.
   *
   * @return the number of jobs that were cancelled
   */
  @CanIgnoreReturnValue
  int purge(String queue);

  /**
   * Finds a live or ended job.
   *
   * @return the current state of the job, even if the caller's transaction has enqueued it; empty
   *     if it never existed or its retention has expired
   */
  Optional<JobStatus> find(long id);

  /**
   * Finds the live job that has a unique key.
   *
   * @param uniqueKey the unique key, up to 255 characters
   * @return the current state of the job; empty if no live job has the key. A job that has ended no
   *     longer has its unique key
   */
  Optional<JobStatus> find(String uniqueKey);

  /** Finds the oldest hundred jobs with a correlation id, live or ended, oldest first. */
  default List<JobStatus> findByCorrelationId(String correlationId) {
    return findByCorrelationId(correlationId, 0, 100);
  }

  /**
   * Finds a page of the jobs with a correlation id, live or ended, in all queues, oldest first.
   *
   * @param correlationId the correlation id, up to 255 characters
   * @param after returns only jobs with higher ids: pass the id of the last job of the previous
   *     page, or 0 for the first page
   * @param limit the maximum number of jobs, 1 to 1,000. The payloads and results of all of these
   *     jobs are in memory at once, so specify a low limit if they are large
   */
  List<JobStatus> findByCorrelationId(String correlationId, long after, int limit);

  /**
   * Makes a SCHEDULED job due now, whether it waits for its first attempt or for a retry.
   *
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job is not SCHEDULED
   */
  void runNow(long id);

  /**
   * Changes the due time of a job that has not started, or that waits for a retry. A job of a group
   * keeps its place in the group, and later jobs of the group wait for it.
   *
   * @param at a time between the years 1970 and 9999; a time in the past makes the job due now. The
   *     expiry of the job does not change.
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job is not SCHEDULED or AVAILABLE: it is running, has
   *     ended, or is BLOCKED by other jobs
   */
  void reschedule(long id, Instant at);

  /**
   * Cancels a waiting job, or asks a running job to end. A job that waits for other jobs ends
   * shortly after the caller's transaction commits.
   *
   * @return true if the job has ended; false if it was asked to end, or will end shortly after the
   *     commit
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job has already ended
   */
  @CanIgnoreReturnValue
  boolean cancel(long id);

  /**
   * Cancels the live job that has a unique key, as {@link #cancel(long)} does.
   *
   * @param uniqueKey the unique key, up to 255 characters
   * @throws NotFoundException if no live job holds the key
   */
  @CanIgnoreReturnValue
  boolean cancel(String uniqueKey);

  /**
   * Makes a DISCARDED, CANCELLED or EXPIRED job live again, with its full number of attempts.
   *
   * @throws NotFoundException if the job does not exist
   * @throws StateConflictException if the job is live or COMPLETED, if a live job has its unique
   *     key, or if jobs that would have waited for it have started or no longer wait for it
   */
  void reset(long id);

  /**
   * Pauses a queue on all nodes: its jobs are no longer claimed, and running jobs continue. The
   * queue stays paused until {@link #resume}, even across restarts. Keep the transaction short,
   * because other transactions that change the settings of this queue wait until it ends.
   */
  void pause(String queue);

  /**
   * Resumes a paused queue, so that its jobs are claimed again. Does nothing if the queue is not
   * paused.
   */
  void resume(String queue);

  /**
   * Waits until a job has ended, regardless of the node that runs it. Together with {@link
   * JobRequest#correlationId} and a handler that returns a result, this implements request and
   * reply.
   *
   * @param timeout how long to wait for the end of the job; zero to return immediately
   * @return the final state and the handler's result, or the current state if the timeout expired
   *     or the thread was interrupted. There is no result if the queue keeps no completed jobs
   * @throws NotFoundException if the job does not exist
   * @throws ReadpastException if the job was enqueued in the caller's own transaction, which must
   *     be committed first
   */
  JobReply await(long id, Duration timeout);
}
