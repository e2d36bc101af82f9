package org.readpast.telemetry;

/** Publishes the figures of an engine in one way, such as JMX. */
interface MetricsPublisher {
  /** Publishes changes since the last call; called every few seconds. */
  void update();

  /** Removes everything that was published. */
  void stop();
}
