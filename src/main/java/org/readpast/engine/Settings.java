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
 * Holds the settings of an engine.
 *
 * @param owner the application that the engine is part of
 * @param node the name by which the engine is shown to users
 * @param workerEnabled false if the engine enqueues jobs and runs maintenance, but runs no jobs
 * @param queues the queues whose jobs the engine runs; all queues if empty
 * @param workers the maximum number of receivers across all queues
 * @param concurrency the maximum number of receivers of each queue that has no such setting
 * @param prefetchBytes the maximum size of payloads and properties that the engine leases ahead
 * @param pollInterval how often the engine polls if it receives no notifications
 * @param lease how long the engine counts as alive after a heartbeat
 * @param workTimeLimit the time after which a receiver leaves a queue, so that other queues get a
 *     turn
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
   * Holds the settings of one queue; a setting that is not configured is null.
   *
   * @param workTimeLimit the time after which a receiver leaves the queue, so that other queues get
   *     a turn
   * @param reserved the number of workers that no other queue may use
   * @param globalConcurrency the maximum number of concurrent jobs across all nodes, including
   *     nodes that do not have this setting
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

  /** Returns the time after which a receiver leaves a queue, so that other queues get a turn. */
  public Duration workTimeLimit(String queue) {
    Duration own = queue(queue).workTimeLimit();
    return own == null ? workTimeLimit : own;
  }

  /** Returns true if this engine runs the jobs of a queue. */
  public boolean serves(String queue) {
    return workerEnabled && (queues.isEmpty() || queues.contains(queue));
  }

  /**
   * Returns the maximum number of concurrent jobs across all nodes, for the queues that have this
   * setting in the configuration.
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
   * Holds the limits of one job type; a missing limit is null.
   *
   * @param concurrency the maximum number of concurrent jobs on this node
   * @param globalConcurrency the maximum number of concurrent jobs across all nodes, including
   *     nodes that do not have this setting
   */
  public record TypeConcurrency(
      @Nullable Integer concurrency, @Nullable Integer globalConcurrency) {}

  /**
   * Holds the limits of job types. Each limit applies to all versions of a type and to all queues
   * together.
   *
   * @param types the limits by type
   * @param aliases the aliases of types that this node handles, each with the type under whose
   *     limits its jobs count
   */
  public record ConfiguredTypeLimits(
      Map<String, TypeConcurrency> types, Map<String, String> aliases) {
    /** Contains no limits. */
    public static final ConfiguredTypeLimits NONE = new ConfiguredTypeLimits(Map.of(), Map.of());

    /** Returns the maximum number of concurrent jobs on this node, by type. */
    public Map<String, Integer> onThisNode() {
      return present(types, TypeConcurrency::concurrency);
    }

    /** Returns the maximum number of concurrent jobs across all nodes, by type. */
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

    /** Returns the type of which a stored type is an alias, or null if it is not an alias. */
    public @Nullable String aliasOf(String stored) {
      return aliases.get(StoredType.nameOf(stored));
    }
  }
}
