package org.readpast.api;

/**
 * Works jobs of one type: a CDI bean implementing this interface is found at deployment and run by
 * this application's engine.
 *
 * <p>Each attempt has a request scope of its own and, in mode {@link ReceiveMode#TRANSACTIONAL}, a
 * JTA transaction that also acknowledges the job. See {@link Receive} for mode and timeout, {@link
 * Retries} for what happens on failure.
 *
 * @param <T> the payload, a class that bears {@link JobType}; or {@code byte[]} or {@code String},
 *     the payload as it is, whatever its content type: then the handler bears it
 */
public interface JobHandler<T> {
  /**
   * Works one job.
   *
   * @return {@link JobResult#done()} or another verb
   * @throws Exception to fail this attempt; it is retried as {@link Retries} says
   */
  JobResult handle(T payload, JobContext context) throws Exception;
}
