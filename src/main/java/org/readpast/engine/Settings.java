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
 * What an administrator may say about an engine.
 *
 * @param owner the application that it is part of
 * @param node name shown for it
 * @param workerEnabled false: it enqueues and keeps house, but works nothing
 * @param queues queues it serves; empty: all
 * @param workers most receivers at a time over all queues
 * @param concurrency receivers of one queue, where nothing else is said
 * @param prefetchBytes bytes of payload that it leases ahead, at most
 * @param pollInterval how often it looks when nothing wakes it
 * @param lease how long it counts as alive after a heartbeat
 * @param workTimeLimit after which a receiver lets other queues have its thread
 * @param shutdownGrace how long it waits for running work when it stops
 * @param notices whether nodes wake each other through the database
 * @param retention how long it keeps the jobs that it ends
 * @param auditKept how long it is kept who did what
 * @param queuesKept how long queues are kept without jobs and settings
 * @param perQueue what is said of single queues
 * @param typeLimits how many jobs of single types run at a time
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
    Duration heartbeat,
    Duration lease,
    Duration workTimeLimit,
    Duration shutdownGrace,
    boolean notices,
    RetentionRules retention,
    Duration auditKept,
    Duration queuesKept,
    Map<String, QueueSettings> perQueue,
    ConfiguredTypeLimits typeLimits) {

  /**
   * What is said of one queue; null: nothing.
   *
   * @param workTimeLimit after which a receiver lets other queues have its thread
   * @param reserved workers that no other queue may take
   * @param globalConcurrency jobs in work over all nodes, also those without this setting
   */
  public record QueueSettings(
      @Nullable Integer concurrency,
      @Nullable ReceiveMode mode,
      @Nullable Duration workTimeLimit,
      @Nullable Integer reserved,
      @Nullable Integer globalConcurrency) {}

  private static final QueueSettings NOTHING = new QueueSettings(null, null, null, null, null);

  /** What is said of a queue. */
  public QueueSettings queue(String name) {
    return perQueue.getOrDefault(name, NOTHING);
  }

  /** How long a receiver may drain a queue before it lets others have its thread. */
  public Duration workTimeLimit(String queue) {
    Duration own = queue(queue).workTimeLimit();
    return own == null ? workTimeLimit : own;
  }

  /** Whether this engine serves a queue. */
  public boolean serves(String queue) {
    return workerEnabled && (queues.isEmpty() || queues.contains(queue));
  }

  /** Jobs at a time over all nodes, by queue, where this configuration states a limit. */
  public Map<String, Integer> limits() {
    return present(perQueue, QueueSettings::globalConcurrency);
  }

  private static <T> Map<String, Integer> present(
      Map<String, T> all, Function<T, @Nullable Integer> limit) {
    Map<String, Integer> limits = new HashMap<>();
    all.forEach(
        (name, said) -> {
          Integer most = limit.apply(said);
          if (most != null) {
            limits.put(name, most);
          }
        });
    return limits;
  }

  /**
   * How many jobs of a type run at a time; null: no limit.
   *
   * @param concurrency on this node
   * @param globalConcurrency over all nodes, also those without this setting
   */
  public record TypeConcurrency(
      @Nullable Integer concurrency, @Nullable Integer globalConcurrency) {}

  /**
   * The limits of job types, which hold for all their versions and queues.
   *
   * @param types by name
   * @param aliases other names of types that are handled here, with the type under whose limits
   *     their jobs count
   */
  public record ConfiguredTypeLimits(
      Map<String, TypeConcurrency> types, Map<String, String> aliases) {
    /** Limits nothing. */
    public static final ConfiguredTypeLimits NONE = new ConfiguredTypeLimits(Map.of(), Map.of());

    /** Jobs at a time on this node, by type. */
    public Map<String, Integer> onThisNode() {
      return present(types, TypeConcurrency::concurrency);
    }

    /** Jobs at a time over all nodes, by type. */
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

    /** Returns the type that a stored type is another name of; null: it is none. */
    public @Nullable String aliasOf(String stored) {
      return aliases.get(StoredType.nameOf(stored));
    }
  }
}
