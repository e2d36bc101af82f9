package org.readpast.benchmark;

/** The number of jobs and the duration of measures. A small benchmark shows only that it runs. */
record Sizes(double size) {
  int of(int jobs) {
    return (int) Math.max(200, jobs * size);
  }

  /** Returns the size that is needed to warm up. */
  Sizes toWarmUp() {
    return new Sizes(size / 4);
  }

  /** Returns the scaled number of seconds, with a minimum. */
  double seconds(double seconds, double atLeast) {
    return Math.max(atLeast, seconds * size);
  }
}
