package org.readpast.model;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * How many durations of which length there were, in classes: two for each doubling, so that a
 * percentile is right to a fifth. The first class ends at 128 microseconds, the last one is open.
 */
public final class Durations {
  private static final int FIRST_BITS = 7;
  private static final int CLASSES = 56;
  private static final int FIRST_BOUND = 7;
  private static final int BOUND_STEP = 4;

  /** Where classes end that a monitor is told of, in seconds: from a millisecond to an hour. */
  public static final List<Double> BOUNDS =
      IntStream.iterate(FIRST_BOUND, i -> i < CLASSES - BOUND_STEP, i -> i + BOUND_STEP)
          .mapToObj(i -> start(i) / 1_000_000)
          .toList();

  private final AtomicLongArray counts = new AtomicLongArray(CLASSES);
  private final LongAdder micros = new LongAdder();

  /**
   * A histogram.
   *
   * @param upTo how many were no longer than each of {@link #BOUNDS}
   * @param count how many there were
   * @param seconds their sum
   */
  public record Histogram(long[] upTo, long count, double seconds) {}

  /** Counts one; a negative one, between two clocks, as nothing. */
  public void add(Duration duration) {
    long length = Math.max(0, duration.toNanos() / 1_000);
    counts.incrementAndGet(classOf(length));
    micros.add(length);
  }

  /** Returns a new histogram of the durations of both. */
  public Durations plus(Durations other) {
    return with(other, 1);
  }

  /** Returns a new histogram of the durations that were added since it was equal to another. */
  public Durations minus(Durations before) {
    return with(before, -1);
  }

  private Durations with(Durations other, int sign) {
    Durations result = new Durations();
    for (int i = 0; i < CLASSES; i++) {
      result.counts.set(i, counts.get(i) + sign * other.counts.get(i));
    }
    result.micros.add(micros.sum() + sign * other.micros.sum());
    return result;
  }

  /** As a monitor wants it. */
  public Histogram histogram() {
    long[] upTo = new long[BOUNDS.size()];
    long before = 0;
    for (int i = 0; i < CLASSES; i++) {
      int bound = (i - FIRST_BOUND) / BOUND_STEP;
      if (i >= FIRST_BOUND && (i - FIRST_BOUND) % BOUND_STEP == 0 && bound < upTo.length) {
        upTo[bound] = before;
      }
      before += counts.get(i);
    }
    return new Histogram(upTo, before, micros.sum() / 1e6);
  }

  /** The duration in ms than which so great a share is not longer; 0 when there is none. */
  public double percentile(double share) {
    return percentile(IntStream.range(0, CLASSES).mapToObj(counts::get).toList(), share);
  }

  private static int classOf(long micros) {
    int bits = 63 - Long.numberOfLeadingZeros(Math.max(1, micros));
    if (bits < FIRST_BITS) {
      return 0;
    }
    int upperHalf = (int) (micros >> (bits - 1)) & 1;
    return Math.min(CLASSES - 1, 1 + 2 * (bits - FIRST_BITS) + upperHalf);
  }

  /** As PostgreSQL writes an array, up to the last class in which there is one. */
  public String text() {
    int last = CLASSES - 1;
    while (last >= 0 && counts.get(last) == 0) {
      last--;
    }
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i <= last; i++) {
      text.append(i == 0 ? "" : ",").append(counts.get(i));
    }
    return text.append('}').toString();
  }

  /**
   * The duration than which so great a share is not longer, in ms; 0 when there is none.
   *
   * @param counts by class
   * @param share from 0 to 1
   */
  public static double percentile(List<Long> counts, double share) {
    long all = counts.stream().mapToLong(Long::longValue).sum();
    double before = 0;
    for (int i = 0; i < counts.size(); i++) {
      long here = counts.get(i);
      if (here > 0 && before + here >= share * all) {
        double part = Math.max(0, share * all - before) / here;
        return (start(i) + part * (start(i + 1) - start(i))) / 1_000;
      }
      before += here;
    }
    return 0;
  }

  /** Where a class starts, in microseconds. */
  private static double start(int number) {
    if (number == 0) {
      return 0;
    }
    long doubling = 1L << (FIRST_BITS + (number - 1) / 2);
    return (number - 1) % 2 == 0 ? doubling : 1.5 * doubling;
  }
}
