package org.readpast.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceivedJob;

/** A job that the code under test has received in its transaction. */
final class MemoryReceivedJob implements ReceivedJob {
  private final TestJobView job;
  private final Memory.Received received;

  MemoryReceivedJob(TestJobView job, Memory.Received received) {
    this.job = job;
    this.received = received;
  }

  @Override
  public void retryLater(Duration pause) {
    received.decide(JobResult.retryLater(pause));
  }

  @Override
  public void failNow(String reason) {
    received.decide(JobResult.failNow(reason));
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
    return job.version();
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
    return job.properties();
  }

  @Override
  public String contentType() {
    return job.contentType();
  }

  @Override
  public <T> T payload(Class<T> as) {
    return job.payload(as);
  }
}
