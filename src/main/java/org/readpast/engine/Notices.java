package org.readpast.engine;

import java.time.Duration;
import java.util.List;

/**
 * Sends and receives the notifications between nodes, through the database. An implementation
 * without notifications waits until the timeout expires.
 */
public interface Notices extends AutoCloseable {
  /** Limits the wait while no notifications can be received. */
  Duration MAX_WAIT_WITHOUT_NOTIFICATIONS = Duration.ofMillis(200);

  /**
   * Waits for notifications, but no longer than {@link #MAX_WAIT_WITHOUT_NOTIFICATIONS} if none can
   * be received.
   *
   * @return the notifications that arrived in time, or {@link #MISSED} if some may have been lost
   *     because the connection was new
   * @throws InterruptedException if the thread is to end
   */
  List<String> await(Duration longest) throws InterruptedException;

  /**
   * Sends a notification to every node that waits.
   *
   * @throws IllegalStateException if the notification cannot be sent
   */
  void send(String notice);

  /** Stands for any number of lost notifications. */
  String MISSED = "*";

  @Override
  void close();
}
