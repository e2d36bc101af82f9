package org.readpast.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.RetryLaterException;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.model.Failure;
import org.readpast.model.Failure.Kind;
import org.readpast.model.Outcome;
import org.readpast.model.RetryPolicy;
import org.readpast.model.StoredType;
import org.readpast.model.Verdict;
import org.readpast.runtime.JobPreparer;
import org.readpast.runtime.Json;

/** Runs jobs on the test's own thread, one at a time. */
final class Work {
  // At the middle of the range of the jitter, the pause equals that of the retry policy.
  private static final double NO_JITTER = 0.5;
  private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(5);

  private final Memory memory;
  private final Order order;
  private final JobPreparer preparer;
  private final Json json;
  private final NavigableMap<StoredType, Registered> handlers = new TreeMap<>();
  private List<FailedAttempt> failed = new ArrayList<>();
  private int depth;

  Work(Memory memory, Order order, JobPreparer preparer, Json json) {
    this.memory = memory;
    this.order = order;
    this.preparer = preparer;
    this.json = json;
  }

  /** Holds a failed attempt that the test possibly did not expect. */
  record FailedAttempt(TestJob job, Throwable thrown) {
    @Override
    public String toString() {
      return job + ": " + thrown;
    }
  }

  void add(Registered handler) {
    for (StoredType type : handler.types()) {
      Registered other = handlers.putIfAbsent(type, handler);
      if (other != null) {
        throw new ReadpastException(
            "job type "
                + type
                + " has two handlers, "
                + other.place()
                + " and "
                + handler.place()
                + "; keep one of them");
      }
    }
  }

  /** Returns the handler of a job, or null if there is none. */
  private @Nullable Registered handler(MemoryJob job) {
    return handlers.get(type(job));
  }

  /**
   * Returns the type of a job; if the job specifies no version, the highest version that is
   * handled.
   */
  private StoredType type(MemoryJob job) {
    StoredType stated = StoredType.of(job.asked.type());
    StoredType highest = handlers.floorKey(new StoredType(stated.name(), StoredType.HIGHEST));
    return StoredType.isVersioned(job.asked.type())
            || highest == null
            || !highest.name().equals(stated.name())
        ? stated
        : highest;
  }

  boolean working() {
    return depth > 0;
  }

  /** Returns the attempts that have failed since the last call. */
  List<FailedAttempt> takeFailed() {
    List<FailedAttempt> taken = failed;
    failed = new ArrayList<>();
    return taken;
  }

  /** Runs the most urgent job that can run; returns false if there is none. */
  boolean workOne() {
    MemoryJob job = memory.next(one -> handler(one) != null);
    if (job == null) {
      return false;
    }
    depth++;
    try {
      work(job.id, Objects.requireNonNull(handler(job)));
    } finally {
      depth--;
    }
    order.resolve();
    return true;
  }

  private void work(long id, Registered handler) {
    MemoryJob job = memory.edit(id);
    job.state = JobState.RUNNING;
    job.startedAt = memory.now;
    StoredType type = type(job);
    job.asked = job.asked.ofType(StoredType.stated(type.name(), type.version()));
    job.attempt++;
    Verdict verdict = verdict(job, handler.retries());
    MemoryContext context = new MemoryContext(job, memory, preparer, json, verdict);
    boolean transactional = handler.mode() == ReceiveMode.TRANSACTIONAL;
    if (transactional) {
      memory.begin();
    }
    JobResult result = null;
    Throwable thrown = null;
    Outcome outcome;
    try {
      result = handler.call().with(read(job, handler), context);
      Object given = result instanceof JobResult.Done done ? done.result() : null;
      outcome = verdict.returned(result, given == null ? null : preparer.result(given));
      if (outcome instanceof Outcome.Completed && memory.rollbackOnly()) {
        throw new ReadpastException(
            "the handler returned, but its transaction is marked for rollback");
      }
    } catch (Throwable t) {
      thrown = t;
      Failure failure = Failure.of(Kind.FAILED, t);
      outcome =
          memory.edit(id).cancellationRequested
              ? new Outcome.Cancelled(failure)
              : t instanceof UnreadablePayloadException
                  ? new Outcome.Unreadable(Failure.of(Kind.UNREADABLE, t))
                  : verdict.threw(t, failure);
    }
    List<Memory.Received> received = List.of();
    if (outcome instanceof Outcome.Completed completed) {
      outcome = complete(id, completed, context, verdict, transactional);
    }
    if (transactional && memory.inTransaction()) {
      boolean keepsCancellation = Objects.requireNonNull(memory.find(id)).cancellationRequested;
      received = memory.rollBack();
      memory.edit(id).cancellationRequested |= keepsCancellation;
    }
    apply(id, outcome, context);
    received.forEach(this::rolledBack);
    note(id, outcome, thrown);
  }

