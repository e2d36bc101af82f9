package org.readpast.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.model.ContentType;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.model.Verdict;
import org.readpast.runtime.JobPreparer;
import org.readpast.runtime.Json;

/** Implements the context that a handler receives with its job. */
final class MemoryContext implements JobContext {
  private final long id;
  private final Memory memory;
  private final JobPreparer preparer;
  private final NewJob asked;
  private final int attempt;
  private final int remaining;
  private final Instant enqueuedAt;
  private final Map<String, String> properties;
  private final @Nullable String lastFailure;
  final List<NewJob> toEnqueue = new ArrayList<>();

  // The log is kept regardless of the outcome of the attempt, so it is stored after the attempt.
  final List<String> log = new ArrayList<>();
  private long done;
  private long total;

  MemoryContext(MemoryJob job, Memory memory, JobPreparer preparer, Json json, Verdict verdict) {
    this.id = job.id;
    this.memory = memory;
    this.preparer = preparer;
    this.asked = job.asked;
    this.attempt = job.attempt;
    this.remaining = verdict.remaining();
    this.enqueuedAt = job.enqueuedAt;
    this.properties = json.readProperties(job.asked.properties());
    this.lastFailure =
        job.failures.isEmpty() ? null : job.failures.get(job.failures.size() - 1).text();
    this.done = job.done;
    this.total = job.total;
  }

  /** Stores the log and the progress of the attempt, after it has ended. */
  void keep() {
    MemoryJob job = memory.edit(id);
    job.log.addAll(log);
    job.done = done;
    job.total = total;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public String queue() {
    return asked.queue();
  }

  @Override
  public String type() {
    return StoredType.nameOf(asked.type());
  }

  @Override
  public int version() {
    return StoredType.of(asked.type()).version();
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public int retriesRemaining() {
    return remaining;
  }

  @Override
  public @Nullable String lastFailure() {
    return lastFailure;
  }

  @Override
  public int priority() {
    return asked.priority();
  }

  @Override
  public Instant enqueuedAt() {
    return enqueuedAt;
  }

  @Override
  public @Nullable String uniqueKey() {
    return asked.uniqueKey();
  }

  @Override
  public @Nullable String enqueuedBy() {
    return asked.enqueuedBy().name();
  }

  @Override
  public @Nullable String correlationId() {
    return asked.correlationId();
  }

  @Override
  public String contentType() {
    return ContentType.nameOf(asked.contentType());
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  /** Returns true: no other node exists that could take the job over. */
  @Override
  public boolean stillOwner() {
    return true;
  }

  @Override
  public boolean cancellationRequested() {
    return Objects.requireNonNull(memory.find(id)).cancellationRequested;
  }

  @Override
  public void progress(long newDone, long newTotal) {
    done = newDone;
    total = newTotal;
  }

  @Override
  public void log(String text) {
    log.add(text);
  }

  @Override
  public void enqueue(Object job) {
    toEnqueue.add(preparer.prepare(job));
  }
}
