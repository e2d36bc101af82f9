package org.readpast.api;

/**
 * Specifies what happens to a running LEASED handler when its node has not reached the database for
 * the length of its lease, so that another node may have taken the job over.
 */
public enum OnLostLease {
  /**
   * Continues the handler while the database is unavailable, up to its own timeout. Once the
   * database is available again, the end of the job is acknowledged as usual; but if another node
   * has taken the job over, the handler is interrupted. {@link JobContext#stillOwner} shows whether
   * that has happened.
   */
  CONTINUE,
  /** Interrupts the handler, because its work must not be done twice at the same time. */
  INTERRUPT
}
