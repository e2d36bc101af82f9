package org.readpast.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Represents a live or ended job at the time at which {@link JobQueue#find(long)} found it. The
 * values of the object do not change afterwards.
 */
public interface JobStatus extends Job {
  /** Returns the group that the job belongs to; null if there is none. */
  @Nullable String group();

  /** Returns the name of the job's batch; null if there is none. */
  @Nullable String batch();

  /** Returns the job's wave in its batch, from 0; 0 without a batch. */
  int wave();

  /** Returns the due time of the job, by the database's clock. */
  Instant availableAt();

  /**
   * Returns the time at which the job ends as EXPIRED if it has not started by then; null if it
   * does not expire.
   */
  @Nullable Instant expiresAt();

  /** Returns when the running or latest attempt started; null before the first one. */
  @Nullable Instant startedAt();

  /** Returns when the job ended; null while it is live. */
  @Nullable Instant endedAt();

  /**
   * Returns how many attempts are left, not counting a running one; {@link JobRequest#UNLIMITED} if
   * there is no limit.
   */
  int retriesRemaining();

  /** Returns true if the job is live and was asked to end. */
  boolean cancellationRequested();

  /**
   * Returns the failure of the latest failed attempt, as {@code class: message}; null if no attempt
   * has failed, or if the failures are no longer stored.
   */
  @Nullable String lastFailure();

  /**
   * Returns the value {@code done} of the progress that the handler reported last; 0 if it reported
   * none.
   */
  long progressDone();

  /**
   * Returns the value {@code total} of the progress that the handler reported last; 0 if it
   * reported none.
   */
  long progressTotal();

  /** Returns the handler's result as JSON; null if there is none, or if it is not stored. */
  @Nullable String resultJson();

  /**
   * Returns the handler's result.
   *
   * @return the result; null if there is none, or if it is not stored
   * @throws ReadpastException if the result cannot be converted to this class
   */
  <T> @Nullable T result(Class<T> as);
}
