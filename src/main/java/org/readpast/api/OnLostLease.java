package org.readpast.api;

/**
 * Specifies what happens to a running LEASED handler if its node cannot reach the database for as
 * long as its lease, so that another node may have taken the job over.
 */
public enum OnLostLease {
  /**
   * Continues the handler while the database is unavailable, up to its own timeout. Once the
   * database is available again, the end of the job is acknowledged as usual; but if another node
   * has taken the job over, the handler is interrupted. {@link JobContext#stillOwner} returns false
   * after the job was taken over.
   */
  CONTINUE,
  /** Interrupts the handler, because its work must not be done twice at the same time. */
  INTERRUPT
}
