package org.readpast.rest;

import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/** What {@code /openapi} says of bodies that are read field by field. */
final class ApiSchemas {
  private ApiSchemas() {}

  /** A job to enqueue. */
  @Schema(
      name = "NewJob",
      requiredProperties = {"type", "payload"},
      additionalProperties = Schema.False.class)
  record NewJob(
      @Schema(description = "the name that its handler is registered under") String type,
      @Schema(description = "any JSON but null, up to 1 MiB") Object payload,
      @Schema(minimum = "0", maximum = "9", defaultValue = "4") @Nullable Integer priority,
      @Schema(description = "ISO-8601 duration", example = "PT5M") @Nullable String delay,
      @Schema(description = "ISO-8601 duration", example = "P1D") @Nullable String expiresIn,
      @Schema(maxLength = 255, description = "at most one live job holds it")
          @Nullable String uniqueKey,
      @Schema(maxLength = 255) @Nullable String correlationId,
      @Schema(description = "1 or more; -1 or \"unlimited\": until it succeeds")
          @Nullable Integer maxAttempts,
      @Nullable Map<String, String> properties) {}

  /** Jobs to enqueue in one transaction. */
  @Schema(
      name = "NewJobs",
      type = SchemaType.ARRAY,
      implementation = NewJob.class,
      maxItems = 10_000)
  interface NewJobs {}

  /** Jobs that were enqueued, in the order given. */
  @Schema(name = "Ids")
  public record Ids(List<Long> ids) {}

  /** Which jobs to reset. */
  @Schema(name = "Reset", description = "either ids, or at least one of the others")
  record Reset(
      @Nullable List<Long> ids,
      @Nullable String queue,
      @Nullable String type,
      @Schema(enumeration = {"DISCARDED", "CANCELLED", "EXPIRED"}) @Nullable JobState state) {}

  /** What to change of a queue. */
  @Schema(name = "QueueChange")
  record Change(
      @Nullable Boolean paused,
      @Schema(
              minimum = "0",
              maximum = "1000",
              nullable = true,
              description = "receivers on each node; null: as configured")
          @Nullable Integer concurrency) {}
}
