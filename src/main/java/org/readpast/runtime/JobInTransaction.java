package org.readpast.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Job;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceivedJob;

/** Represents a job that an application has received in its transaction. */
public final class JobInTransaction implements ReceivedJob {
  private final Job job;
  private final Consumer<JobResult> decide;

  /**
   * Wraps a job.
   *
   * @param decide rolls the transaction back; the result then determines the state of the job
   */
  public JobInTransaction(Job job, Consumer<JobResult> decide) {
    this.job = job;
    this.decide = decide;
  }

  @Override
  public void retryLater(Duration pause) {
    decide.accept(JobResult.retryLater(pause));
  }

  @Override
  public void failNow(String reason) {
    decide.accept(JobResult.failNow(reason));
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
