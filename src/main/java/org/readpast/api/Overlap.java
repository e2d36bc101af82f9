package org.readpast.api;

/**
 * Specifies what a schedule does at a planned time if the job of its previous run is still live.
 */
public enum Overlap {
  /** Enqueues another job, which may run concurrently. */
  ALLOW,
  /** Enqueues no job; the history records the skipped run. */
  SKIP
}
