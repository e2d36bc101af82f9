package org.readpast.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts durations in classes by their length. There are two classes for each doubling, so a
 * percentile is accurate to within 20 %. The first class ends at 128 microseconds, and the last one
 * is open.
 */
public final class Durations {
  private static final int FIRST_BITS = 7;
  private static final int CLASSES = 56;
  private static final int PART = 8;
  private static final int FIRST_BOUND = 7;
  private static final int BOUND_STEP = 4;

  /**
   * Contains the upper bounds of the classes that are reported to monitoring systems, in seconds:
   * from a millisecond to an hour.
   */
  public static final List<Double> BOUNDS =
      IntStream.iterate(FIRST_BOUND, i -> i < CLASSES - BOUND_STEP, i -> i + BOUND_STEP)
          .mapToObj(i -> start(i) / 1_000_000)
          .toList();

  // The durations of a queue usually lie in a few adjacent classes, so the classes are created in
  // parts. All classes would take half a kilobyte, and a node may have thousands of queues.
  private final AtomicReferenceArray<@Nullable AtomicLongArray> parts =
      new AtomicReferenceArray<>(CLASSES / PART);
  private final LongAdder micros = new LongAdder();

  /**
   * Represents a histogram of durations.
   *
   * @param upTo for each of {@link #BOUNDS}, the number of durations that were not longer
   * @param count the number of durations
   * @param seconds the sum of the durations
   */
  public record Histogram(long[] upTo, long count, double seconds) {}

  /**
   * Counts a duration; a negative duration, which two different clocks may cause, counts as zero.
   */
  public void add(Duration duration) {
    long length = Math.max(0, duration.toNanos() / 1_000);
    add(classOf(length), 1);
    micros.add(length);
  }

  private void add(int number, long count) {
    AtomicLongArray part = parts.get(number / PART);
    if (part == null) {
      parts.compareAndSet(number / PART, null, new AtomicLongArray(PART));
      part = Objects.requireNonNull(parts.get(number / PART));
    }
    part.addAndGet(number % PART, count);
  }

  private long count(int number) {
    AtomicLongArray part = parts.get(number / PART);
    return part == null ? 0 : part.get(number % PART);
  }

  /** Returns the sum of two histograms as a new histogram. */
  public Durations plus(Durations other) {
    return with(other, 1);
  }

  /**
   * Returns a new histogram of the durations that were counted after {@code before}, which is an
   * earlier state of this histogram.
   */
  public Durations minus(Durations before) {
    return with(before, -1);
  }

  private Durations with(Durations other, int sign) {
    Durations result = new Durations();
    for (int i = 0; i < CLASSES; i++) {
      long sum = count(i) + sign * other.count(i);
      if (sum != 0) {
        result.add(i, sum);
      }
    }
    result.micros.add(micros.sum() + sign * other.micros.sum());
    return result;
  }

  /** Returns the histogram in the form that monitoring systems require. */
  public Histogram histogram() {
    long[] upTo = new long[BOUNDS.size()];
    long before = 0;
    for (int i = 0; i < CLASSES; i++) {
      int bound = (i - FIRST_BOUND) / BOUND_STEP;
      if (i >= FIRST_BOUND && (i - FIRST_BOUND) % BOUND_STEP == 0 && bound < upTo.length) {
        upTo[bound] = before;
      }
      before += count(i);
    }
    return new Histogram(upTo, before, micros.sum() / 1e6);
  }

  /**
   * Returns a percentile in ms, which the given share of the durations does not exceed; 0 if there
   * are no durations.
   */
  public double percentile(double share) {
    return percentile(IntStream.range(0, CLASSES).mapToObj(this::count).toList(), share);
  }

  private static int classOf(long micros) {
    int bits = 63 - Long.numberOfLeadingZeros(Math.max(1, micros));
    if (bits < FIRST_BITS) {
      return 0;
    }
    int upperHalf = (int) (micros >> (bits - 1)) & 1;
    return Math.min(CLASSES - 1, 1 + 2 * (bits - FIRST_BITS) + upperHalf);
  }

  /**
   * Returns the counts in PostgreSQL's notation of an array, up to the last class that is not
   * empty.
   */
  public String text() {
    int last = CLASSES - 1;
    while (last >= 0 && count(last) == 0) {
      last--;
    }
    if (last < 0) {
      return "{}";
    }
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i <= last; i++) {
      text.append(i == 0 ? "" : ",").append(count(i));
    }
    return text.append('}').toString();
  }

  /**
   * Returns a percentile in ms, which the given share of the durations does not exceed; 0 if there
   * are no durations.
   *
   * @param counts the counts by class
   * @param share the percentile as a fraction from 0 to 1
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

  /** Returns the lower bound of a class, in microseconds. */
  private static double start(int number) {
    if (number == 0) {
      return 0;
    }
    long doubling = 1L << (FIRST_BITS + (number - 1) / 2);
    return (number - 1) % 2 == 0 ? doubling : 1.5 * doubling;
  }
}
