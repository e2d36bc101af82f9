package org.readpast.engine;

import java.time.Duration;
import java.util.List;

/**
 * Sends and receives the notifications between nodes, through the database. An implementation
 * without notifications only waits until the time is up.
 */
public interface Notices extends AutoCloseable {
  /** The longest wait while notifications cannot be received. */
  Duration MAX_WAIT_WITHOUT_NOTIFICATIONS = Duration.ofMillis(200);

  /**
   * Waits for notifications; no longer than {@link #MAX_WAIT_WITHOUT_NOTIFICATIONS} if none can be
   * received.
   *
   * @return the notifications that arrived in time; {@link #MISSED} if some may have been lost
   *     because the connection was new
   * @throws InterruptedException if the thread is to end
   */
  List<String> await(Duration longest) throws InterruptedException;

  /**
   * Notifies every waiting node immediately.
   *
   * @throws IllegalStateException if the notification cannot be sent
   */
  void send(String notice);

  /** Stands for notifications that may have been lost. */
  String MISSED = "*";

  @Override
  void close();
}
