package org.readpast.benchmark;

/**
 * Scales the numbers of jobs and the durations of the measures. A small benchmark shows only that
 * the benchmark works.
 */
record Sizes(double size) {
  int of(int jobs) {
    return (int) Math.max(200, jobs * size);
  }

  /** Returns smaller sizes for a run that only warms up. */
  Sizes toWarmUp() {
    return new Sizes(size / 4);
  }

  /** Returns the scaled number of seconds, but at least a minimum. */
  double seconds(double seconds, double atLeast) {
    return Math.max(atLeast, seconds * size);
  }
}
