package org.readpast.rest;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.store.AttemptView;
import org.readpast.store.JobDetails;
import org.readpast.store.JobView;

/** A job as JSON; what it does not have is left out. */
@JsonbPropertyOrder({
  "id",
  "queue",
  "type",
  "state",
  "priority",
  "attempt",
  "maxAttempts",
  "uniqueKey",
  "correlationId",
  "properties",
  "node",
  "enqueuedAt",
  "availableAt",
  "expiresAt",
  "startedAt",
  "endedAt",
  "cancellationRequested",
  "progress",
  "attempts",
  "log"
})
@Schema(name = "Job")
public record JobAnswer(
    long id,
    String queue,
    String type,
    JobState state,
    int priority,
    @Schema(description = "deliveries so far") int attempt,
    @Schema(description = "its own or its type's; -1: unlimited") int maxAttempts,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    @Nullable Map<String, String> properties,
    @Schema(description = "the node that works it or ended it") @Nullable UUID node,
    Instant enqueuedAt,
    @Schema(description = "the moment before which it does not start") Instant availableAt,
    @Nullable Instant expiresAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Schema(description = "it was asked to end while in work")
        @Nullable Boolean cancellationRequested,
    JobDetails.@Nullable Progress progress,
    @Schema(description = "oldest first; left out in lists") @Nullable List<Attempt> attempts,
    @Schema(description = "what its handler logged last; left out in lists")
        @Nullable List<JobDetails.LogLine> log,
    @Schema(description = "any JSON, as it came in; left out in lists") @Nullable Object payload) {

  /** One delivery. */
  @JsonbPropertyOrder({"attempt", "node", "startedAt", "endedAt", "error"})
  public record Attempt(
      int attempt,
      @Nullable UUID node,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Schema(description = "left out when it ended well, or runs") @Nullable Error error) {}

  /** Why a delivery failed. */
  @JsonbPropertyOrder({"kind", "exception", "message", "trace"})
  public record Error(
      Failure.Kind kind,
      @Nullable String exception,
      @Nullable String message,
      @Nullable String trace) {}

  static JobAnswer listed(JobView job) {
    return of(job, null, null, null, null);
  }

  /** The whole job; the payload is put in as it is. */
  static String json(JobDetails details) {
    JobAnswer answer =
        of(
            details.job(),
            details.cancellationRequested() ? true : null,
            details.progress(),
            details.attempts().stream().map(JobAnswer::attempt).toList(),
            details.log().isEmpty() ? null : details.log());
    String json = Answer.write(answer);
    return json.substring(0, json.length() - 1) + ",\"payload\":" + details.job().payload() + "}";
  }

  private static Attempt attempt(AttemptView attempt) {
    Failure failure = attempt.failure();
    return new Attempt(
        attempt.attempt(),
        attempt.node(),
        attempt.startedAt(),
        attempt.endedAt(),
        failure == null
            ? null
            : new Error(failure.kind(), failure.exception(), failure.message(), failure.trace()));
  }

  private static JobAnswer of(
      JobView job,
      @Nullable Boolean cancellationRequested,
      JobDetails.@Nullable Progress progress,
      @Nullable List<Attempt> attempts,
      @Nullable List<JobDetails.LogLine> log) {
    return new JobAnswer(
        job.id(),
        job.queue(),
        job.type(),
        job.state(),
        job.priority(),
        job.attempt(),
        job.maxAttempts(),
        job.uniqueKey(),
        job.correlationId(),
        properties(job.properties()),
        job.node(),
        job.enqueuedAt(),
        job.availableAt(),
        job.expiresAt(),
        job.startedAt(),
        job.endedAt(),
        cancellationRequested,
        progress,
        attempts,
        log,
        null);
  }

  private static @Nullable Map<String, String> properties(@Nullable String json) {
    if (json == null) {
      return null;
    }
    Map<String, String> properties = new LinkedHashMap<>();
    JsonText.parse(json).members().forEach((name, value) -> properties.put(name, value.string()));
    return properties;
  }
}
