package org.readpast.example.demo;

import java.util.concurrent.ThreadLocalRandom;

/** Simulates mail servers, partners and banks: they take time, and fail. */
final class OtherSystems {
  private OtherSystems() {}

  /** Waits for a random time between these numbers of milliseconds. */
  static void answerWithin(int fewest, int most) throws InterruptedException {
    Thread.sleep(ThreadLocalRandom.current().nextInt(fewest, most + 1));
  }

  /**
   * Returns true for a failure, in this share of cases. A third attempt never fails, so that no job
   * is discarded by chance.
   */
  static boolean fail(double share, int attempt) {
    return attempt < 3 && ThreadLocalRandom.current().nextDouble() < share;
  }
}
