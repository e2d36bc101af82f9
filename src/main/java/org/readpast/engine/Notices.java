package org.readpast.engine;

import java.time.Duration;
import java.util.List;

/**
 * What other nodes tell: a wait for notifications of the database, or for time alone where there
 * are none.
 */
public interface Notices extends AutoCloseable {
  /** The channel on which nodes talk. */
  String CHANNEL = "readpast";

  /**
   * Waits for notices.
   *
   * @return what came in time; {@link #MISSED} when some may have been lost, because the connection
   *     was new
   * @throws InterruptedException when the thread is to end
   */
  List<String> await(Duration longest) throws InterruptedException;

  /** Stands for notices that may have been lost. */
  String MISSED = "*";

  @Override
  void close();
}
