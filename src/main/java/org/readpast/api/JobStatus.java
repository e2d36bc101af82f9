package org.readpast.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job, live or ended, as it was when it was found; it does not change afterwards. {@link
 * JobQueue#find(long)} returns it.
 */
public interface JobStatus extends Job {
  /** Returns the group of its queue that it belongs to; null if it has none. */
  @Nullable String group();

  /** Returns the name of its batch; null if it has none. */
  @Nullable String batch();

  /** Returns the wave of its batch, from 0; 0 without a batch. */
  int wave();

  /** Returns when it became due or becomes due, by the database's clock. */
  Instant availableAt();

  /** Returns when it ends as EXPIRED unless it has begun before; null: never. */
  @Nullable Instant expiresAt();

  /** Returns when its running or latest attempt began; null before the first one. */
  @Nullable Instant startedAt();

  /** Returns when it ended; null while it is live. */
  @Nullable Instant endedAt();

  /**
   * Returns how many attempts are left, a running one not included; {@link JobRequest#UNLIMITED} if
   * there is no limit.
   */
  int retriesRemaining();

  /** Returns true if it is live and was asked to end. */
  boolean cancellationRequested();

  /**
   * Returns the failure of its latest failed attempt, as {@code class: message}; null if no attempt
   * has failed, or failures are not kept any more.
   */
  @Nullable String lastFailure();

  /** Returns the {@code done} of the progress that its handler reported last; 0 without one. */
  long progressDone();

  /** Returns the {@code total} of the progress that its handler reported last; 0 without one. */
  long progressTotal();

  /** Returns its handler's result as JSON; null if there is none, or it is not kept. */
  @Nullable String resultJson();

  /**
   * Returns its handler's result.
   *
   * @return null if there is none, or it is not kept
   * @throws ReadpastException if it cannot be read as this class
   */
  <T> @Nullable T result(Class<T> as);
}
