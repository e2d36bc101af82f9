package org.readpast.example.demo;

import java.util.concurrent.ThreadLocalRandom;

/** Stands for the mail servers, partners and banks that are not here: they take time, and fail. */
final class OtherSystems {
  private OtherSystems() {}

  /** Takes between so many and so many milliseconds. */
  static void answerWithin(int fewest, int most) throws InterruptedException {
    Thread.sleep(ThreadLocalRandom.current().nextInt(fewest, most + 1));
  }

  /**
   * Whether they fail, in this share of cases; never at a third attempt, so that nothing is
   * discarded by chance.
   */
  static boolean fail(double share, int attempt) {
    return attempt < 3 && ThreadLocalRandom.current().nextDouble() < share;
  }
}
