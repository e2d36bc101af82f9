package org.readpast.api;

/**
 * What becomes of a running LEASED handler when its node has not reached the database for the
 * length of its lease, so that another node may have taken the job over.
 */
public enum OnLostLease {
  /**
   * It continues while the database is unavailable, up to its own timeout. Once the database is
   * back, its end is acknowledged as usual, or it is interrupted if another node has taken the job
   * over; {@link JobContext#stillOwner} tells.
   */
  CONTINUE,
  /** It is interrupted, because its work must not be done twice at the same time. */
  INTERRUPT
}
