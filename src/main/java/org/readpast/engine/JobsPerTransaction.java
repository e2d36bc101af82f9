package org.readpast.engine;

/**
 * Limits the number of jobs of a queue that may share a transaction. Jobs that were rolled back
 * together run one by one, so that the faulty job fails alone and causes no further rollback of
 * others.
 */
final class JobsPerTransaction {
  private int oneByOne;

  /** Returns how many jobs the next transaction of a type may run. */
  synchronized int next(HandlerDefinition handler) {
    return oneByOne > 0 ? 1 : handler.jobsPerTransaction();
  }

  /** Records the number of jobs that were committed together. */
  synchronized void committed(int jobs) {
    oneByOne = Math.max(0, oneByOne - jobs);
  }

  /** Records the number of jobs that were rolled back together. */
  synchronized void rolledBack(int jobs) {
    if (jobs > 1) {
      oneByOne = Math.max(oneByOne, jobs);
    } else {
      committed(jobs);
    }
  }
}
