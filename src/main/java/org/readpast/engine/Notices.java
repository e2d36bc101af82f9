package org.readpast.engine;

import java.time.Duration;
import java.util.List;

/**
 * What nodes tell each other: by notifications of the database, or nothing where there are none,
 * and time alone is waited for.
 */
public interface Notices extends AutoCloseable {
  /** The longest wait of one that cannot hear. */
  Duration LONGEST_DEAF = Duration.ofMillis(200);

  /**
   * Waits for notices; no longer than {@link #LONGEST_DEAF} where none can be heard.
   *
   * @return what came in time; {@link #MISSED} when some may have been lost, because the connection
   *     was new
   * @throws InterruptedException when the thread is to end
   */
  List<String> await(Duration longest) throws InterruptedException;

  /**
   * Tells every node that waits, at once.
   *
   * @throws IllegalStateException when it cannot be told
   */
  void tell(String notice);

  /** Stands for notices that may have been lost. */
  String MISSED = "*";

  @Override
  void close();
}
