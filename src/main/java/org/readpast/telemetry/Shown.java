package org.readpast.telemetry;

/** One way in which an engine is shown. */
interface Shown {
  /** Takes in what has come since it last looked; called every few seconds. */
  void look();

  /** Takes all of it away. */
  void stop();
}
