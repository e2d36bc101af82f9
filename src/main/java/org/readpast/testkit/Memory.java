package org.readpast.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;
import org.readpast.api.BatchSealedException;
import org.readpast.api.Enqueued;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.StateConflictException;
import org.readpast.model.Debounce;
import org.readpast.model.NewJob;
import org.readpast.model.References;
import org.readpast.model.Transition;

/**
 * Holds the data that the real engine stores in the database: jobs, batches, the clock, and one
 * transaction.
 */
final class Memory {
  Instant now;
  private final TreeMap<Long, MemoryJob> jobs = new TreeMap<>();
  private Map<String, BatchState> batches = new TreeMap<>();
  private final Set<String> paused = new HashSet<>();
  private long lastId;
  private long lastPosition;
  private @Nullable Transaction transaction;

  Memory(Instant now) {
    this.now = now;
  }

  /** Holds a batch and its callbacks. */
  static final class BatchState {
    final String name;
    final BatchFailure failurePolicy;
    boolean sealed;
    boolean sealAsked;
    boolean cancelled;
    final Map<String, NewJob> callbacks = new HashMap<>();
    final Set<String> called = new HashSet<>();

    BatchState(String name, BatchFailure failurePolicy) {
      this.name = name;
      this.failurePolicy = failurePolicy;
    }

    BatchState copy() {
      BatchState copy = new BatchState(name, failurePolicy);
      copy.sealed = sealed;
      copy.sealAsked = sealAsked;
      copy.cancelled = cancelled;
      copy.callbacks.putAll(callbacks);
      copy.called.addAll(called);
      return copy;
    }
  }

  /**
   * Holds the earlier state, to which a rollback returns; ids that were assigned are not reused.
   */
  private static final class Transaction {
    final Map<Long, @Nullable MemoryJob> before = new HashMap<>();
    final Map<String, BatchState> batches = new TreeMap<>();
    final Set<String> paused;
    final List<Received> received = new ArrayList<>();
    boolean rollbackOnly;

    Transaction(Set<String> paused) {
      this.paused = Set.copyOf(paused);
    }
  }

  /** Represents a job that the open transaction has received. */
  final class Received {
    final long id;
    @Nullable JobResult decided;

    private Received(long id) {
      this.id = id;
    }

    /** Rolls the transaction back; the result then determines the state of the job. */
    void decide(JobResult result) {
      Transaction open = transaction;
      if (open == null || !open.received.contains(this)) {
        throw new StateConflictException(
            "the transaction that received job "
                + id
                + " has ended; decide the outcome of the job within that transaction");
      }
      if (decided != null) {
        throw new StateConflictException(
            "the outcome of job " + id + " was already decided; decide it only once");
      }
      decided = result;
      open.rollbackOnly = true;
    }
  }

  boolean rollbackOnly() {
    return transaction != null && transaction.rollbackOnly;
  }

  boolean inTransaction() {
    return transaction != null;
  }

  void begin() {
    Transaction begun = new Transaction(paused);
    batches.forEach((name, batch) -> begun.batches.put(name, batch.copy()));
    transaction = begun;
  }

  void commit() {
    transaction = null;
  }

  /** Rolls the transaction back and returns the jobs that it had received. */
  List<Received> rollBack() {
    Transaction undone = Objects.requireNonNull(transaction);
    transaction = null;
    undone.before.forEach(
        (id, job) -> {
          if (job == null) {
            jobs.remove(id);
          } else {
            jobs.put(id, job);
          }
        });
    // A rollback does not remove batches that the transaction has created.
    batches.forEach(
        (name, batch) ->
            undone.batches.putIfAbsent(name, new BatchState(name, batch.failurePolicy)));
    batches = undone.batches;
    paused.clear();
    paused.addAll(undone.paused);
    return undone.received;
  }

  Received received(long id) {
    Received received = new Received(id);
    Objects.requireNonNull(transaction).received.add(received);
    return received;
  }

