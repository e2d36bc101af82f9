package org.readpast.benchmark;

import java.util.Arrays;

/**
 * Holds what handlers have observed since the last reset; times are in nanoseconds since the epoch.
 */
record Seen(long jobs, long firstNanos, long lastNanos, long markedNanos, long[] waits) {

  /** Parses the report of an application. */
  static Seen of(String report) {
    long[] numbers = Arrays.stream(report.split(" ")).mapToLong(Long::parseLong).toArray();
    return new Seen(
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        Arrays.copyOfRange(numbers, 4, numbers.length));
  }

  /** Returns the combined observations of two servers. */
  Seen and(Seen other) {
    return new Seen(
        jobs + other.jobs,
        Math.min(firstNanos, other.firstNanos),
        Math.max(lastNanos, other.lastNanos),
        0,
        new long[0]);
  }

  /** Returns the rate from the first start to the last. */
  double perSecond() {
    return (jobs - 1) * 1e9 / (lastNanos - firstNanos);
  }
}
