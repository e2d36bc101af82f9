package org.readpast.telemetry;

/** The engine of an application, for JMX. */
public interface NodeMXBean {
  String getName();

  /** In which module of the application it is, as the server calls it. */
  String getModule();

  String getVersion();

  /** By which {@code GET /api/nodes} knows it; empty: it has not started, or has been drained. */
  String getId();

  /** Jobs that may be in work at once. */
  int getWorkers();

  int getBusyWorkers();

  boolean isDatabaseReachable();

  boolean isDispatcherAlive();

  /** Whether it takes no more jobs. */
  boolean isDraining();

  /**
   * Takes no more jobs from its next heartbeat on, and ends once those in work are done; the
   * application goes on, and can enqueue. Only a restart of the application undoes that.
   */
  void drain();
}
