package org.readpast.model;

/**
 * Lists the orders in which a search returns jobs. Each order is the order of an index, so that a
 * page reads only the jobs that it shows.
 */
public enum SearchOrder {
  /** Begins with the job that was enqueued last. */
  NEWEST,
  /** Begins with the job that was enqueued first. */
  OLDEST
}
