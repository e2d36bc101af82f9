package org.readpast.api;

/**
 * Specifies what a schedule does about planned moments at which no node was running to fire it. A
 * moment that is late by less than a minute has not been missed: it fires as planned.
 */
public enum CatchUp {
  /** Skips the missed moments. */
  NONE,
  /** Enqueues one job for all missed moments, planned at the last one. */
  ONCE,
  /**
   * Enqueues one job for each missed moment, up to the cap; if there are more, for the latest ones.
   */
  ALL
}
