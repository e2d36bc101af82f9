package org.readpast.faults;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Specifies the jobs that producers enqueue, and the frequency of faults. */
enum Load {
  /**
   * Most jobs take some milliseconds, one in twelve takes several seconds, and payloads are small.
   */
  MIXED(1, 500, List.of(), 2, null, Duration.ofSeconds(100)),
  /**
   * Represents the load of six servers with two applications: jobs of 10 ms to a minute, payloads
   * of up to 900 KB, and three jobs that kill their servers after 90, 35 and 1 seconds. A server
   * dies every 90 seconds.
   */
  FLEET(2, 100, List.of(90_000, 35_000, 1_000), 3, Duration.ofMinutes(3), Duration.ofMinutes(6));

  /** Specifies the size of the largest payload, in characters. */
  private static final int LARGEST = 900_000;

  private final int applications;
  private final int oneInPoison;
  private final List<Integer> killsAfter;
  private final int poisonAttempts;
  private final @Nullable Duration timeout;
  private final Duration stuckAfter;

  /**
   * Describes a load.
   *
   * @param oneInPoison the average number of jobs for each job that kills its server
   * @param killsAfter the ms after which the killing jobs kill their servers; if empty, after the
   *     duration of other jobs
   * @param timeout the timeout of handlers, or null for the default
   * @param stuckAfter the time without an end of a job after which the run counts as stuck; it is
   *     longer than any job, takeover or end of a silent connection takes
   */
  Load(
      int applications,
      int oneInPoison,
      List<Integer> killsAfter,
      int poisonAttempts,
      @Nullable Duration timeout,
      Duration stuckAfter) {
    this.applications = applications;
    this.oneInPoison = oneInPoison;
    this.killsAfter = killsAfter;
    this.poisonAttempts = poisonAttempts;
    this.timeout = timeout;
    this.stuckAfter = stuckAfter;
  }

  /** Returns the number of applications. Each application is deployed on a part of the servers. */
  int applications() {
    return applications;
  }

  int oneInPoison() {
    return oneInPoison;
  }

  int poisonAttempts() {
    return poisonAttempts;
  }

  /** Returns the timeout of handlers, or null for the default. */
  @Nullable Duration timeout() {
    return timeout;
  }

  Duration stuckAfter() {
    return stuckAfter;
  }

  /**
   * Returns the jobs that are to kill their servers.
   *
   * @param otherwise the number of jobs if the load does not specify it
   * @return for each job, the ms after which it kills its server, or 0 if it does so when it would
   *     have ended
   */
  List<Integer> killers(int otherwise) {
    return killsAfter.isEmpty() ? Collections.nCopies(otherwise, 0) : killsAfter;
  }

  /**
   * Returns the pause before the next fault.
   *
   * @param since the time since the last fault began
   */
  Duration pause(Random dice, Duration since) {
    return this == FLEET
        ? Duration.ofMillis(Math.max(0, 90_000 - since.toMillis()))
        : Duration.ofMillis(300 + dice.nextInt(1_200));
  }

  /** Returns the duration of a job, in ms. */
  int millis(Random dice) {
    int kind = dice.nextInt(this == FLEET ? 100 : 12);
    if (this == MIXED) {
      return kind == 0 ? 1_000 + dice.nextInt(6_000) : dice.nextInt(60);
    }
    return kind < 80
        ? 10 + dice.nextInt(90)
        : kind < 95
            ? 1_000 + dice.nextInt(4_000)
            : kind < 99 ? 5_000 + dice.nextInt(15_000) : 20_000 + dice.nextInt(40_001);
  }

  /** Returns the text that makes a payload large. */
  String filling(Random dice) {
    if (this == MIXED) {
      return "";
    }
    int kind = dice.nextInt(100);
    int length =
        kind < 70
            ? 100
            : kind < 90 ? dice.nextInt(10_000) : kind < 98 ? dice.nextInt(100_000) : LARGEST;
    return "x".repeat(length);
  }
}
