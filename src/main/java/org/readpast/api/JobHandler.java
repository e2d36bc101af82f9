package org.readpast.api;

/**
 * Handles jobs of one type. A CDI bean that implements this interface is found at deployment and
 * called by this application's engine.
 *
 * <p>Each attempt has its own request scope and, in mode {@link ReceiveMode#TRANSACTIONAL}, a JTA
 * transaction that also completes the job. See {@link Receive} for the mode and the timeout, and
 * {@link Retries} for what happens on failure.
 *
 * @param <T> the type of the payload: a class that is annotated with {@link JobType}; or {@code
 *     byte[]} or {@code String} for the payload as it is, of any content type, in which case the
 *     handler must have the annotation
 */
public interface JobHandler<T> {
  /**
   * Handles one job.
   *
   * @return {@link JobResult#done()} or another result
   * @throws Exception to fail this attempt; it is retried as {@link Retries} specifies
   */
  JobResult handle(T payload, JobContext context) throws Exception;
}