  /** Returns true if the open transaction has enqueued the job. */
  boolean enqueuedHere(long id) {
    return transaction != null
        && transaction.before.containsKey(id)
        && transaction.before.get(id) == null;
  }

  @Nullable MemoryJob find(long id) {
    return jobs.get(id);
  }

  /** Returns a job that is to be changed; a rollback undoes the change. */
  MemoryJob edit(long id) {
    MemoryJob job = Objects.requireNonNull(jobs.get(id));
    if (transaction != null && !transaction.before.containsKey(id)) {
      transaction.before.put(id, job.copy());
    }
    return job;
  }

  /** Returns all live and ended jobs in the order of their ids. */
  Collection<MemoryJob> all() {
    return jobs.values();
  }

  Stream<MemoryJob> live() {
    return jobs.values().stream().filter(MemoryJob::live);
  }

  Collection<BatchState> batches() {
    return batches.values();
  }

  @Nullable BatchState batch(@Nullable String name) {
    return name == null ? null : batches.get(name);
  }

  /** Returns the batch with this name, and creates it if it does not exist. */
  BatchState define(String name, @Nullable BatchFailure failurePolicy) {
    BatchState batch =
        batches.computeIfAbsent(
            name,
            n -> new BatchState(n, failurePolicy == null ? BatchFailure.HOLD : failurePolicy));
    if (failurePolicy != null && failurePolicy != batch.failurePolicy) {
      throw new JobRejectedException(
          "batch '"
              + name
              + "' exists with failurePolicy "
              + batch.failurePolicy
              + "; keep that, or choose another name");
    }
    return batch;
  }

  boolean pause(String queue) {
    return paused.add(queue);
  }

  boolean resume(String queue) {
    return paused.remove(queue);
  }

  /** Changes the due time of a job that does not wait for other jobs. */
  void reschedule(MemoryJob job, Instant at) {
    job.availableAt = at.isAfter(now) ? at : now;
    free(job);
  }

  /** Adds all jobs, or none if one is refused. */
  List<Enqueued> insert(List<NewJob> added) {
    Map<String, Integer> references = References.check(added);
    for (NewJob job : added) {
      for (long predecessor : job.dependencies().after()) {
        if (predecessor < 1 || predecessor > lastId) {
          throw new JobRejectedException(
              "after names job "
                  + predecessor
                  + ", which never existed; enqueue a job before its followers");
        }
      }
      BatchState batch = batch(job.dependencies().batch());
      if (batch != null && batch.sealed) {
        throw new BatchSealedException(batch.name);
      }
    }
    Enqueued[] answers = new Enqueued[added.size()];
    for (int i = 0; i < answers.length; i++) {
      MemoryJob holder = holderOf(added.get(i).uniqueKey());
      answers[i] =
          holder == null
              ? Enqueued.of(++lastId, true)
              : update(holder, added.get(i))
                  ? Enqueued.updated(holder.id)
                  : Enqueued.of(holder.id, false);
      if (holder == null) {
        // The predecessors are added after all jobs of the call, because a predecessor may follow
        // later in the call.
        MemoryJob job =
            new MemoryJob(
                lastId,
                added.get(i),
                new ArrayList<>(),
                now,
                due(added.get(i)),
                expiry(added.get(i)));
        put(job);
        job.waitsFor = job.asked.dependencies().waitsFor();
        if (job.waitsFor == null) {
          free(job);
        }
      }
    }
    for (int i = 0; i < answers.length; i++) {
      if (answers[i].isNew()) {
        MemoryJob job = Objects.requireNonNull(find(answers[i].id()));
        job.predecessors.addAll(job.asked.dependencies().after());
        for (String ref : job.asked.dependencies().afterRefs()) {
          job.predecessors.add(answers[Objects.requireNonNull(references.get(ref))].id());
        }
      }
    }
    return List.of(answers);
  }

