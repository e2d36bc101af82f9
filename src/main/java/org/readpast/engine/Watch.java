package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.readpast.model.Outcome;
import org.readpast.store.Nodes;

/**
 * Looks several times a second, in memory only, at what this node has in its hands: interrupts what
 * takes too long, and does the bookkeeping of a receiver that is held up by one job.
 */
final class Watch {
  private static final Logger LOG = System.getLogger(Watch.class.getName());
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration LONGEST_ALONE = Duration.ofSeconds(30);
  private static final long LONGEST_UNSTARTED_NANOS = 1_000_000_000L;
  private static final long LONGEST_UNTOLD_NANOS = 50_000_000L;
  private static final long ERROR_PAUSE_NANOS = 2_000_000_000L;

  private final Workplace at;
  private final Nodes nodes;
  private final Dispatcher dispatcher;
  private final LeasedReceive leased;
  private long pausedUntil = System.nanoTime();

  Watch(Workplace at, Nodes nodes, Dispatcher dispatcher) {
    this.at = at;
    this.nodes = nodes;
    this.dispatcher = dispatcher;
    this.leased = new LeasedReceive(at);
  }

  /** Looks once. */
  synchronized void look() {
    long now = System.nanoTime();
    for (Attempt attempt : at.inWork().attempts()) {
      guarded(() -> look(attempt, now));
    }
    for (Batch batch : at.inWork().batches()) {
      if (System.nanoTime() - pausedUntil >= 0) {
        guarded(() -> look(batch, now));
      }
    }
  }

  private void look(Attempt attempt, long now) {
    if (attempt.overdue(now, Duration.ZERO) && attempt.interrupt(Attempt.Stop.TIMED_OUT)) {
      LOG.log(
          Level.WARNING,
          "READPAST-0019 job {0} of type ''{1}'' took longer than its timeout and was interrupted",
          Long.toString(attempt.id()),
          attempt.type());
    }
    AloneGate.Turn turn = attempt.turn();
    if (!turn.shared() && attempt.age(now).compareTo(LONGEST_ALONE) > 0) {
      at.turns().share(attempt.job(), turn);
    }
    if (attempt.overdue(now, GRACE) && attempt.abandon()) {
      abandon(attempt);
    }
  }

  /**
   * A handler that does not heed the interrupt keeps its thread, but neither its row nor its lease.
   */
  private void abandon(Attempt attempt) {
    LOG.log(
        Level.ERROR,
        "READPAST-0020 the handler of job {0}, type ''{1}'', does not end when interrupted; its thread is lost"
            + " until it does",
        Long.toString(attempt.id()),
        attempt.type());
    Outcome outcome = Execution.abandoned(attempt.job(), at.handlings().get(attempt.type()));
    try {
      dispatcher.abandon(attempt.thread());
      attempt.turn().end();
      int backend = attempt.job().backend();
      if (backend != 0) {
        at.recorder().announce(attempt.job());
        at.transactions()
            .fresh(
                () -> {
                  nodes.terminate(backend);
                  return true;
                });
      }
    } finally {
      // Nobody comes by a second time. What cannot be recorded while its transaction is open is
      // once that has ended.
      at.recorder().record(attempt.job(), outcome);
    }
  }

  private void look(Batch batch, long now) {
    if (batch.waitsLongerThan(LONGEST_UNSTARTED_NANOS, now)) {
      leased.giveBack(batch).forEach(dispatcher::signal);
    }
    if (batch.untoldLongerThan(LONGEST_UNTOLD_NANOS, now)) {
      at.acknowledgements().tellAlone(batch);
    }
    batch.lookAtWave(now);
    if (batch.finished()) {
      at.inWork().remove(batch);
    }
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      pausedUntil = System.nanoTime() + ERROR_PAUSE_NANOS;
      Trouble.warn(
          LOG, "READPAST-0021 could not do the bookkeeping of a job in work; it is tried again", e);
    }
  }
}
