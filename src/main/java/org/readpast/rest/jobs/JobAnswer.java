package org.readpast.rest.jobs;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.AttemptView;
import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobView;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.rest.http.JsonText;

/** Represents a job as JSON, without its payload and result; absent values are omitted. */
@JsonbPropertyOrder({
  "id",
  "queue",
  "type",
  "version",
  "state",
  "priority",
  "attempt",
  "maxAttempts",
  "retriesRemaining",
  "lastFailure",
  "uniqueKey",
  "correlationId",
  "properties",
  "group",
  "batch",
  "wave",
  "waitsFor",
  "predecessors",
  "reasons",
  "node",
  "enqueuedAt",
  "enqueuedBy",
  "availableAt",
  "expiresAt",
  "startedAt",
  "endedAt",
  "cancellationRequested",
  "progress",
  "attempts",
  "log",
  "contentType"
})
public record JobAnswer(
    long id,
    String queue,
    String type,
    int version,
    JobState state,
    int priority,
    int attempt,
    int maxAttempts,
    int retriesRemaining,
    @Nullable String lastFailure,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    @Nullable Map<String, String> properties,
    @Nullable String group,
    @Nullable String batch,
    @Nullable Integer wave,
    @Nullable String waitsFor,
    @Nullable List<JobDetails.Predecessor> predecessors,
    @Nullable List<String> reasons,
    @Nullable UUID node,
    Instant enqueuedAt,
    @Nullable String enqueuedBy,
    Instant availableAt,
    @Nullable Instant expiresAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Boolean cancellationRequested,
    JobDetails.@Nullable Progress progress,
    @Nullable List<AttemptAnswer> attempts,
    @Nullable List<JobDetails.LogLine> log,
    @Nullable String contentType) {

  static JobAnswer listed(JobView job, @Nullable String lastFailure) {
    return of(job, lastFailure, null, null, null, null, null, null);
  }

  static JobAnswer of(JobDetails details) {
    return of(
        details.job(),
        lastFailure(details.attempts()),
        details.cancellationRequested() ? true : null,
        details.progress(),
        details.predecessors().isEmpty() ? null : details.predecessors(),
        details.reasons().isEmpty() ? null : details.reasons(),
        details.attempts().stream().map(AttemptAnswer::of).toList(),
        details.log().isEmpty() ? null : details.log());
  }

  private static JobAnswer of(
      JobView job,
      @Nullable String lastFailure,
      @Nullable Boolean cancellationRequested,
      JobDetails.@Nullable Progress progress,
      @Nullable List<JobDetails.Predecessor> predecessors,
      @Nullable List<String> reasons,
      @Nullable List<AttemptAnswer> attempts,
      @Nullable List<JobDetails.LogLine> log) {
    return new JobAnswer(
        job.id(),
        job.queue(),
        job.type(),
        job.version(),
        job.state(),
        job.priority(),
        job.attempt(),
        job.maxAttempts(),
        job.retriesRemaining(),
        lastFailure,
        job.uniqueKey(),
        job.correlationId(),
        properties(job.properties()),
        job.group(),
        job.batch(),
        job.wave(),
        job.waitsFor(),
        predecessors,
        reasons,
        job.node(),
        job.enqueuedAt(),
        job.enqueuedBy(),
        job.availableAt(),
        job.expiresAt(),
        job.startedAt(),
        job.endedAt(),
        cancellationRequested,
        progress,
        attempts,
        log,
        job.contentType());
  }

  private static @Nullable String lastFailure(List<AttemptView> attempts) {
    String last = null;
    for (AttemptView attempt : attempts) {
      Failure failure = attempt.failure();
      if (failure != null) {
        last =
            Stream.of(failure.exception(), failure.message())
                .filter(Objects::nonNull)
                .collect(Collectors.joining(": "));
      }
    }
    return last;
  }

  private static @Nullable Map<String, String> properties(@Nullable String json) {
    if (json == null) {
      return null;
    }
    Map<String, String> properties = new LinkedHashMap<>();
    JsonText.parse(json)
        .storedMembers()
        .forEach(
            (name, value) ->
                properties.put(name, value.isString() ? value.string() : value.text()));
    return properties;
  }
}
