package org.readpast.api;

/** How a job is received, worked and acknowledged. */
public enum ReceiveMode {
  /**
   * Receive, work and acknowledge in one JTA transaction: effects in the same database are
   * exactly-once.
   */
  TRANSACTIONAL,
  /**
   * Receive and commit, work without a transaction, acknowledge in a second short one: at least
   * once.
   */
  LEASED
}
