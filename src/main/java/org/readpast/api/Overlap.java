package org.readpast.api;

/** What a schedule does at a planned moment while the job of its previous run is still live. */
public enum Overlap {
  /** Enqueues another job beside it. */
  ALLOW,
  /** Enqueues none; the history says so. */
  SKIP
}
