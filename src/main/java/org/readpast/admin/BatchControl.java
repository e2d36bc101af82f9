package org.readpast.admin;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.BatchAdmin;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.BatchGraph;
import org.readpast.admin.store.BatchReads;
import org.readpast.admin.store.BatchView;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobRejectedException;
import org.readpast.api.NotFoundException;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.engine.Signals;
import org.readpast.enqueue.Batches;
import org.readpast.enqueue.Batches.BatchRow;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.Role;

/** Defines, seals, skips and cancels batches, and changes held or limited groups. */
public final class BatchControl implements Scoped<BatchControl> {
  /**
   * Limits the number of jobs that are read to draw a graph, which takes a few hundredths of a
   * second.
   */
  private static final int LOOKED_AT = 5_000;

  private static final int MOST_DRAWN = 300;

  private final Transactions transactions;
  private final Signals signals;
  private final UnaryOperator<NewJob> signing;
  private final @Nullable Audit audit;
  private final Batches batches;
  private final BatchAdmin batchAdmin;
  private final BatchReads batchReads;
  private final Enqueues enqueues;
  private final QueueAccess access;

  /**
   * @param signing sets the user on whose behalf a callback's job runs
   * @param audit null if batches are defined as part of an enqueue, which the audit does not record
   */
  public BatchControl(
      Transactions transactions,
      Signals signals,
      UnaryOperator<NewJob> signing,
      @Nullable Audit audit) {
    this(transactions, signals, signing, audit, QueueAccess.EVERYTHING);
  }

  private BatchControl(
      Transactions transactions,
      Signals signals,
      UnaryOperator<NewJob> signing,
      @Nullable Audit audit,
      QueueAccess access) {
    this.access = access;
    this.transactions = transactions;
    this.signals = signals;
    this.signing = signing;
    this.audit = audit;
    this.batches = new Batches(transactions);
    this.batchAdmin = new BatchAdmin(transactions);
    this.batchReads = new BatchReads(transactions, access.seen());
    this.enqueues = new Enqueues(transactions);
  }

  @Override
  public BatchControl within(QueueAccess caller) {
    return new BatchControl(transactions, signals, signing, audit, caller);
  }

  /** Lists the events at which a callback's job is enqueued. */
  public enum Event {
    /** The batch is sealed and all its jobs have succeeded. */
    SUCCESS,
    /** A job of the batch is discarded for the first time. */
    DISCARD,
    /** The batch is sealed, and all its jobs have ended. */
    FINISH
  }

  /**
   * Creates a batch unless it exists.
   *
   * @param failurePolicy the policy; null keeps that of an existing batch, and means HOLD for a new
   *     one
   * @throws JobRejectedException if the batch exists with another failure policy
   */
  public long define(String name, @Nullable BatchFailure failurePolicy) {
    requireOperator(name);
    BatchRow batch = transactions.required(() -> batches.find(name));
    if (batch == null) {
      BatchFailure wanted = failurePolicy == null ? BatchFailure.HOLD : failurePolicy;
      batches.create(
          name,
          wanted,
          () -> did("batch.define", name, null, Map.of("failurePolicy", wanted.name())));
      batch = transactions.required(() -> batches.find(name));
      if (batch == null) {
        throw batches.notOpen(name);
      }
    }
    if (failurePolicy != null && failurePolicy != batch.failurePolicy()) {
      throw new JobRejectedException(
          "batch '"
              + name
              + "' exists with failurePolicy "
              + batch.failurePolicy()
              + "; keep that, or choose"
              + " another name");
    }
    return batch.id();
  }

  /**
   * Registers a job that is enqueued at an event of a batch, and creates the batch unless it
   * exists.
   */
  public void callback(String name, Event event, NewJob job) {
    define(name, null, Map.of(event, job));
  }

  /**
   * Creates a batch unless it exists, and registers jobs that are enqueued at its events. If the
   * call is refused, nothing is stored. If a callback were stored although the call fails, it could
   * not be withdrawn, because the first callback of an event is final.
   *
   * @param failurePolicy the failure policy; {@link #define(String, BatchFailure)} describes it
   * @throws JobRejectedException if the batch exists with another failure policy, or if a callback
   *     is not allowed
   */
  public void define(
      String name, @Nullable BatchFailure failurePolicy, Map<Event, NewJob> callbacks) {
    Map<Event, NewJob> signed = new EnumMap<>(Event.class);
    callbacks.forEach(
        (event, job) -> {
          job.checkCallback();
          AccessDeniedException.require(access, Role.OPERATOR, job.queue());
          signed.put(event, signing.apply(job));
        });
    long batch = define(name, failurePolicy);
    if (signed.isEmpty()) {
      return;
    }
    Set<String> queues = new TreeSet<>();
    signed.values().forEach(job -> queues.add(job.queue()));
    transactions.requiresNew(
        () -> {
          queues.forEach(enqueues::createQueue);
          return true;
        });
    queues.forEach(signals::queueChanged);
    transactions.required(
        () -> {
          signed.forEach((event, job) -> callback(batch, name, event, job));
          transactions.afterCommit(signals::orderChanged);
          return true;
        });
  }

