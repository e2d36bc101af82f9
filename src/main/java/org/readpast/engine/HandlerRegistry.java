package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.readpast.api.ReceiveMode;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.StoredType;
import org.readpast.store.ClaimedJob;

/** Holds the handlers of this engine, by job type. */
public final class HandlerRegistry {
  private static final Logger LOG = System.getLogger(HandlerRegistry.class.getName());

  private final Map<String, HandlerDefinition> byType = new LinkedHashMap<>();
  // The highest version of each type, by the name of the type; version 1 is omitted.
  private final Map<String, String> highest = new HashMap<>();
  private final Settings settings;
  private final Set<String> withoutPredicate;
  private final Set<String> transactional;

  public HandlerRegistry(Collection<HandlerDefinition> all, Settings settings) {
    all.stream()
        .sorted(Comparator.comparing(HandlerDefinition::type))
        .forEach(handler -> byType.put(handler.type(), handler));
    byType.keySet().stream()
        .map(StoredType::of)
        .sorted()
        .filter(type -> type.version() > 1)
        .forEach(type -> highest.put(type.name(), type.stored()));
    this.settings = settings;
    this.withoutPredicate = types(handler -> handler.leasedModePredicate() == null);
    this.transactional =
        types(
            handler ->
                handler.leasedModePredicate() == null
                    && handler.mode() == ReceiveMode.TRANSACTIONAL);
  }

  private Set<String> types(Predicate<HandlerDefinition> some) {
    return byType.values().stream()
        .filter(some)
        .map(HandlerDefinition::type)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Warns if the start window of a schedule leaves no time for a second attempt, provided that this
   * engine handles the type.
   */
  void checkLatestStart(ScheduleDefinition schedule) {
    HandlerDefinition handler = byType.get(stored(schedule.type()));
    if (handler == null) {
      return;
    }
    Duration pause = handler.retries().pauseAfter(1, 1);
    if (handler.retries().maxAttempts() != 1 && schedule.leavesNoRetry(handler.timeout(), pause)) {
      LOG.log(
          Level.WARNING,
          "READPAST-0053 jobs of schedule ''{0}'' may start up to {1} late (latest-start),"
              + " which is less than the timeout of job type ''{2}'' and one pause between"
              + " attempts ({3} and {4}): if the first attempt fails, the job may expire before"
              + " its second attempt. Raise latest-start, or lower the timeout or the delay of the"
              + " type",
          schedule.name(),
          schedule.latestStart(),
          schedule.type(),
          handler.timeout(),
          pause);
    }
  }

  HandlerDefinition get(String type) {
    HandlerDefinition handler = byType.get(type);
    if (handler == null) {
      throw new IllegalStateException(
          "this node claimed a job of type '" + type + "', which it does not handle");
    }
    return handler;
  }

  /**
   * Returns the stored form of the type with which a job is enqueued. The stored form contains the
   * given version; without one, it contains the version that this engine handles, or else the first
   * version.
   */
  String stored(String stated) {
    return StoredType.isVersioned(stated)
        ? StoredType.of(stated).stored()
        : highest.getOrDefault(stated, stated);
  }

  /** Returns true if this engine runs jobs of this type. */
  public boolean knows(String type) {
    return byType.containsKey(type);
  }

  Collection<HandlerDefinition> all() {
    return byType.values();
  }

  Set<String> types() {
    return Collections.unmodifiableSet(byType.keySet());
  }

  /**
   * Returns the types whose jobs in a queue always run in transactions that also end them. If a
   * crash of the database loses the lease of a TRANSACTIONAL job, the transaction of the job is
   * lost as well. The job is then leased again, and its changes are made once. A LEASED handler,
   * however, would continue while a new attempt runs, with the same claim number.
   */
  Set<String> endedInTransactions(String queue) {
    ReceiveMode ofQueue = settings.queue(queue).mode();
    return ofQueue == null
        ? transactional
        : ofQueue == ReceiveMode.TRANSACTIONAL ? withoutPredicate : Set.of();
  }

  /** Returns true if a job runs in a transaction that also ends it. */
  boolean isTransactional(ClaimedJob job) {
    HandlerDefinition handler = get(job.type());
    ReceiveMode ofQueue = settings.queue(job.queue()).mode();
    ReceiveMode mode = ofQueue == null ? handler.mode() : ofQueue;
    return mode == ReceiveMode.TRANSACTIONAL && !handler.runsLeased(job.payload());
  }

  /**
   * Returns the maximum time from the claim of a job until it must have ended. If jobs share a
   * transaction, the last one may start only after all others have used their full time.
   */
  Duration longestTimeout() {
    return byType.values().stream()
        .map(handler -> handler.timeout().multipliedBy(handler.jobsPerTransaction()))
        .max(Duration::compareTo)
        .orElse(Duration.ofMinutes(1));
  }
}
