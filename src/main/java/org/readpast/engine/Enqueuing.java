package org.readpast.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.readpast.api.Enqueued;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.dependency.QueueLane;
import org.readpast.enqueue.Enqueues;
import org.readpast.enqueue.GroupCommit;
import org.readpast.model.NewJob;

/**
 * Enqueues in the caller's transaction, or in a new transaction if the caller has none. Workers are
 * notified only after the transaction has committed.
 */
final class Enqueuing implements Enqueuer {
  private final Transactions transactions;
  private final Enqueues enqueues;
  private final WakeUps wakeUps;
  private final Counters counters;
  private final Instrumentation instrumentation;
  private final UnaryOperator<String> storedType;
  private final Outage outage;
  private final GroupCommit groupCommit;
  private final Set<String> knownQueues = ConcurrentHashMap.newKeySet();

  /**
   * @param storedType returns the stored form of a type that a job names
   */
  Enqueuing(
      Enqueues enqueues,
      WakeUps wakeUps,
      Counters counters,
      UnaryOperator<String> storedType,
      EnginePorts from) {
    this.storedType = storedType;
    this.transactions = from.transactions();
    this.enqueues = enqueues;
    this.wakeUps = wakeUps;
    this.counters = counters;
    this.instrumentation = from.instrumentation();
    this.outage = from.outage();
    this.groupCommit = new GroupCommit(transactions::autoCommitOnce, enqueues::insert);
  }

  @Override
  public List<Enqueued> enqueue(List<NewJob> named) {
    if (named.isEmpty()) {
      return List.of();
    }
    List<NewJob> jobs = named.stream().map(this::withStoredType).toList();
    try {
      createMissing(jobs);
      return instrumentation.enqueue(jobs, this::store);
    } catch (RuntimeException e) {
      outage.record(e);
      throw e;
    }
  }

  private NewJob withStoredType(NewJob job) {
    String type = storedType.apply(job.type());
    return type.equals(job.type()) ? job : job.ofType(type);
  }

  private List<Enqueued> store(List<NewJob> jobs) {
    if (jobs.size() > 1 || !GroupCommit.admits(jobs.get(0)) || transactions.present()) {
      return transactions.required(() -> insert(jobs));
    }
    Enqueued enqueued = groupCommit.enqueue(jobs.get(0));
    committed(jobs, List.of(enqueued));
    return List.of(enqueued);
  }

  private List<Enqueued> insert(List<NewJob> jobs) {
    List<Enqueued> enqueued = enqueues.insert(jobs);
    transactions.afterCommit(() -> committed(jobs, enqueued));
    return enqueued;
  }

  /**
   * Creates queues in a separate transaction, so that other users of a new queue need not wait for
   * the caller's transaction. A queue that is visible to the caller's transaction is not created:
   * if the caller has changed its settings, the separate transaction would wait for the caller
   * forever.
   */
  private void createMissing(List<NewJob> jobs) {
    Set<String> unknown = new HashSet<>();
    for (NewJob job : jobs) {
      if (!knownQueues.contains(job.queue())) {
        unknown.add(job.queue());
      }
    }
    if (!unknown.isEmpty()) {
      Set<String> missing = transactions.required(() -> enqueues.missingQueues(unknown));
      transactions.requiresNew(
          () -> {
            enqueues.markUsed(unknown);
            missing.forEach(enqueues::createQueue);
            return true;
          });
      knownQueues.addAll(unknown);
      unknown.forEach(wakeUps::queueChanged);
    }
  }

  /** If the database has lost queues in which this node has enqueued jobs, creates them again. */
  void createLost() {
    create(Set.copyOf(knownQueues));
  }

  /** Creates the queues that do not exist. */
  void create(Set<String> queues) {
    if (!queues.isEmpty()) {
      transactions.requiresNew(() -> enqueues.createQueues(queues)).forEach(wakeUps::queueChanged);
    }
  }

  /** Forgets all queues except the existing ones, so that the next job creates the others again. */
  void retainQueues(Set<String> existing) {
    knownQueues.retainAll(existing);
  }

  /**
   * Announces new jobs. Changes to jobs that were already waiting are announced by {@link
   * Enqueues}.
   */
  private void committed(List<NewJob> jobs, List<Enqueued> enqueued) {
    QueueLane.ArrivalCounts arrivals = new QueueLane.ArrivalCounts();
    boolean ordered = false;
    for (int i = 0; i < jobs.size(); i++) {
      NewJob job = jobs.get(i);
      if (!enqueued.get(i).isNew()) {
        continue;
      }
      counters.enqueued(job);
      Duration wait = wait(job);
      if (job.dependencies().waitsFor() != null) {
        ordered = true;
      } else if (wait.isZero() || wait.isNegative()) {
        arrivals.add(QueueLane.of(job), 1);
      } else {
        wakeUps.dueIn(wait);
      }
    }
    if (ordered) {
      wakeUps.orderChanged();
    }
    arrivals.announce(wakeUps::jobsAvailable);
  }

  private static Duration wait(NewJob job) {
    Instant at = job.at();
    if (at != null) {
      // The node's clock only determines when to check; the database's clock decides whether the
      // job is due.
      return Duration.between(Instant.now(), at);
    }
    Duration delay = job.delay();
    return delay == null ? Duration.ZERO : delay;
  }
}
