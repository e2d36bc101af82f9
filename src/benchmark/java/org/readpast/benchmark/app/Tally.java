package org.readpast.benchmark.app;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Records the number, times and ids of the handled jobs; recording a job must take almost no time.
 */
public final class Tally {
  private static final int SLOTS = 10_000;
  private static final long SLOT_NANOS = 100_000_000;

  private final long begun = Progress.now();
  private final int mark;
  private final long[] ids;
  private final AtomicInteger done = new AtomicInteger();
  private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator last = new LongAccumulator(Math::max, Long.MIN_VALUE);
  private final AtomicIntegerArray slots = new AtomicIntegerArray(SLOTS);
  private final ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
  private volatile long marked;

  Tally(int mark, int ids) {
    this.mark = mark;
    this.ids = new long[ids];
  }

  void done(long job, long sentAt) {
    long now = Progress.now();
    int number = done.incrementAndGet();
    first.accumulate(now);
    last.accumulate(now);
    slots.incrementAndGet((int) Math.min(Math.max(0, now - begun) / SLOT_NANOS, SLOTS - 1));
    if (number == mark) {
      marked = now;
    }
    if (number <= ids.length) {
      ids[number - 1] = job;
    }
    if (sentAt > 0) {
      latencies.add(now - sentAt);
    }
  }

  /**
   * Returns the number of jobs, the times of the first, the last and the marked job in nanoseconds
   * since the epoch, and the delays.
   */
  String report() {
    StringBuilder text = new StringBuilder();
    text.append(done.get()).append(' ').append(first.get()).append(' ').append(last.get());
    text.append(' ').append(marked);
    latencies.forEach(nanos -> text.append(' ').append(nanos));
    return text.toString();
  }

  /** Returns the number of jobs in each tenth of a second, from the reset to the last job. */
  String pace() {
    int end = IntStream.range(0, SLOTS).filter(i -> slots.get(i) > 0).max().orElse(-1) + 1;
    return IntStream.range(0, end)
        .mapToObj(i -> Integer.toString(slots.get(i)))
        .collect(Collectors.joining(" "));
  }

  /** Returns the ids of the first jobs, as many as requested. */
  String ids() {
    return Arrays.stream(ids, 0, Math.min(done.get(), ids.length))
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }
}
