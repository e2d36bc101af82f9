package org.readpast.runtime;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobFinder.Found;
import org.readpast.admin.store.JobView;
import org.readpast.api.JobState;
import org.readpast.api.JobStatus;
import org.readpast.api.ReadpastException;
import org.readpast.model.ContentType;

/** Describes a job that an application has looked up. */
final class FoundJob implements JobStatus {
  private final Found found;
  private final JobView job;
  private final Json json;
  private final Map<String, String> properties;

  FoundJob(Found found, Json json) {
    this.found = found;
    this.job = found.job();
    this.json = json;
    this.properties = json.readProperties(job.properties());
  }

  @Override
  public long id() {
    return job.id();
  }

  @Override
  public String queue() {
    return job.queue();
  }

  @Override
  public String type() {
    return job.type();
  }

  @Override
  public int version() {
    return job.storedType().version();
  }

  @Override
  public JobState state() {
    return job.state();
  }

  @Override
  public int attempt() {
    return job.attempt();
  }

  @Override
  public int priority() {
    return job.priority();
  }

  @Override
  public Instant enqueuedAt() {
    return job.enqueuedAt();
  }

  @Override
  public @Nullable String enqueuedBy() {
    return job.enqueuedBy();
  }

  @Override
  public @Nullable String uniqueKey() {
    return job.uniqueKey();
  }

  @Override
  public @Nullable String correlationId() {
    return job.correlationId();
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  @Override
  public String contentType() {
    return ContentType.nameOf(job.contentType());
  }

  @Override
  public <T> T payload(Class<T> as) {
    String payload = job.payload();
    if (payload == null) {
      throw new ReadpastException(
          "the payload of job "
              + id()
              + " is no longer stored: it was erased, or its type or queue does not keep"
              + " the payloads of completed jobs");
    }
    return json.payloadOf(id(), job.storedType(), contentType(), payload, as);
  }

  @Override
  public @Nullable String group() {
    return job.group();
  }

  @Override
  public @Nullable String batch() {
    return job.batch();
  }

  @Override
  public int wave() {
    Integer wave = job.wave();
    return wave == null ? 0 : wave;
  }

  @Override
  public Instant availableAt() {
    return job.availableAt();
  }

  @Override
  public @Nullable Instant expiresAt() {
    return job.expiresAt();
  }

  @Override
  public @Nullable Instant startedAt() {
    return job.startedAt();
  }

  @Override
  public @Nullable Instant endedAt() {
    return job.endedAt();
  }

  @Override
  public int retriesRemaining() {
    return job.retriesRemaining();
  }

  @Override
  public boolean cancellationRequested() {
    return found.cancellationRequested();
  }

  @Override
  public @Nullable String lastFailure() {
    return found.lastFailure();
  }

  @Override
  public long progressDone() {
    return found.progressDone();
  }

  @Override
  public long progressTotal() {
    return found.progressTotal();
  }

  @Override
  public @Nullable String resultJson() {
    return job.result();
  }

  @Override
  public <T> @Nullable T result(Class<T> as) {
    return json.resultOf(id(), job.result(), as);
  }

  @Override
  public String toString() {
    return "job " + id() + " " + type() + " in queue " + queue() + " " + state();
  }
}
