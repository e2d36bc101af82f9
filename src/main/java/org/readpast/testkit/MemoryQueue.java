package org.readpast.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.NotFound;
import org.readpast.admin.StateConflict;
import org.readpast.api.Batch;
import org.readpast.api.Enqueued;
import org.readpast.api.Job;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobReply;
import org.readpast.api.JobRequest;
import org.readpast.api.JobSelection;
import org.readpast.api.JobState;
import org.readpast.api.JobStatus;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceivedJob;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.model.Transition;
import org.readpast.runtime.JobInTransaction;
import org.readpast.runtime.JobPreparer;
import org.readpast.runtime.Json;

/** Executes the calls of the code under test on the memory. */
abstract class MemoryQueue implements JobQueue {
  private static final int LARGEST_PAYLOAD = 1024 * 1024;

  private final Json json = TestJobView.Binding.json();
  private final JobPreparer preparer = JobPreparer.with(json, LARGEST_PAYLOAD);
  final Memory memory;
  final Order order;
  final Work work;

  MemoryQueue(Instant now) {
    memory = new Memory(now);
    order = new Order(memory);
    work = new Work(memory, order, preparer, json);
  }

  /** Throws an error if attempts have failed although they were expected to succeed. */
  abstract void report();

  /** Applies a change in the open transaction, or in a separate transaction if none is open. */
  synchronized <T> T change(Function<Memory, T> change) {
    T result = change.apply(memory);
    if (!memory.inTransaction()) {
      order.resolve();
    }
    return result;
  }

  NewJob prepare(Object job) {
    return preparer.prepare(job);
  }

  @Override
  public Enqueued enqueue(JobRequest request) {
    NewJob job = prepare(request);
    return change(to -> to.insert(List.of(job))).get(0);
  }

  @Override
  public List<Enqueued> enqueueAll(Iterable<?> jobs) {
    List<NewJob> prepared = new ArrayList<>();
    jobs.forEach(job -> prepared.add(prepare(job)));
    return change(to -> to.insert(prepared));
  }

  @Override
  public Batch batch(String name) {
    return new MemoryBatch(name, this);
  }

  /**
   * Receives a job. Instead of waiting, this method moves the clock to the time at which the next
   * job becomes due; no handlers run in the meantime.
   */
  @Override
  public synchronized Optional<ReceivedJob> receive(
      String queue, Duration timeout, String... types) {
    Names.checkQueue(queue);
    if (!memory.inTransaction()) {
      throw new ReadpastException(
          "a job is received in the caller's transaction, but there is no transaction, or it is"
              + " marked for rollback; begin one first");
    }
    Instant end = memory.now.plus(checked(timeout));
    Set<String> wanted = Set.of(types);
    while (true) {
      memory.tick();
      MemoryJob found =
          memory.next(
              job ->
                  job.asked.queue().equals(queue)
                      && (wanted.isEmpty()
                          || wanted.contains(StoredType.nameOf(job.asked.type()))));
      if (found != null) {
        MemoryJob job = memory.edit(found.id);
        job.attempt++;
        job.startedAt = memory.now;
        job.end(JobState.COMPLETED, memory.now);
        return Optional.of(
            new JobInTransaction(
                TestJobView.of(job, JobState.RUNNING), memory.received(job.id)::decide));
      }
      Instant next = memory.nextMoment();
      if (next == null || next.isAfter(end)) {
        memory.now = end;
        return Optional.empty();
      }
      memory.now = next;
    }
  }

  @Override
  public synchronized List<Job> browse(String queue, JobSelection selection) {
    Names.checkQueue(queue);
    return memory
        .live()
        .filter(job -> job.asked.queue().equals(queue) && job.id > selection.startAfter())
        .map(job -> TestJobView.of(job, job.state))
        .filter(job -> selection.types().isEmpty() || selection.types().contains(job.type()))
        .filter(job -> selection.state() == null || selection.state() == job.state())
        .filter(
            job ->
                selection.correlationId() == null
                    || selection.correlationId().equals(job.correlationId()))
        .filter(job -> job.properties().entrySet().containsAll(selection.properties().entrySet()))
        .limit(selection.limit())
        .<Job>map(job -> job)
        .toList();
  }

  /**
   * Purges the queue; a call inside a transaction is refused, because a purge is never part of a
   * transaction.
   */
  @Override
  public synchronized int purge(String queue) {
    Names.checkQueue(queue);
    if (memory.inTransaction()) {
      throw new ReadpastException(
          "purge is not part of the caller's transaction, but the test kit supports only one"
              + " transaction at a time; call it outside");
    }
    List<MemoryJob> waiting =
        memory
            .live()
            .filter(job -> job.asked.queue().equals(queue) && job.state != JobState.RUNNING)
            .toList();
    waiting.forEach(job -> memory.edit(job.id).end(JobState.CANCELLED, memory.now));
    order.resolve();
    return waiting.size();
  }

  @Override
  public synchronized Optional<JobStatus> find(long id) {
    return Optional.ofNullable(memory.find(id)).map(this::status);
  }

