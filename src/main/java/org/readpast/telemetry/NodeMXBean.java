package org.readpast.telemetry;

/** Describes the engine of an application for JMX. */
public interface NodeMXBean {
  String getName();

  /** Returns the module of the application that contains the engine, as the server names it. */
  String getModule();

  String getVersion();

  /**
   * Returns the id of the node in {@code GET /api/nodes}; empty if the engine has not started or
   * has been drained.
   */
  String getId();

  /** Returns the maximum number of jobs that run concurrently. */
  int getWorkers();

  int getBusyWorkers();

  boolean isDatabaseReachable();

  boolean isDispatcherAlive();

  /** Returns true if the engine takes no more jobs. */
  boolean isDraining();

  /**
   * Makes the engine take no more jobs from its next heartbeat on, and stops it when its running
   * jobs have ended. The application continues to run, and can enqueue jobs. Only a restart of the
   * application reverts a drain.
   */
  void drain();
}
