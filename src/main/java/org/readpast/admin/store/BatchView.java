package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;

/**
 * A batch as it is seen from outside.
 *
 * @param heldAt since when somebody holds it
 * @param waves lowest first
 * @param callbacks in the order in which they were said
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
   * How many jobs of a wave stand where.
   *
   * @param live jobs that have not ended
   * @param waiting those of them that lower waves keep from starting; 10,000: at least so many
   * @param holding some of its discarded jobs, if these keep higher waves from starting
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
   * What is enqueued at an event.
   *
   * @param job null: not yet
   */
  public record Callback(
      String event, String type, @Nullable Instant firedAt, @Nullable Long job) {}
}
