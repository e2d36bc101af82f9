package org.readpast.telemetry;

/**
 * Describes a job type for JMX, with the counts since the engine started. At most the 200 busiest
 * types have a bean; the bean {@code other} represents all other types.
 */
public interface JobTypeMXBean {
  String getName();

  /**
   * Returns how many jobs of the type may run concurrently on this node, or -1 if there is no
   * limit.
   */
  int getConcurrency();

  /** Returns the number of jobs that this application has enqueued. */
  long getEnqueued();

  /** Returns the number of attempts that succeeded. */
  long getCompleted();

  /** Returns the number of attempts that failed. */
  long getFailed();

  /** Returns the number of attempts after which the job was retried. */
  long getRetried();

  /** Returns the number of jobs that ended as DISCARDED. */
  long getDiscarded();

  /** Returns the median time from the due time of a job to the start of its attempt. */
  double getWaitMillisMedian();

  double getWaitMillis95();

  double getWaitMillis99();

  /** Returns the median running time of handlers. */
  double getRunMillisMedian();

  double getRunMillis95();

  double getRunMillis99();
}
