package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;

/**
 * Describes a batch to callers outside the engine.
 *
 * @param heldAt when an operator held the batch
 * @param waves the waves, lowest first
 * @param callbacks the callbacks, in the order in which they were registered
 */
public record BatchView(
    String name,
    BatchFailure failurePolicy,
    Instant createdAt,
    @Nullable Instant sealedAt,
    @Nullable Instant heldAt,
    @Nullable Instant cancelledAt,
    @Nullable Instant finishedAt,
    List<Wave> waves,
    List<Callback> callbacks) {

  /**
   * Counts the jobs of a wave by their state.
   *
   * @param live the number of jobs that have not ended
   * @param waiting the number of live jobs that lower waves keep from starting; 10,000 means at
   *     least that many
   * @param holding some discarded jobs of the wave that keep higher waves from starting
   */
  public record Wave(
      int number,
      long live,
      long waiting,
      long completed,
      long discarded,
      long cancelled,
      long expired,
      List<Long> holding) {}

  /**
   * Describes a job that is enqueued at an event of a batch.
   *
   * @param job the enqueued job, or null if it is not enqueued yet
   */
  public record Callback(
      String event, String type, @Nullable Instant firedAt, @Nullable Long job) {}
}
