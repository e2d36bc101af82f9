package org.readpast.telemetry;

/**
 * A queue, for JMX: how deep it is in the database, and how this engine serves it. Numbers of jobs
 * are some seconds old, and counted up to a limit; -1: not known now. What is counted of this
 * engine is counted since it started. Changes are kept in the database: they hold for all nodes and
 * for restarts, and are in the audit.
 */
public interface QueueMXBean {
  String getName();

  /** Whether this engine looks for jobs in it. */
  boolean isServed();

  boolean isPaused();

  /** Starts nothing more, on any node, until it is resumed. */
  void pause();

  void resume();

  /** How many of its jobs may be in work at once on each node. */
  int getConcurrency();

  /** The same for all nodes: 0 to 1000. */
  void setConcurrency(int jobs);

  /** Goes back to what the configuration says. */
  void resetConcurrency();

  long getAvailableJobs();

  long getScheduledJobs();

  long getBlockedJobs();

  long getRunningJobs();

  long getDiscardedJobs();

  /** For how long the oldest available job has been due; 0: there is none. */
  double getOldestAvailableSeconds();

  /** Receivers of this engine at work. */
  int getReceivers();

  long getEnqueued();

  long getReceived();

  long getCompleted();

  long getFailed();

  long getRetried();

  /** Jobs that ended as DISCARDED. */
  long getDiscarded();

  long getWakeUps();

  long getEmptyReceives();

  long getErrors();

  /** How long jobs waited from when they were due. */
  double getWaitMillisMedian();

  double getWaitMillis95();

  double getWaitMillis99();

  /** How long handlers ran. */
  double getRunMillisMedian();

  double getRunMillis95();

  double getRunMillis99();
}
