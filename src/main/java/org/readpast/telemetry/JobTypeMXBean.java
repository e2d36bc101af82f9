package org.readpast.telemetry;

/**
 * Describes a job type for JMX: what this engine has done with its jobs since the engine started.
 * At most the 200 busiest types have a bean; {@code other} stands for all other types.
 */
public interface JobTypeMXBean {
  String getName();

  /** Returns how many of its jobs may run concurrently on this node; -1 if there is no limit. */
  int getConcurrency();

  /** Returns the number of jobs enqueued by this application. */
  long getEnqueued();

  /** Returns the number of attempts that succeeded. */
  long getCompleted();

  /** Returns the number of attempts that failed. */
  long getFailed();

  /** Returns the number of attempts after which the job was retried. */
  long getRetried();

  /** Returns the number of jobs that ended as DISCARDED. */
  long getDiscarded();

  /** Returns the median time from when a job was due to when its attempt started. */
  double getWaitMillisMedian();

  double getWaitMillis95();

  double getWaitMillis99();

  /** Returns the median running time of handlers. */
  double getRunMillisMedian();

  double getRunMillis95();

  double getRunMillis99();
}
