package org.readpast.telemetry;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.Threads;
import org.readpast.store.QueueView;

/**
 * What monitors are shown. One who asks asks for hundreds of numbers, one by one: all of them come
 * from one look at the engine, and from one at the database, which is not repeated for some seconds
 * and never made when nobody asks.
 */
final class Readings {
  private static final Logger LOG = System.getLogger(Readings.class.getName());
  private static final Duration FIGURES_LAST = Duration.ofMillis(500);
  private static final Duration DEPTHS_LAST = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Supplier<List<QueueFigures>> engine;
  private final Supplier<List<QueueView>> database;
  private final Threads threads;
  private Map<String, QueueFigures> figures = Map.of();
  private long figuresUntil = System.nanoTime();
  private volatile Map<String, QueueView> depths = Map.of();
  private volatile long depthsUntil = System.nanoTime();
  private @Nullable CompletableFuture<Map<String, QueueView>> look;

  /**
   * @param threads on which the database may be asked: a monitor's own thread knows of no
   *     application
   */
  Readings(
      Supplier<List<QueueFigures>> engine, Supplier<List<QueueView>> database, Threads threads) {
    this.engine = engine;
    this.database = database;
    this.threads = threads;
  }

  /** What the engine has done in each queue. */
  synchronized Map<String, QueueFigures> figures() {
    long now = System.nanoTime();
    if (now - figuresUntil >= 0) {
      figures =
          engine.get().stream()
              .collect(Collectors.toMap(one -> one.listening().queue(), Function.identity()));
      figuresUntil = now + FIGURES_LAST.toNanos();
    }
    return figures;
  }

  /** How deep each queue is; empty when the database cannot be asked. */
  Map<String, QueueView> depths() {
    if (System.nanoTime() - depthsUntil >= 0) {
      try {
        return look().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        LOG.log(Level.DEBUG, "the depths of the queues are not known now", e);
      }
    }
    return depths;
  }

  private synchronized CompletableFuture<Map<String, QueueView>> look() {
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
    depths = now;
    depthsUntil = System.nanoTime() + DEPTHS_LAST.toNanos();
    look = null;
  }
}
