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
 * Describes the handler of one job type in one version, with its settings.
 *
 * @param type the type in its stored form
 * @param shape a description of the payloads that the handler reads, or null if it reads any
 *     payload or payloads of an older version
 * @param timeout how long one attempt may take
 * @param jobsPerTransaction how many jobs may share a transaction, in mode TRANSACTIONAL
 * @param roles the enqueuer of a job must have had one of these roles; if empty, no role is
 *     required
 * @param onLostLease what happens to a running LEASED handler when its lease is lost
 * @param leasedModePredicate returns true for the payload of a job that runs in mode LEASED
 *     although its type is TRANSACTIONAL; null if there are no such jobs
 */
public record HandlerDefinition(
    String type,
    @Nullable String shape,
    ReceiveMode mode,
    Duration timeout,
    int jobsPerTransaction,
    RetryPolicy retries,
    Set<String> roles,
    OnLostLease onLostLease,
    Work work,
    @Nullable Predicate<String> leasedModePredicate) {
  /**
   * Returns a copy for another version or another name of the type. The payload shape of the copy
   * is not known.
   */
  public HandlerDefinition forType(
      String newType, Work newWork, @Nullable Predicate<String> newLeasedModePredicate) {
    return new HandlerDefinition(
        newType,
        null,
        mode,
        timeout,
        jobsPerTransaction,
        retries,
        roles,
        onLostLease,
        newWork,
        newLeasedModePredicate);
  }

  /**
   * Returns true if a job with this payload runs in mode LEASED, regardless of the mode of its
   * type.
   */
  boolean runsLeased(String payload) {
    return leasedModePredicate != null && leasedModePredicate.test(payload);
  }

  /** Calls the handler of a job. */
  @FunctionalInterface
  public interface Work {
    /**
     * Runs one attempt of a job.
     *
     * @param payload the payload as JSON
     * @throws UnreadablePayloadException if the handler cannot read the payload
     * @throws Exception if the handler throws an exception
     */
    JobResult work(String payload, JobContext context) throws Exception;
  }
}
