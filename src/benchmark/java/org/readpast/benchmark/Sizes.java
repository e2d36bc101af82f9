package org.readpast.benchmark;

/** How many jobs a measure takes, and how long: a small benchmark shows only that it runs. */
record Sizes(double size) {
  int of(int jobs) {
    return (int) Math.max(200, jobs * size);
  }

  /** So much that everything is warm. */
  Sizes toWarmUp() {
    return new Sizes(size / 4);
  }

  /** At least as many as this of the seconds. */
  double seconds(double seconds, double atLeast) {
    return Math.max(atLeast, seconds * size);
  }
}