  private Object read(MemoryJob job, Registered handler) {
    try {
      return json.readUpcast(
          StoredType.of(job.asked.type()),
          job.asked.contentType(),
          job.asked.payload(),
          handler.payload());
    } catch (RuntimeException e) {
      throw new UnreadablePayloadException(
          "the payload does not fit "
              + handler.payload().getName()
              + ", which the handler of job type '"
              + handler.type()
              + "' takes: "
              + e.getMessage(),
          e);
    }
  }

  static Verdict verdict(MemoryJob job, RetryPolicy policy) {
    return new Verdict(job.counted(), job.asked.maxAttempts(), policy, NO_JITTER);
  }

  /**
   * Ends the job, and enqueues the jobs that its handler has requested; returns the failure if that
   * is impossible.
   */
  private Outcome complete(
      long id,
      Outcome.Completed completed,
      MemoryContext context,
      Verdict verdict,
      boolean transactional) {
    try {
      memory.insert(context.toEnqueue);
    } catch (RuntimeException e) {
      return verdict.threw(e, Failure.of(Kind.FAILED, e));
    }
    MemoryJob job = memory.edit(id);
    job.end(JobState.COMPLETED, memory.now);
    job.result = completed.result();
    if (transactional) {
      memory.commit();
    }
    return completed;
  }

  private void apply(long id, Outcome outcome, MemoryContext context) {
    MemoryJob job = memory.edit(id);
    context.keep();
    if (outcome instanceof Outcome.Unreadable unreadable) {
      // The payload could not be read and no other node exists, so the job gets the longest pause.
      job.failures.add(unreadable.failure());
      job.attempt--;
      job.state = JobState.SCHEDULED;
      job.availableAt = memory.now.plus(UNREADABLE_PAUSE);
    } else if (outcome instanceof Outcome.Retry retry) {
      job.failures.add(retry.failure());
      retry(job, retry);
    } else if (outcome instanceof Outcome.Discarded discarded) {
      job.failures.add(discarded.failure());
      job.end(JobState.DISCARDED, memory.now);
    } else if (outcome instanceof Outcome.Cancelled cancelled) {
      job.failures.add(cancelled.failure());
      job.end(JobState.CANCELLED, memory.now);
    }
  }

  private void retry(MemoryJob job, Outcome.Retry retry) {
    job.uncounted += retry.counted() ? 0 : 1;
    job.availableAt = memory.now.plus(retry.pause());
    if (retry.pause().isZero()) {
      memory.makeAvailable(job);
    } else {
      job.state = JobState.SCHEDULED;
    }
  }

  /** Ends the attempt of a received job whose transaction was rolled back. */
  void rolledBack(Memory.Received received) {
    MemoryJob job = memory.edit(received.id);
    job.attempt++;
    job.startedAt = memory.now;
    Verdict verdict = verdict(job, policy(job));
    Outcome outcome =
        received.decided == null ? verdict.rolledBack() : verdict.returned(received.decided, null);
    if (outcome instanceof Outcome.Retry retry) {
      job.failures.add(retry.failure());
      retry(job, retry);
    } else if (outcome instanceof Outcome.Discarded discarded) {
      job.failures.add(discarded.failure());
      job.end(JobState.DISCARDED, memory.now);
    }
  }

  private RetryPolicy policy(MemoryJob job) {
    Registered handler = handler(job);
    return handler == null ? RetryPolicy.DEFAULT : handler.retries();
  }

  /** Returns how many attempts of a job remain. */
  int retriesRemaining(MemoryJob job) {
    return verdict(job, policy(job)).remaining();
  }

  private void note(long id, Outcome outcome, @Nullable Throwable thrown) {
    boolean asked = thrown instanceof RetryLaterException || outcome instanceof Outcome.Completed;
    MemoryJob job = Objects.requireNonNull(memory.find(id));
    if (!asked && (thrown != null || outcome instanceof Outcome.Discarded)) {
      failed.add(
          new FailedAttempt(
              TestJobView.of(job, job.state),
              thrown != null
                  ? thrown
                  : new ReadpastException(job.failures.get(job.failures.size() - 1).text())));
    }
  }
}
