package org.readpast.engine;

import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReceiveMode;
import org.readpast.model.RetryPolicy;

/**
 * What this engine can do with one job type in one version.
 *
 * @param type as it is stored
 * @param shape of the payloads that it reads, in words; null: any, or those of an older version
 * @param timeout how long one attempt may take
 * @param jobsPerTransaction how many jobs may share a transaction, in mode TRANSACTIONAL
 * @param roles its jobs must have been enqueued by somebody in one of them; none: by anybody
 * @param onLostLease what becomes of a running handler of mode LEASED when the lease is lost
 * @param picksLeased tells by the payload that a job of a TRANSACTIONAL type is to be leased all
 *     the same; null: none is
 */
public record Handling(
    String type,
    @Nullable String shape,
    ReceiveMode mode,
    Duration timeout,
    int jobsPerTransaction,
    RetryPolicy retries,
    Set<String> roles,
    OnLostLease onLostLease,
    Work work,
    @Nullable Predicate<String> picksLeased) {
  /** One whose payload has no shape that is known. */
  public Handling(
      String type,
      ReceiveMode mode,
      Duration timeout,
      int jobsPerTransaction,
      RetryPolicy retries,
      Set<String> roles,
      OnLostLease onLostLease,
      Work work,
      @Nullable Predicate<String> picksLeased) {
    this(
        type,
        null,
        mode,
        timeout,
        jobsPerTransaction,
        retries,
        roles,
        onLostLease,
        work,
        picksLeased);
  }

  /** The same for another version or name of the type. */
  public Handling as(String newType, Work newWork, @Nullable Predicate<String> newPicksLeased) {
    return new Handling(
        newType,
        null,
        mode,
        timeout,
        jobsPerTransaction,
        retries,
        roles,
        onLostLease,
        newWork,
        newPicksLeased);
  }

  /** Whether this job is to be leased, whatever the mode of its type. */
  boolean leases(String payload) {
    return picksLeased != null && picksLeased.test(payload);
  }

  /** Calls the handler. */
  @FunctionalInterface
  public interface Work {
    /**
     * Works one attempt.
     *
     * @param payload JSON
     * @throws UnreadablePayloadException when the payload does not fit the handler
     * @throws Exception what the handler threw
     */
    JobResult work(String payload, JobContext context) throws Exception;
  }
}
