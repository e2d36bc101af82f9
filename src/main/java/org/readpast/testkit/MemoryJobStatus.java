package org.readpast.testkit;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.JobStatus;

/** Represents a job at the time at which the code under test requested it. */
final class MemoryJobStatus implements JobStatus {
  private final MemoryJob job;
  private final TestJobView headers;
  private final int retriesRemaining;

  MemoryJobStatus(MemoryJob job, int retriesRemaining) {
    this.job = job.copy();
    this.headers = TestJobView.of(job, job.state);
    this.retriesRemaining = retriesRemaining;
  }

  @Override
  public long id() {
    return headers.id();
  }

  @Override
  public String queue() {
    return headers.queue();
  }

  @Override
  public String type() {
    return headers.type();
  }

  @Override
  public int version() {
    return headers.version();
  }

  @Override
  public JobState state() {
    return headers.state();
  }

  @Override
  public int attempt() {
    return headers.attempt();
  }

  @Override
  public int priority() {
    return headers.priority();
  }

  @Override
  public Instant enqueuedAt() {
    return headers.enqueuedAt();
  }

  @Override
  public @Nullable String enqueuedBy() {
    return headers.enqueuedBy();
  }

  @Override
  public @Nullable String uniqueKey() {
    return headers.uniqueKey();
  }

  @Override
  public @Nullable String correlationId() {
    return headers.correlationId();
  }

  @Override
  public Map<String, String> properties() {
    return headers.properties();
  }

  @Override
  public String contentType() {
    return headers.contentType();
  }

  @Override
  public <T> T payload(Class<T> as) {
    return headers.payload(as);
  }

  @Override
  public @Nullable String group() {
    return job.asked.dependencies().group();
  }

  @Override
  public @Nullable String batch() {
    return job.asked.dependencies().batch();
  }

  @Override
  public int wave() {
    return job.asked.dependencies().wave();
  }

  @Override
  public Instant availableAt() {
    return job.availableAt;
  }

  @Override
  public @Nullable Instant expiresAt() {
    return job.expiresAt;
  }

  @Override
  public @Nullable Instant startedAt() {
    return job.startedAt;
  }

  @Override
  public @Nullable Instant endedAt() {
    return job.live() ? null : job.endedAt;
  }

  @Override
  public int retriesRemaining() {
    return retriesRemaining;
  }

  @Override
  public boolean cancellationRequested() {
    return job.live() && job.cancellationRequested;
  }

  @Override
  public @Nullable String lastFailure() {
    return headers.lastFailure();
  }

  @Override
  public long progressDone() {
    return headers.done();
  }

  @Override
  public long progressTotal() {
    return headers.total();
  }

  @Override
  public @Nullable String resultJson() {
    return headers.writtenResult();
  }

  @Override
  public <T> @Nullable T result(Class<T> as) {
    return headers.result(as);
  }

  @Override
  public String toString() {
    return headers.toString();
  }
}
