package org.readpast.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.readpast.api.Enqueued;
import org.readpast.model.NewJob;
import org.readpast.store.Enqueues;
import org.readpast.store.Transactions;

/**
 * Enqueues in the caller's transaction, or in one of its own where there is none; once that has
 * committed, and only then, the workers hear of it.
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

  /** storedType: gives what is stored for a type that a job names. */
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
    List<NewJob> jobs = named.stream().map(this::inItsVersion).toList();
    try {
      createMissing(jobs);
      return instrumentation.enqueue(jobs, this::store);
    } catch (RuntimeException e) {
      outage.noted(e);
      throw e;
    }
  }

  private NewJob inItsVersion(NewJob job) {
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
    if (jobs.stream().anyMatch(job -> job.place().follows())) {
      counters.followers.increment();
    }
    List<Enqueued> enqueued = enqueues.insert(jobs);
    transactions.afterCommit(() -> committed(jobs, enqueued));
    return enqueued;
  }

  /**
   * Creates the queues in a transaction of its own, so that others that use a new queue do not wait
   * for the caller's. One that the caller's transaction sees is left alone: it may have changed its
   * settings, and would wait for itself.
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

  /** Creates the queues again that jobs were enqueued to here, where the database has lost them. */
  void createLost() {
    create(Set.copyOf(knownQueues));
  }

  /** Creates those of the queues that do not exist. */
  void create(Set<String> queues) {
    if (!queues.isEmpty()) {
      transactions.requiresNew(() -> enqueues.createQueues(queues)).forEach(wakeUps::queueChanged);
    }
  }

  /** Forgets all queues but those that exist: the next job creates them again. */
  void retainQueues(Set<String> existing) {
    knownQueues.retainAll(existing);
  }

  /** What was done to jobs that waited already is announced by {@link Enqueues}. */
  private void committed(List<NewJob> jobs, List<Enqueued> enqueued) {
    Arrival.Count arrivals = new Arrival.Count();
    boolean ordered = false;
    for (int i = 0; i < jobs.size(); i++) {
      NewJob job = jobs.get(i);
      if (!enqueued.get(i).isNew()) {
        continue;
      }
      counters.enqueued(job);
      Duration wait = wait(job);
      if (job.place().waitsFor() != null) {
        ordered = true;
      } else if (wait.isZero() || wait.isNegative()) {
        arrivals.add(Arrival.of(job), 1);
      } else {
        wakeUps.dueIn(wait);
      }
    }
    if (ordered) {
      wakeUps.orderChanged();
    }
    arrivals.tell(wakeUps::jobsCame);
  }

  private static Duration wait(NewJob job) {
    Instant at = job.at();
    if (at != null) {
      // The node's clock only says when to look; whether the job is due is for the database's clock
      // to say.
      return Duration.between(Instant.now(), at);
    }
    Duration delay = job.delay();
    return delay == null ? Duration.ZERO : delay;
  }
}
