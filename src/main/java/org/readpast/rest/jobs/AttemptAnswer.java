package org.readpast.rest.jobs;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.AttemptView;
import org.readpast.model.Failure;

/**
 * Represents an attempt of a job as JSON.
 *
 * @param error why the attempt failed, or null if it succeeded or is still running
 */
@JsonbPropertyOrder({"attempt", "node", "startedAt", "endedAt", "error"})
public record AttemptAnswer(
    int attempt,
    @Nullable UUID node,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Error error) {

  /** Describes why the attempt failed. */
  @JsonbPropertyOrder({"kind", "exception", "message", "trace"})
  public record Error(
      Failure.Kind kind,
      @Nullable String exception,
      @Nullable String message,
      @Nullable String trace) {}

  static AttemptAnswer of(AttemptView attempt) {
    Failure failure = attempt.failure();
    Error error =
        failure == null
            ? null
            : new Error(failure.kind(), failure.exception(), failure.message(), failure.trace());
    return new AttemptAnswer(
        attempt.attempt(), attempt.node(), attempt.startedAt(), attempt.endedAt(), error);
  }
}
