package org.readpast.retention;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.engine.Settings;
import org.readpast.engine.Signals;

/**
 * Deletes rows whose retention has expired. Any number of nodes may run maintenance concurrently,
 * and may stop after any step: each batch is a separate small transaction that locks its rows in
 * order and skips rows that are in use.
 */
public final class Retention {
  private static final Logger LOG = System.getLogger(Retention.class.getName());
  private static final Duration OPERATIONS_KEPT = Duration.ofDays(7);
  private static final Duration LONGEST_RUN = Duration.ofSeconds(2);
  private static final int AT_ONCE = 1_000;

  private final Settings settings;
  private final Transactions transactions;
  private final RetentionStore store;
  private final Signals signals;
  private final Outage outage;
  private long nextMinute = System.nanoTime();
  private long nextHour = System.nanoTime();
  private long endOfRun;
  private boolean unfinished;

  public Retention(Settings settings, Transactions transactions, Signals signals, Outage outage) {
    this.settings = settings;
    this.transactions = transactions;
    this.store = new RetentionStore(transactions);
    this.signals = signals;
    this.outage = outage;
  }

  /**
   * Runs the tasks that are due; call it every few seconds. A run that has deleted rows for two
   * seconds leaves the rest to the next run, because the caller also takes over the jobs of dead
   * nodes.
   */
  public void run() {
    long now = System.nanoTime();
    endOfRun = now + LONGEST_RUN.toNanos();
    if (now - nextHour >= 0) {
      unfinished = false;
      nextHour = now + Duration.ofHours(1).toNanos();
      if (settings.retention().forgetsSome()) {
        duty("removing old attempts", "an hour", () -> inBatches(store::forgetAttempts));
      }
      duty("removing unused queues", "an hour", this::pruneQueues);
      nextHour = unfinished ? now : nextHour;
    }
    if (now - nextMinute >= 0) {
      unfinished = false;
      nextMinute = now + Duration.ofMinutes(1).toNanos();
      duty("removing ended jobs", "a minute", this::prune);
      nextMinute = unfinished ? now : nextMinute;
    }
  }

  private void duty(String what, String pause, Runnable duty) {
    try {
      duty.run();
    } catch (RuntimeException e) {
      outage.warn(LOG, "READPAST-0026 " + what + " failed; this node tries again in " + pause, e);
    }
  }

  /** Deletes at least one batch, so that each task makes progress in each run. */
  private void inBatches(IntUnaryOperator duty) {
    boolean more;
    do {
      more = transactions.autoCommit(() -> duty.applyAsInt(AT_ONCE)) == AT_ONCE;
    } while (more && System.nanoTime() - endOfRun < 0);
    unfinished |= more;
  }

  private void pruneQueues() {
    transactions
        .autoCommit(() -> store.pruneQueues(settings.queueRetention()))
        .forEach(signals::queueChanged);
  }

  private void prune() {
    inBatches(store::prune);
    inBatches(store::pruneRuns);
    inBatches(store::pruneFound);
    inBatches(store::pruneAudit);
    transactions.requiresNew(
        () -> {
          store.pruneOperations(OPERATIONS_KEPT);
          return true;
        });
    transactions.requiresNew(store::noteDepths);
  }
}
