package org.readpast.telemetry;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueView;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.Settings.TypeConcurrency;
import org.readpast.engine.Threads;
import org.readpast.engine.TypeFigures;

/**
 * Provides the numbers that monitoring systems read. A monitoring system reads hundreds of numbers
 * one by one. All numbers are taken from one reading of the engine and one query of the database. A
 * reading is reused for some seconds, and none is made while no numbers are requested.
 */
final class MetricReadings {
  private static final Logger LOG = System.getLogger(MetricReadings.class.getName());
  private static final Duration FIGURES_LAST = Duration.ofMillis(500);
  private static final Duration DEPTHS_LAST = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Supplier<List<QueueFigures>> engine;
  private final Supplier<List<TypeFigures>> types;
  private final Supplier<Map<String, TypeConcurrency>> typeLimits;
  private final Supplier<List<QueueView>> database;
  private final Threads threads;
  private final LongSupplier nanos;
  private final NamedQueues named = new NamedQueues();
  private final BusiestTypes busiest = new BusiestTypes();
  private Map<String, QueueFigures> figures = Map.of();
  private Map<String, QueueFigures> namedFigures = Map.of();
  private Map<String, TypeFigures> typeFigures = Map.of();
  private long figuresUntil;
  private volatile Map<String, QueueView> depths = Map.of();
  private volatile Map<String, QueueView> namedDepths = Map.of();
  private volatile long depthsUntil;
  private @Nullable CompletableFuture<Map<String, QueueView>> look;

  /**
   * Creates the readings of an engine.
   *
   * @param threads run the query of the database, because a monitoring system's own thread belongs
   *     to no application
   * @param nanos a clock like {@link System#nanoTime}
   */
  MetricReadings(
      Supplier<List<QueueFigures>> engine,
      Supplier<List<TypeFigures>> types,
      Supplier<Map<String, TypeConcurrency>> typeLimits,
      Supplier<List<QueueView>> database,
      Threads threads,
      LongSupplier nanos) {
    this.engine = engine;
    this.types = types;
    this.typeLimits = typeLimits;
    this.database = database;
    this.threads = threads;
    this.nanos = nanos;
    this.figuresUntil = nanos.getAsLong();
    this.depthsUntil = figuresUntil;
  }

  /** Returns the counts of the engine for each queue. */
  synchronized Map<String, QueueFigures> figures() {
    readFigures();
    return figures;
  }

  /** Returns the counts of the engine for each queue, by the names that metrics use. */
  synchronized Map<String, QueueFigures> namedFigures() {
    readFigures();
    return namedFigures;
  }

  /**
   * Returns the counts of the engine for each of the busiest types, and for all other types
   * together.
   */
  synchronized Map<String, TypeFigures> typeFigures() {
    readFigures();
    return typeFigures;
  }

  /**
   * Returns how many jobs of each type may run concurrently on this node, for the types that have a
   * limit.
   */
  Map<String, Integer> typeLimits() {
    Map<String, Integer> limits = new HashMap<>();
    typeLimits
        .get()
        .forEach(
            (type, limit) -> {
              Integer most = limit.concurrency();
              if (most != null) {
                limits.put(type, most);
              }
            });
    return limits;
  }

  private void readFigures() {
    long now = nanos.getAsLong();
    if (now - figuresUntil >= 0) {
      figures =
          engine.get().stream()
              .collect(Collectors.toMap(one -> one.counters().queue(), Function.identity()));
      named.update(figures);
      namedFigures = named.figures(figures.values());
      typeFigures = busiest.update(types.get());
      figuresUntil = now + FIGURES_LAST.toNanos();
    }
  }

  /** Returns the depth of each queue; empty if the database cannot be queried. */
  Map<String, QueueView> depths() {
    if (nanos.getAsLong() - depthsUntil >= 0) {
      try {
        return read().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        LOG.log(Level.DEBUG, "the depths of the queues could not be read in time", e);
        // The previous depths are also outdated. An empty result is stored, so that hundreds of
        // gauges do not each wait for a slow query.
        know(Map.of());
      }
    }
    return depths;
  }

  /** Returns the depths by the names that metrics use. */
  Map<String, QueueView> namedDepths() {
    depths();
    return namedDepths;
  }

  private synchronized CompletableFuture<Map<String, QueueView>> read() {
    CompletableFuture<Map<String, QueueView>> current = look;
    if (current == null) {
      var begun = new CompletableFuture<Map<String, QueueView>>();
      look = begun;
      try {
        threads.start(() -> read(begun));
      } catch (RuntimeException e) {
        over(Map.of());
        begun.completeExceptionally(e);
      }
      return begun;
    }
    return current;
  }

  private void read(CompletableFuture<Map<String, QueueView>> begun) {
    try {
      Map<String, QueueView> now =
          database.get().stream()
              .collect(Collectors.toMap(one -> one.settings().name(), Function.identity()));
      over(now);
      begun.complete(now);
    } catch (Throwable t) {
      over(Map.of());
      begun.completeExceptionally(t);
    }
  }

  private synchronized void over(Map<String, QueueView> now) {
    know(now);
    look = null;
  }

  private synchronized void know(Map<String, QueueView> now) {
    depths = now;
    namedDepths = named.depths(now.values());
    depthsUntil = nanos.getAsLong() + DEPTHS_LAST.toNanos();
  }
}
