package org.readpast.benchmark;

import java.time.Instant;

/** Runs and results that were invented for tests. */
final class SampleRun {
  private SampleRun() {}

  static Run at(String commit) {
    return of(commit, 1);
  }

  static Run of(String commit, double size) {
    var machine = new Machine("Some CPU", 2, "24 GiB", "A VM 17", "18.6", "Open Liberty 26");
    return new Run(commit, Instant.parse("2026-01-02T03:04:05Z"), machine, 3, size);
  }

  /**
   * Returns results of a measure that processes a backlog and whose aim is 0.75 of the raw measure.
   */
  static Results drained(double raw, double leased) {
    var results = new Results();
    results.add("raw: claim 100, delete 100", "jobs/s", raw);
    results.add("leased", "jobs/s", leased);
    results.atLeast("leased", "raw: claim 100, delete 100", 0.75);
    return results;
  }

  /** Adds a measure for enqueueing that has two aims. */
  static void sent(Results results) {
    results.add("raw: insert, commit", "jobs/s", 100);
    results.add("raw: begin, insert, commit", "jobs/s", 50);
    results.add("enqueue singly", "jobs/s", 40);
    results.atLeast("enqueue singly", "raw: insert, commit", 0.55);
    results.atLeast("enqueue singly", "raw: begin, insert, commit", 0.75);
  }

  /**
   * Returns results of a measure for the start delay, whose aim is at most 1.5 times a raw round
   * trip.
   */
  static Results started(double raw, double start) {
    var results = new Results();
    results.add("raw: NOTIFY round trip, p50", "ms", raw);
    results.add("enqueue to start, p50", "ms", start);
    results.atMost("enqueue to start, p50", "raw: NOTIFY round trip, p50", 1.5);
    return results;
  }
}
