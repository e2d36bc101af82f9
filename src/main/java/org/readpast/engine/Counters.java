package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.readpast.model.Durations;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.store.ClaimedJob;

/** Holds the counts of this engine since its start, by queue and by job type. */
final class Counters {
  private static final OfQueue NOTHING = new OfQueue();

  private final Map<String, OfQueue> queues = new ConcurrentHashMap<>();
  private final Map<String, OfJobs> types = new ConcurrentHashMap<>();
  private final RecentSeconds seconds = new RecentSeconds(System::nanoTime);

  /** Holds the counts of the jobs of one queue or type. */
  static class OfJobs {
    /** Counts the attempts that succeeded. */
    final LongAdder completed = new LongAdder();

    /** Counts the attempts that failed. */
    final LongAdder failed = new LongAdder();

    /** Counts the attempts after which the job is retried. */
    final LongAdder retried = new LongAdder();

    /** Counts the jobs that ended as DISCARDED. */
    final LongAdder discarded = new LongAdder();

    /** Counts the jobs that this application has enqueued. */
    final LongAdder enqueued = new LongAdder();

    /** Holds the distribution of the times from the due time of jobs to their leases. */
    final Durations waits = new Durations();

    /** Holds the distribution of the times that handlers ran. */
    final Durations runs = new Durations();
  }

  /** Holds the counts of one queue. */
  static final class OfQueue extends OfJobs {
    /** Counts the jobs that were received for an attempt. */
    final LongAdder received = new LongAdder();

    /** Counts the wake-ups, which make receivers check the queue. */
    final LongAdder wakeUps = new LongAdder();

    /** Counts the checks that found no jobs. */
    final LongAdder emptyReceives = new LongAdder();

    /** Counts the checks that failed with an error. */
    final LongAdder errors = new LongAdder();
  }

  void enqueued(NewJob job) {
    of(job.queue()).enqueued.increment();
    ofType(job.type()).enqueued.increment();
    seconds.enqueued(job.queue(), StoredType.nameOf(job.type()));
  }

  /** Records that a handler has returned or thrown an exception. */
  void ran(ClaimedJob job, Duration took) {
    Duration waited = Duration.between(job.availableAt(), job.startedAt());
    for (OfJobs counts : List.of(of(job.queue()), ofType(job.type()))) {
      counts.waits.add(waited);
      counts.runs.add(took);
    }
    seconds.ran(job.queue(), StoredType.nameOf(job.type()), waited, took);
  }

  void completed(ClaimedJob job) {
    of(job.queue()).completed.increment();
    ofType(job.type()).completed.increment();
    seconds.completed(job.queue(), StoredType.nameOf(job.type()));
  }

  void failed(ClaimedJob job) {
    of(job.queue()).failed.increment();
    ofType(job.type()).failed.increment();
    seconds.failed(job.queue(), StoredType.nameOf(job.type()));
  }

  void retried(ClaimedJob job) {
    of(job.queue()).retried.increment();
    ofType(job.type()).retried.increment();
  }

  void discarded(String queue, String type) {
    of(queue).discarded.increment();
    ofType(type).discarded.increment();
  }

  /** Returns the sum of the counts of all versions of a type. */
  private OfJobs ofType(String type) {
    return types.computeIfAbsent(StoredType.nameOf(type), t -> new OfJobs());
  }

  /** Returns the figures of every type of which a job was enqueued or an attempt has ended. */
  List<TypeFigures> figures() {
    return types.entrySet().stream()
        .map(
            type -> {
              OfJobs counts = type.getValue();
              return new TypeFigures(
                  type.getKey(),
                  counts.enqueued.sum(),
                  counts.completed.sum(),
                  counts.failed.sum(),
                  counts.retried.sum(),
                  counts.discarded.sum(),
                  counts.waits,
                  counts.runs);
            })
        .toList();
  }

  /** Resets the counts, because the counts of a new node begin at zero. */
  void startAnew() {
    queues.clear();
    types.clear();
    seconds.clear();
  }

  /** Returns the counts of this engine for each of the last seconds. */
  RecentSeconds seconds() {
    return seconds;
  }

  /** Returns the counts of a queue for updating; creates them if necessary. */
  OfQueue of(String queue) {
    return queues.computeIfAbsent(queue, q -> new OfQueue());
  }

  /** Returns the counts of a queue for reading; most queues have none. */
  OfQueue peek(String queue) {
    return queues.getOrDefault(queue, NOTHING);
  }

  /**
   * Forgets the counts of a queue that was removed. The counts of a new queue with the same name
   * begin at zero.
   */
  void forget(String queue) {
    queues.remove(queue);
  }

  /** Returns the number of jobs received in all queues. */
  long received() {
    return queues.values().stream().mapToLong(c -> c.received.sum()).sum();
  }
}
