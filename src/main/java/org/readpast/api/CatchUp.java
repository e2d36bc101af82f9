package org.readpast.api;

/**
 * Specifies what a schedule does about planned runs that were missed because no node was running. A
 * planned run that is late by less than a minute was not missed: it starts as planned.
 */
public enum CatchUp {
  /** Skips the missed runs. */
  NONE,
  /** Enqueues one job for all missed runs, planned at the time of the last one. */
  ONCE,
  /**
   * Enqueues one job for each missed run, up to the cap; if there are more, for the latest runs.
   */
  ALL
}
