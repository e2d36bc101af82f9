package org.readpast.engine;

import static org.readpast.api.ReceiveMode.TRANSACTIONAL;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.TransientErrors;

/**
 * Receive, work and acknowledge in one transaction. In cautious times, and for a job suspected of
 * killing its server, the claim is committed first, so that the next crash is seen and counted; the
 * work and the end still share one transaction.
 */
final class TransactionalReceive {
  // The watch interrupts and ends what is overdue; the container's own timeout is the net below it.
  private static final Duration MARGIN = Duration.ofSeconds(15);

  private final Workplace at;
  private final LeasedReceive leasing;

  TransactionalReceive(Workplace at, LeasedReceive leasing) {
    this.at = at;
    this.leasing = leasing;
  }

  /** What a receive has come to. */
  private static final class Step {
    @Nullable ClaimedJob job;
    @Nullable Outcome outcome;
    boolean leased;
    boolean cautious;
  }

  /**
   * Receives at most one job and works it.
   *
   * @param more called when there may be work for another receiver
   * @return how many jobs were received
   */
  int receive(Line line, Runnable more) throws Exception {
    at.turns().awaitOpen();
    Lanes lanes = line.lanes(TRANSACTIONAL);
    Lanes.Look look = lanes.next(System.nanoTime());
    Step step = new Step();
    boolean committed = false;
    Exception failure = null;
    try {
      committed =
          at.transactions()
              .working(
                  at.handlings().longestTimeout().plus(MARGIN),
                  () -> takeAndWork(step, line, lanes, look, more));
    } catch (Exception e) {
      failure = e;
    }
    ClaimedJob job = step.job;
    if (!committed) {
      lanes.failed(look);
    }
    if (job == null) {
      if (failure != null) {
        throw failure;
      }
      if (!committed) {
        at.recorder().catchUp();
      }
      return 0;
    }
    at.counters().of(line.queue()).received.increment();
    if (committed && step.leased) {
      if (step.cautious) {
        workInTurn(job);
      } else {
        leasing.workOne(line, job);
      }
      return 1;
    }
    settle(job, step.outcome, committed, failure);
    return 1;
  }

  private boolean takeAndWork(Step step, Line line, Lanes lanes, Lanes.Look look, Runnable more)
      throws Exception {
    ClaimedJob job =
        look.lanes().isEmpty()
            ? null
            : at.claims()
                .take(line.queue(), look.lanes(), at.notNow(), at.node().no(), line.limited());
    lanes.found(look, job == null ? List.of() : List.of(job), 1);
    if (job == null) {
      return true;
    }
    if (at.notNow().contains(job.id())) {
      // A failed attempt freed it while this claim was looking: its pause comes first.
      return false;
    }
    step.job = job;
    more.run();
    Handling handling = at.handlings().get(job.type());
    if (job.expired()) {
      step.outcome = new Outcome.Completed(null);
      return at.endings().end(job, JobState.EXPIRED, at.node().no());
    }
    boolean leaseWanted = handling.leased().test(job.payload());
    if (leaseWanted || job.suspect() || at.node().cautious()) {
      step.leased = true;
      step.cautious = !leaseWanted;
      step.job = at.claims().leaseTaken(job, at.node().no(), handling.timeout(), !leaseWanted);
      return true;
    }
    AloneGate.Turn turn = at.turns().tryEnter();
    if (turn == null) {
      // A suspect has its turn first. A row and a connection are not to be held while waiting.
      step.job = null;
      return false;
    }
    try {
      step.outcome = work(job, handling, turn);
    } finally {
      turn.end();
    }
    return step.outcome instanceof Outcome.Completed;
  }

  /** Works and ends a job in the current transaction. */
  private Outcome work(ClaimedJob job, Handling handling, AloneGate.Turn turn) {
    Attempt attempt = at.attempts().begin(job, handling, turn);
    at.inWork().add(attempt);
    try {
      Outcome outcome = Execution.run(attempt, handling);
      if (!(outcome instanceof Outcome.Completed completed)) {
        if (!(outcome instanceof Outcome.NotOurs)) {
          at.recorder().announce(job);
        }
        return outcome;
      }
      if (!at.transactions().committable()) {
        at.recorder().announce(job);
        return Execution.failed(
            job,
            handling,
            new ReadpastException(
                "the handler returned, but has marked its transaction for rollback"),
            false);
      }
      if (!at.endings().complete(job, completed.result(), at.node().no())) {
        return new Outcome.NotOurs();
      }
      at.enqueuer().enqueue(attempt.followers());
      return outcome;
    } finally {
      at.inWork().remove(attempt);
    }
  }

  private void workInTurn(ClaimedJob job) throws InterruptedException {
    // Held here while it waits for its turn: else the heartbeat would give the lease back.
    Batch held = new Batch(List.of(job));
    at.inWork().add(held);
    held.next();
    try {
      at.turns().take(job, turn -> workLease(job, turn));
    } finally {
      at.inWork().remove(held);
    }
  }

  private void workLease(ClaimedJob job, AloneGate.Turn turn) {
    Handling handling = at.handlings().get(job.type());
    Step step = new Step();
    boolean committed = false;
    Exception failure = null;
    try {
      committed =
          at.transactions()
              .working(
                  handling.timeout().plus(MARGIN),
                  () -> {
                    int backend = at.claims().markWork(at.node().no());
                    step.outcome = work(job.in(backend), handling, turn);
                    return step.outcome instanceof Outcome.Completed;
                  });
    } catch (Exception e) {
      failure = e;
    }
    settle(job, step.outcome, committed, failure);
  }

  private void settle(
      ClaimedJob job, @Nullable Outcome outcome, boolean committed, @Nullable Exception failure) {
    if (committed) {
      at.counters().of(job.queue()).completed.increment();
      at.ended().accept(List.of(job.id()));
      return;
    }
    at.counters().of(job.queue()).failed.increment();
    boolean handlerThrough = outcome == null || outcome instanceof Outcome.Completed;
    if (outcome != null && !handlerThrough && !(outcome instanceof Outcome.NotOurs)) {
      at.recorder().record(job, outcome);
    } else if (handlerThrough && failure != null && !TransientErrors.isTransient(failure)) {
      at.recorder()
          .record(job, Execution.failed(job, at.handlings().get(job.type()), failure, false));
    } else if (handlerThrough && failure != null && job.leased()) {
      at.recorder().record(job, Execution.brokenOff(at.handlings().get(job.type()), failure));
    } else {
      // The connection broke: whether the commit happened is for the database to say. If it did
      // not, the job is simply
      // there again.
      at.recorder().withdraw(job);
    }
  }
}
