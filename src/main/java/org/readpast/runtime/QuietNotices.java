package org.readpast.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.readpast.engine.Notices;

/**
 * Replaces notifications where they are unavailable, such as behind a pooler in transaction mode;
 * it only waits.
 */
final class QuietNotices implements Notices {
  @Override
  public List<String> await(Duration longest) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(
        Math.min(longest.toNanos(), MAX_WAIT_WITHOUT_NOTIFICATIONS.toNanos()));
    return List.of();
  }

  @Override
  public void send(String notice) {}

  @Override
  public void close() {}
}
