package org.readpast.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.ReceiveMode;
import org.readpast.model.Owner;
import org.readpast.model.RetentionRules;
import org.readpast.model.StoredType;

/**
 * The settings of an engine.
 *
 * @param owner the application that the engine is part of
 * @param node the name that is shown for the engine
 * @param workerEnabled false: the engine enqueues jobs and runs maintenance, but runs no jobs
 * @param queues the queues whose jobs the engine runs; empty: all
 * @param workers maximum number of receivers over all queues
 * @param concurrency maximum number of receivers of one queue, unless the queue has a setting of
 *     its own
 * @param prefetchBytes maximum number of payload bytes that the engine leases ahead
 * @param pollInterval how often the engine polls when nothing wakes it
 * @param lease how long the engine counts as alive after a heartbeat
 * @param workTimeLimit time after which a receiver leaves a queue, so that other queues have a turn
 * @param shutdownGrace how long a stop waits for running jobs
 * @param notices true if nodes notify each other through the database
 * @param retention how long the jobs that the engine ends are kept
 * @param auditRetention how long audit entries are kept
 * @param queueRetention how long queues without jobs and settings are kept
 * @param perQueue the settings of single queues
 * @param typeLimits the limits of single job types
 */
public record Settings(
    Owner owner,
    String node,
    String version,
    boolean workerEnabled,
    List<String> queues,
    int workers,
    int concurrency,
    long prefetchBytes,
    Duration pollInterval,
    Duration lease,
    Duration workTimeLimit,
    Duration shutdownGrace,
    boolean notices,
    RetentionRules retention,
    Duration auditRetention,
    Duration queueRetention,
    Map<String, QueueSettings> perQueue,
    ConfiguredTypeLimits typeLimits) {

  /**
   * The settings of one queue; null: not set.
   *
   * @param workTimeLimit time after which a receiver leaves the queue, so that other queues have a
   *     turn
   * @param reserved number of workers that no other queue may use
   * @param globalConcurrency maximum number of concurrent jobs over all nodes, including nodes
   *     without this setting
   */
  public record QueueSettings(
      @Nullable Integer concurrency,
      @Nullable ReceiveMode mode,
      @Nullable Duration workTimeLimit,
      @Nullable Integer reserved,
      @Nullable Integer globalConcurrency) {}

  private static final QueueSettings NOTHING = new QueueSettings(null, null, null, null, null);

  /** Returns how often the engine sends a heartbeat. */
  public Duration heartbeat() {
    return heartbeat(lease);
  }

  /** Returns how often an engine with a lease of this length sends a heartbeat. */
  public static Duration heartbeat(Duration lease) {
    return lease.multipliedBy(3).dividedBy(10);
  }

  /** Returns the settings of a queue. */
  public QueueSettings queue(String name) {
    return perQueue.getOrDefault(name, NOTHING);
  }

  /** Returns the time after which a receiver leaves a queue, so that other queues have a turn. */
  public Duration workTimeLimit(String queue) {
    Duration own = queue(queue).workTimeLimit();
    return own == null ? workTimeLimit : own;
  }

  /** Returns true if this engine runs the jobs of a queue. */
  public boolean serves(String queue) {
    return workerEnabled && (queues.isEmpty() || queues.contains(queue));
  }

  /**
   * Returns the maximum number of concurrent jobs over all nodes, by queue, for the queues for
   * which this configuration sets one.
   */
  public Map<String, Integer> limits() {
    return present(perQueue, QueueSettings::globalConcurrency);
  }

  private static <T> Map<String, Integer> present(
      Map<String, T> all, Function<T, @Nullable Integer> limit) {
    Map<String, Integer> limits = new HashMap<>();
    all.forEach(
        (name, value) -> {
          Integer most = limit.apply(value);
          if (most != null) {
            limits.put(name, most);
          }
        });
    return limits;
  }

  /**
   * The limits of one job type; null: no limit.
   *
   * @param concurrency maximum number of concurrent jobs on this node
   * @param globalConcurrency maximum number of concurrent jobs over all nodes, including nodes
   *     without this setting
   */
  public record TypeConcurrency(
      @Nullable Integer concurrency, @Nullable Integer globalConcurrency) {}

  /**
   * The limits of job types. Each applies to all versions of a type and to all queues together.
   *
   * @param types the limits by type
   * @param aliases other names of types that are handled here, each with the type under whose
   *     limits its jobs count
   */
  public record ConfiguredTypeLimits(
      Map<String, TypeConcurrency> types, Map<String, String> aliases) {
    /** No limits. */
    public static final ConfiguredTypeLimits NONE = new ConfiguredTypeLimits(Map.of(), Map.of());

    /** Returns the maximum number of concurrent jobs on this node, by type. */
    public Map<String, Integer> onThisNode() {
      return present(types, TypeConcurrency::concurrency);
    }

    /** Returns the maximum number of concurrent jobs over all nodes, by type. */
    public Map<String, Integer> overAllNodes() {
      return present(types, TypeConcurrency::globalConcurrency);
    }

    /** Returns a type and its aliases. */
    public Set<String> names(String type) {
      Set<String> names = new HashSet<>(Set.of(type));
      aliases.forEach(
          (alias, name) -> {
            if (name.equals(type)) {
              names.add(alias);
            }
          });
      return names;
    }

    /** Returns the type of which a stored type is an alias; null: it is not an alias. */
    public @Nullable String aliasOf(String stored) {
      return aliases.get(StoredType.nameOf(stored));
    }
  }
}
