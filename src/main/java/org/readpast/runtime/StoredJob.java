package org.readpast.runtime;

import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobView;
import org.readpast.api.Job;
import org.readpast.api.JobState;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.model.ContentType;
import org.readpast.model.StoredType;
import org.readpast.store.ClaimedJob;

/** Represents a stored job for applications. */
record StoredJob(
    long id,
    String queue,
    StoredType stored,
    JobState state,
    int attempt,
    int priority,
    Instant enqueuedAt,
    @Nullable String enqueuedBy,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    Map<String, String> properties,
    String contentType,
    @Nullable String json,
    Json reader,
    Consumer<UnreadablePayloadException> unreadable)
    implements Job {

  /**
   * Wraps a claimed job; {@code unreadable} is called if the payload cannot be converted to the
   * class that the application requests.
   */
  static StoredJob of(ClaimedJob job, Json json, Consumer<UnreadablePayloadException> unreadable) {
    return new StoredJob(
        job.id(),
        job.queue(),
        StoredType.of(job.type()),
        JobState.RUNNING,
        job.attempt(),
        job.priority(),
        job.enqueuedAt(),
        job.enqueuedBy().name(),
        job.uniqueKey(),
        job.correlationId(),
        json.readProperties(job.properties()),
        ContentType.nameOf(job.contentType()),
        job.payload(),
        json,
        unreadable);
  }

  static StoredJob of(JobView job, Json json) {
    return new StoredJob(
        job.id(),
        job.queue(),
        job.storedType(),
        job.state(),
        job.attempt(),
        job.priority(),
        job.enqueuedAt(),
        job.enqueuedBy(),
        job.uniqueKey(),
        job.correlationId(),
        json.readProperties(job.properties()),
        ContentType.nameOf(job.contentType()),
        job.payload(),
        json,
        failure -> {});
  }

  @Override
  public String type() {
    return stored.name();
  }

  @Override
  public int version() {
    return stored.version();
  }

  @Override
  public <T> T payload(Class<T> as) {
    try {
      return reader.payloadOf(id, stored, contentType, String.valueOf(json), as);
    } catch (UnreadablePayloadException e) {
      unreadable.accept(e);
      throw e;
    }
  }
}
