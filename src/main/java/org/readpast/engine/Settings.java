package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.ReceiveMode;

/**
 * What an administrator may say about an engine.
 *
 * @param node name shown for it
 * @param workerEnabled false: it enqueues and keeps house, but works nothing
 * @param queues queues it serves; empty: all
 * @param workers most receivers at a time over all queues
 * @param concurrency receivers of one queue, where nothing else is said
 * @param pollInterval how often it looks when nothing wakes it
 * @param lease how long it counts as alive after a heartbeat
 * @param workTimeLimit after which a receiver lets other queues have its thread
 * @param shutdownGrace how long it waits for running work when it stops
 * @param notices whether nodes wake each other through the database
 * @param kept how long ended jobs are kept, by state
 * @param perQueue what is said of single queues
 */
public record Settings(
    String node,
    String version,
    boolean workerEnabled,
    List<String> queues,
    int workers,
    int concurrency,
    Duration pollInterval,
    Duration heartbeat,
    Duration lease,
    Duration workTimeLimit,
    Duration shutdownGrace,
    boolean notices,
    Map<JobState, Duration> kept,
    Map<String, QueueSettings> perQueue) {

  /**
   * What is said of one queue; null: nothing.
   *
   * @param keepCompleted false: its completed jobs leave no history
   */
  public record QueueSettings(
      @Nullable Integer concurrency, @Nullable ReceiveMode mode, @Nullable Boolean keepCompleted) {}

  private static final QueueSettings NOTHING = new QueueSettings(null, null, null);

  /** What is said of a queue. */
  public QueueSettings queue(String name) {
    return perQueue.getOrDefault(name, NOTHING);
  }

  /** Whether this engine serves a queue. */
  public boolean serves(String queue) {
    return workerEnabled && (queues.isEmpty() || queues.contains(queue));
  }

  /** Queues whose completed jobs leave no history. */
  public List<String> forgetful() {
    return perQueue.entrySet().stream()
        .filter(e -> Boolean.FALSE.equals(e.getValue().keepCompleted()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