  @Override
  public synchronized Optional<JobStatus> find(String uniqueKey) {
    NewJob.checkUniqueKey(uniqueKey);
    return Optional.ofNullable(memory.holderOf(uniqueKey)).map(this::status);
  }

  @Override
  public synchronized List<JobStatus> findByCorrelationId(
      String correlationId, long after, int limit) {
    NewJob.checkPage(correlationId, limit);
    return memory.all().stream()
        .filter(job -> job.id > after && correlationId.equals(job.asked.correlationId()))
        .limit(limit)
        .map(this::status)
        .toList();
  }

  private JobStatus status(MemoryJob job) {
    return new MemoryJobStatus(job, work.retriesRemaining(job));
  }

  @Override
  public void runNow(long id) {
    change(
        all -> {
          MemoryJob job = existing(id);
          if (!Transition.PROMOTE.allowedFrom(job.state)) {
            throw StateConflict.of(Transition.PROMOTE, "run now", id, job.state);
          }
          all.reschedule(all.edit(id), all.now);
          return id;
        });
  }

  @Override
  public void reschedule(long id, Instant at) {
    NewJob.checkMoment("at", at);
    change(
        all -> {
          MemoryJob job = existing(id);
          if (!Transition.RESCHEDULE.allowedFrom(job.state)) {
            throw StateConflict.of(Transition.RESCHEDULE, "rescheduled", id, job.state);
          }
          if (job.state == JobState.SCHEDULED || at.isAfter(all.now)) {
            all.reschedule(all.edit(id), at);
          }
          return id;
        });
  }

  @Override
  public boolean cancel(String uniqueKey) {
    NewJob.checkUniqueKey(uniqueKey);
    return change(
        all -> {
          MemoryJob holder = all.holderOf(uniqueKey);
          if (holder == null) {
            throw NotFound.uniqueKey(uniqueKey);
          }
          return cancel(holder.id);
        });
  }

  @Override
  public void pause(String queue) {
    Names.checkQueue(queue);
    change(all -> all.pause(queue));
  }

  @Override
  public void resume(String queue) {
    Names.checkQueue(queue);
    change(all -> all.resume(queue));
  }

  @Override
  public boolean cancel(long id) {
    return change(
        all -> {
          MemoryJob job = existing(id);
          if (!Transition.CANCEL.allowedFrom(job.state)) {
            throw StateConflict.of(Transition.CANCEL, "cancelled", id, job.state);
          }
          MemoryJob changed = all.edit(id);
          if (job.state == JobState.RUNNING || job.state == JobState.BLOCKED) {
            changed.cancellationRequested = true;
            return false;
          }
          changed.end(Transition.CANCEL.to(), memory.now);
          return true;
        });
  }

  @Override
  public void reset(long id) {
    change(
        all -> {
          MemoryJob job = existing(id);
          if (!Transition.RESET.allowedFrom(job.state)) {
            throw StateConflict.of(Transition.RESET, "reset", id, job.state);
          }
          if (order.overtaken(job)) {
            throw StateConflict.overtaken(id);
          }
          MemoryJob holder = all.holderOf(job.asked.uniqueKey());
          if (holder != null) {
            throw StateConflict.keyHeld(
                id, Objects.requireNonNull(job.asked.uniqueKey()), holder.id);
          }
          order.reset(job);
          return id;
        });
  }

  /** Runs jobs and moves the clock until the job has ended, up to the timeout. */
  @Override
  public synchronized JobReply await(long id, Duration timeout) {
    Instant end = memory.now.plus(checked(timeout));
    if (memory.inTransaction()) {
      throw new ReadpastException(
          memory.enqueuedHere(id)
              ? "job "
                  + id
                  + " was enqueued in the caller's own transaction and cannot start"
                  + " before it commits; commit the transaction first, then await"
                  + " the job"
              : "the test kit runs jobs one at a time, so no job can be awaited inside a"
                  + " transaction; await job "
                  + id
                  + " outside the transaction");
    }
    boolean waits = !timeout.isZero();
    while (waits && existing(id).live()) {
      if (!work.workOne()) {
        Instant next = memory.nextMoment();
        waits = next != null && !next.isAfter(end);
        memory.now = waits ? Objects.requireNonNull(next) : end;
        order.resolve();
      }
    }
    if (!work.working()) {
      report();
    }
    return new Reply(TestJobView.of(existing(id), existing(id).state));
  }

  private record Reply(TestJobView job) implements JobReply {
    @Override
    public JobState state() {
      return job.state();
    }

    @Override
    public @Nullable String json() {
      return job.writtenResult();
    }

    @Override
    public <T> @Nullable T result(Class<T> as) {
      return job.result(as);
    }
  }

  final MemoryJob existing(long id) {
    MemoryJob job = memory.find(id);
    if (job == null) {
      throw NotFound.job(id);
    }
    return job;
  }

  static Duration checked(Duration timeout) {
    if (timeout == null || timeout.isNegative()) {
      throw new JobRejectedException("timeout is " + timeout + "; specify PT0S or more");
    }
    return timeout;
  }
}
