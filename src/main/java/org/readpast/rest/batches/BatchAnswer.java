package org.readpast.rest.batches;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.BatchView;
import org.readpast.api.BatchFailure;

/** Represents a batch as JSON. */
@JsonbPropertyOrder({
  "name",
  "state",
  "failurePolicy",
  "createdAt",
  "sealedAt",
  "heldAt",
  "cancelledAt",
  "finishedAt",
  "waves",
  "callbacks"
})
public record BatchAnswer(
    String name,
    String state,
    BatchFailure failurePolicy,
    Instant createdAt,
    @Nullable Instant sealedAt,
    @Nullable Instant heldAt,
    @Nullable Instant cancelledAt,
    @Nullable Instant finishedAt,
    List<WaveAnswer> waves,
    List<BatchView.Callback> callbacks) {

  private static final int MOST_HOLDS = 10;

  /**
   * Represents a wave as JSON.
   *
   * @param waiting the number of waiting jobs, up to 10,000
   * @param holding some discarded jobs of the wave that keep higher waves from starting
   * @param heldBy the first sentences that explain what keeps the waiting jobs from starting
   */
  @JsonbPropertyOrder({
    "wave",
    "live",
    "waiting",
    "completed",
    "discarded",
    "cancelled",
    "expired",
    "holding",
    "heldBy"
  })
  public record WaveAnswer(
      int wave,
      long live,
      long waiting,
      long completed,
      long discarded,
      long cancelled,
      long expired,
      @Nullable List<Long> holding,
      @Nullable List<String> heldBy) {}

  static BatchAnswer of(BatchView batch) {
    List<String> holds = new ArrayList<>();
    if (batch.heldAt() != null) {
      holds.add("an operator put the batch on hold: release it");
    }
    List<WaveAnswer> waves = new ArrayList<>();
    for (BatchView.Wave wave : batch.waves()) {
      waves.add(
          new WaveAnswer(
              wave.number(),
              wave.live(),
              wave.waiting(),
              wave.completed(),
              wave.discarded(),
              wave.cancelled(),
              wave.expired(),
              wave.holding().isEmpty() ? null : wave.holding(),
              wave.waiting() == 0 || holds.isEmpty() ? null : List.copyOf(holds)));
      hold(wave, holds);
    }
    return new BatchAnswer(
        batch.name(),
        state(batch),
        batch.failurePolicy(),
        batch.createdAt(),
        batch.sealedAt(),
        batch.heldAt(),
        batch.cancelledAt(),
        batch.finishedAt(),
        waves,
        batch.callbacks());
  }

  private static void hold(BatchView.Wave wave, List<String> holds) {
    // The list is limited, because with thousands of waves each wave would list all waves before
    // it.
    if (holds.size() >= MOST_HOLDS) {
      return;
    }
    if (wave.live() > 0) {
      holds.add("wave " + wave.number() + " has " + wave.live() + " live jobs");
    }
    if (!wave.holding().isEmpty()) {
      holds.add(
          "wave "
              + wave.number()
              + " has discarded jobs ("
              + wave.holding().stream().map(String::valueOf).collect(Collectors.joining(", "))
              + "): reset them, or skip the failure");
    }
  }

  private static String state(BatchView batch) {
    if (batch.cancelledAt() != null) {
      return "CANCELLED";
    }
    if (batch.finishedAt() != null) {
      return "FINISHED";
    }
    return batch.sealedAt() != null ? "SEALED" : "OPEN";
  }
}
