package org.readpast.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.readpast.model.Durations;
import org.readpast.store.ClaimedJob;

/** What this engine has done since it started, by queue. */
final class Counters {
  /** Enqueues of jobs that come after others. */
  final LongAdder followers = new LongAdder();

  private static final OfQueue NOTHING = new OfQueue();

  private final Map<String, OfQueue> queues = new ConcurrentHashMap<>();

  /** What it has done in one queue. */
  static final class OfQueue {
    /** Jobs received for an attempt. */
    final LongAdder received = new LongAdder();

    /** Attempts that ended well. */
    final LongAdder completed = new LongAdder();

    /** Attempts that did not. */
    final LongAdder failed = new LongAdder();

    /** Jobs that are to be tried again. */
    final LongAdder retried = new LongAdder();

    /** Jobs that ended as DISCARDED. */
    final LongAdder dead = new LongAdder();

    /** Times that the queue was to be looked at, because something woke it. */
    final LongAdder wakeUps = new LongAdder();

    /** Looks that found nothing. */
    final LongAdder emptyReceives = new LongAdder();

    /** Looks that failed. */
    final LongAdder errors = new LongAdder();

    /** Jobs enqueued by this application. */
    final LongAdder enqueued = new LongAdder();

    /** From when jobs were due to when they were claimed. */
    final Durations waits = new Durations();

    /** How long handlers ran. */
    final Durations runs = new Durations();

    /** A handler is through with a job. */
    void ran(ClaimedJob job, Duration took) {
      waits.add(Duration.between(job.availableAt(), job.startedAt()));
      runs.add(took);
    }
  }

  /** A new node counts from zero. */
  void startAnew() {
    queues.clear();
  }

  /** To count on. */
  OfQueue of(String queue) {
    return queues.computeIfAbsent(queue, q -> new OfQueue());
  }

  /** To read: of most queues, there is nothing to tell. */
  OfQueue soFar(String queue) {
    return queues.getOrDefault(queue, NOTHING);
  }

  /** The queue is no more; one of its name counts from zero. */
  void forget(String queue) {
    queues.remove(queue);
  }

  /** Jobs received in all queues. */
  long received() {
    return queues.values().stream().mapToLong(c -> c.received.sum()).sum();
  }
}
