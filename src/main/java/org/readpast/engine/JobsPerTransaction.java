package org.readpast.engine;

/**
 * How many jobs of a queue share a transaction. Those that were rolled back together are worked one
 * by one, so that the one at fault fails alone, and no more work is undone for it.
 */
final class JobsPerTransaction {
  private int oneByOne;

  /** How many jobs the next transaction of a type may work. */
  synchronized int next(Handling handling) {
    return oneByOne > 0 ? 1 : handling.jobsPerTransaction();
  }

  /** So many were committed together. */
  synchronized void committed(int jobs) {
    oneByOne = Math.max(0, oneByOne - jobs);
  }

  /** So many were rolled back together. */
  synchronized void rolledBack(int jobs) {
    if (jobs > 1) {
      oneByOne = Math.max(oneByOne, jobs);
    } else {
      committed(jobs);
    }
  }
}
