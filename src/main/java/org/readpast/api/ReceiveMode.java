package org.readpast.api;

/**
 * Specifies how a job is run and completed after it has been leased. In both modes, a short
 * transaction leases the job first.
 */
public enum ReceiveMode {
  /**
   * Commits the handler's work and the completion of the job in one JTA transaction, so effects in
   * the same database happen exactly once.
   */
  TRANSACTIONAL,
  /**
   * Runs the handler without a transaction and acknowledges the completion afterwards, so effects
   * happen at least once.
   */
  LEASED
}