  /**
   * Changes the waiting job with the same unique key as requested by the enqueue; returns false if
   * the job stays unchanged.
   */
  private boolean update(MemoryJob holder, NewJob added) {
    Debounce debounce = added.debounce();
    if (debounce == null
        || !Transition.RESCHEDULE.allowedFrom(holder.state)
        || !holder.asked.queue().equals(added.queue())
        || !holder.asked.type().equals(added.type())) {
      return false;
    }
    MemoryJob job = edit(holder.id);
    boolean moved = debounce.replace() && job.asked.priority() != added.priority();
    if (debounce.replace()) {
      job.asked = added.at(job.asked.dependencies());
      job.expiresAt = expiry(added);
    }
    Duration latest = debounce.latest();
    if (latest != null && job.attempt == 0) {
      Instant until = Collections.min(List.of(due(added), job.enqueuedAt.plus(latest)));
      job.availableAt = Collections.max(List.of(job.availableAt, until));
    }
    if (moved || job.state == JobState.SCHEDULED || job.availableAt.isAfter(now)) {
      free(job);
    }
    return true;
  }

  private void put(MemoryJob job) {
    String batch = job.asked.dependencies().batch();
    if (batch != null) {
      define(batch, null);
    }
    if (transaction != null) {
      transaction.before.put(job.id, null);
    }
    jobs.put(job.id, job);
  }

  private Instant due(NewJob job) {
    Instant at = job.at();
    Duration delay = job.delay();
    return at != null ? at : delay != null ? now.plus(delay) : now;
  }

  private @Nullable Instant expiry(NewJob job) {
    Duration expiresIn = job.expiresIn();
    return expiresIn != null ? now.plus(expiresIn) : job.expiresAt();
  }

  /** Returns the live job that has the unique key, or null if there is none. */
  @Nullable MemoryJob holderOf(@Nullable String uniqueKey) {
    return uniqueKey == null
        ? null
        : live().filter(job -> uniqueKey.equals(job.asked.uniqueKey())).findFirst().orElse(null);
  }

  /** Releases a job that no longer waits for other jobs. */
  void free(MemoryJob job) {
    job.waitsFor = null;
    if (job.availableAt.isAfter(now)) {
      job.state = JobState.SCHEDULED;
    } else {
      makeAvailable(job);
    }
  }

  void makeAvailable(MemoryJob job) {
    job.state = JobState.AVAILABLE;
    job.position = ++lastPosition;
  }

  /** Returns the most urgent job that matches and can be claimed, or null if there is none. */
  @Nullable MemoryJob next(Predicate<MemoryJob> wanted) {
    return live()
        .filter(job -> job.state == JobState.AVAILABLE && !paused.contains(job.asked.queue()))
        .filter(wanted)
        .min(
            Comparator.<MemoryJob>comparingInt(job -> -job.asked.priority())
                .thenComparingLong(job -> job.position))
        .orElse(null);
  }

  /** Ends expired jobs and makes due jobs available. */
  boolean tick() {
    boolean changed = false;
    for (MemoryJob job : live().toList()) {
      if (job.state != JobState.RUNNING && job.expiresAt != null && !job.expiresAt.isAfter(now)) {
        edit(job.id).end(JobState.EXPIRED, now);
        changed = true;
      } else if (job.state == JobState.SCHEDULED && !job.availableAt.isAfter(now)) {
        makeAvailable(edit(job.id));
        changed = true;
      }
    }
    return changed;
  }

  /** Returns when the next job becomes due or expires, or null if there is none. */
  @Nullable Instant nextMoment() {
    return live()
        .filter(job -> job.state != JobState.RUNNING)
        .flatMap(
            job ->
                Stream.of(job.state == JobState.SCHEDULED ? job.availableAt : null, job.expiresAt))
        .filter(Objects::nonNull)
        .filter(moment -> moment.isAfter(now))
        .min(Comparator.naturalOrder())
        .orElse(null);
  }
}
