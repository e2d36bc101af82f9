package org.readpast.telemetry;

/** Publishes an engine in one way, such as JMX. */
interface Shown {
  /** Picks up changes since the last call; called every few seconds. */
  void look();

  /** Removes everything that was published. */
  void stop();
}
