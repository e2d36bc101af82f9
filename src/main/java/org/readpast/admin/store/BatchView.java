package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;

/**
 * Describes a batch to callers outside the engine.
 *
 * @param heldAt since when an operator holds it
 * @param waves lowest first
 * @param callbacks in the order in which they were registered
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
   * @param live the jobs that have not ended
   * @param waiting the live jobs that lower waves keep from starting; 10,000: at least that many
   * @param holding some of its discarded jobs, if they keep higher waves from starting
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
   * Describes a job that is enqueued at an event.
   *
   * @param job null: not enqueued yet
   */
  public record Callback(
      String event, String type, @Nullable Instant firedAt, @Nullable Long job) {}
}