  private void callback(long batch, String name, Event event, NewJob job) {
    batchAdmin.callback(batch, event.name(), job);
    Map<String, String> detail = new LinkedHashMap<>();
    detail.put("event", event.name());
    detail.put("type", job.type());
    detail.put("queue", job.queue());
    did("batch.callback", name, null, detail);
  }

  /**
   * Requests a change to a batch; the change is made shortly after the commit.
   *
   * @throws StateConflictException if the batch is to be held but has ended
   */
  public void request(Action action, String name) {
    transactions.required(
        () -> {
          BatchRow batch = existing(name);
          requireOperator(name);
          if (action == Action.HOLD && (batch.cancelled() || batch.finished())) {
            throw StateConflict.ended(name);
          }
          // Finding the state before the change reads the batch's jobs, so it is done for the audit
          // only.
          if (audit != null) {
            did(
                "batch." + action.name().toLowerCase(Locale.ROOT),
                name,
                null,
                changes(action, batch(name)));
          }
          batchAdmin.request(action, batch.id());
          transactions.afterCommit(signals::orderChanged);
          return true;
        });
  }

  private static Map<String, ?> changes(Action action, BatchView before) {
    return switch (action) {
      case SEAL -> Map.of("sealed", Changes.fromTo(before.sealedAt() != null, true));
      case HOLD -> Map.of("held", Changes.fromTo(before.heldAt() != null, true));
      case RELEASE -> Map.of("held", Changes.fromTo(before.heldAt() != null, false));
      case CANCEL -> Map.of("cancelled", Changes.fromTo(before.cancelledAt() != null, true));
      case SKIP ->
          Map.of(
              "heldBy",
              Changes.fromTo(
                  before.waves().stream().flatMap(wave -> wave.holding().stream()).toList(),
                  List.of()));
    };
  }

  /** Lets a group continue although a discarded job holds it. */
  public void skipGroup(String queue, String group) {
    JobDependencies.checkGroup(group);
    AccessDeniedException.require(access, Role.OPERATOR, queue);
    transactions.required(
        () -> {
          did(
              "group.skip",
              queue + "/" + group,
              List.of(queue),
              Map.of("heldBy", Changes.fromTo(batchAdmin.holding(queue, group), List.of())));
          batchAdmin.skipGroup(queue, group);
          transactions.afterCommit(signals::orderChanged);
          return true;
        });
  }

  /**
   * Sets how many jobs of a group may run concurrently.
   *
   * @param concurrency 1 to 1000
   */
  public void limitGroup(String queue, String group, int concurrency) {
    JobDependencies.checkGroup(group);
    AccessDeniedException.require(access, Role.OPERATOR, queue);
    transactions.required(
        () -> {
          int before = batchAdmin.limitGroup(queue, group, concurrency);
          did(
              "group.limit",
              queue + "/" + group,
              List.of(queue),
              Map.of("concurrency", Changes.fromTo(before, concurrency)));
          transactions.afterCommit(signals::orderChanged);
          return true;
        });
  }

  /**
   * Returns a batch.
   *
   * @throws NotFoundException if the batch does not exist
   */
  public BatchView batch(String name) {
    checkName(name);
    List<BatchView> found = transactions.required(() -> batchReads.views(name, "", 1));
    if (found.isEmpty()) {
      throw NotFound.batch(name);
    }
    return found.get(0);
  }

  /** Returns batches ordered by name, starting after the given name. */
  public List<BatchView> page(String after, int most) {
    return transactions.required(() -> batchReads.views(null, after, most));
  }

  /**
   * @param queues the queues that the change concerns; null for the queues of a batch, which are
   *     not known
   */
  private void did(
      String action, String target, @Nullable List<String> queues, Map<String, ?> detail) {
    if (audit != null) {
      audit.did(action, target, queues, detail);
    }
  }

  /** Refuses to change a batch that has jobs in queues that the caller is not allowed to change. */
  private void requireOperator(String name) {
    checkName(name);
    QueueScope operated = access.scope(Role.OPERATOR);
    if (!operated.isAll()
        && !transactions.required(() -> batchReads.outside(List.of(name), operated)).isEmpty()) {
      throw AccessDeniedException.batch(name);
    }
  }

  /**
   * Returns the dependencies between the jobs of a batch.
   *
   * @throws NotFoundException if the batch does not exist
   */
  public BatchGraph graph(String name) {
    return transactions.required(
        () -> batchReads.graph(existing(name).id(), LOOKED_AT, MOST_DRAWN));
  }

  private BatchRow existing(String name) {
    checkName(name);
    BatchRow batch = batches.find(name);
    if (batch == null || !access.seen().isAll() && batchReads.views(name, "", 1).isEmpty()) {
      throw NotFound.batch(name);
    }
    return batch;
  }

  private static void checkName(String name) {
    JobDependencies.inBatch(name, 0);
  }
}
