package org.readpast.telemetry;

/**
 * Describes a queue for JMX: its depth in the database, and the activity of this engine in it.
 * Numbers of jobs are some seconds old and are counted up to a limit; -1 means that the number is
 * currently unknown. The counters begin at the start of this engine. Changes are stored in the
 * database: they apply to all nodes, survive restarts and are recorded in the audit.
 */
public interface QueueMXBean {
  String getName();

  /** Returns true if this engine receives jobs from the queue. */
  boolean isServed();

  boolean isPaused();

  /** Pauses the queue: no node starts its jobs until it is resumed. */
  void pause();

  void resume();

  /** Returns how many jobs of the queue may run concurrently on each node. */
  int getConcurrency();

  /** Sets for all nodes how many jobs of the queue may run concurrently on each node: 0 to 1000. */
  void setConcurrency(int jobs);

  /** Restores the configured concurrency. */
  void resetConcurrency();

  long getAvailableJobs();

  long getScheduledJobs();

  long getBlockedJobs();

  long getRunningJobs();

  long getDiscardedJobs();

  /** Returns how long the oldest available job has been due; 0 if there is none. */
  double getOldestAvailableSeconds();

  /** Returns the number of running receivers of this engine. */
  int getReceivers();

  long getEnqueued();

  long getReceived();

  long getCompleted();

  long getFailed();

  long getRetried();

  /** Returns the number of jobs that ended as DISCARDED. */
  long getDiscarded();

  long getWakeUps();

  long getEmptyReceives();

  long getErrors();

  /** Returns the median time from the due time of a job to the start of its attempt. */
  double getWaitMillisMedian();

  double getWaitMillis95();

  double getWaitMillis99();

  /** Returns the median running time of handlers. */
  double getRunMillisMedian();

  double getRunMillis95();

  double getRunMillis99();
}
