package org.readpast.example.demo;

import java.util.concurrent.ThreadLocalRandom;

/** Simulates mail servers, partners and banks, which take time and sometimes fail. */
final class OtherSystems {
  private OtherSystems() {}

  /** Waits for a random time between the given numbers of milliseconds. */
  static void answerWithin(int fewest, int most) throws InterruptedException {
    Thread.sleep(ThreadLocalRandom.current().nextInt(fewest, most + 1));
  }

  /**
   * Returns true for a failure, with this probability. A third attempt never fails, so that no job
   * is discarded by chance.
   */
  static boolean fail(double share, int attempt) {
    return attempt < 3 && ThreadLocalRandom.current().nextDouble() < share;
  }
}
