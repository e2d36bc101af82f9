package org.readpast.runtime;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobView;
import org.readpast.api.Job;
import org.readpast.api.JobState;
import org.readpast.model.ContentType;
import org.readpast.store.ClaimedJob;

/** A job out of the database, as applications see it. */
record StoredJob(
    long id,
    String queue,
    String type,
    JobState state,
    int attempt,
    int priority,
    Instant enqueuedAt,
    @Nullable String enqueuedBy,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    Map<String, String> properties,
    String contentType,
    @Nullable String stored,
    Json json)
    implements Job {

  static StoredJob of(ClaimedJob job, Json json) {
    return new StoredJob(
        job.id(),
        job.queue(),
        job.type(),
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
        json);
  }

  static StoredJob of(JobView job, Json json) {
    return new StoredJob(
        job.id(),
        job.queue(),
        job.type(),
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
        json);
  }

  @Override
  public <T> T payload(Class<T> as) {
    return json.payloadOf(id, type, contentType, String.valueOf(stored), as);
  }
}
