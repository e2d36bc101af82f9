package org.readpast.api;

/** How a leased job is worked and acknowledged. In both modes a short statement leases it first. */
public enum ReceiveMode {
  /**
   * The handler's work and the completion of the job commit in one JTA transaction: effects in the
   * same database are exactly-once.
   */
  TRANSACTIONAL,
  /**
   * The handler works without a transaction, and the completion is acknowledged afterwards: at
   * least once.
   */
  LEASED
}
