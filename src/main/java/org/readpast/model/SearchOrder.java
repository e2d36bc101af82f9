package org.readpast.model;

/**
 * Lists the orders in which a search returns jobs. Each order is the order of an index, so that a
 * page reads only the jobs that it shows.
 */
public enum SearchOrder {
  /** From the job that was enqueued last to the job that was enqueued first. */
  NEWEST,
  /** From the job that was enqueued first to the job that was enqueued last. */
  OLDEST
}
