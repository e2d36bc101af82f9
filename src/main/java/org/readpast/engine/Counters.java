package org.readpast.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What this engine has done since it started, by queue. */
final class Counters {
  private final Map<String, OfQueue> queues = new ConcurrentHashMap<>();

  /** What it has done in one queue. */
  static final class OfQueue {
    /** Jobs received for an attempt. */
    final LongAdder received = new LongAdder();

    /** Attempts that ended well. */
    final LongAdder completed = new LongAdder();

    /** Attempts that did not. */
    final LongAdder failed = new LongAdder();

    /** Jobs that ended as DISCARDED. */
    final LongAdder dead = new LongAdder();

    /** Times that the queue was to be looked at, because something woke it. */
    final LongAdder wakeUps = new LongAdder();

    /** Looks that found nothing. */
    final LongAdder emptyReceives = new LongAdder();

    /** Looks that failed. */
    final LongAdder errors = new LongAdder();
  }

  OfQueue of(String queue) {
    return queues.computeIfAbsent(queue, q -> new OfQueue());
  }

  /** Jobs received in all queues. */
  long received() {
    return queues.values().stream().mapToLong(c -> c.received.sum()).sum();
  }
}
