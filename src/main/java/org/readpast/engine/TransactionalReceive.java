package org.readpast.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Ended;
import org.readpast.store.TransientErrors;

/**
 * Receive, work and acknowledge in one transaction: one job, or several of a type that lets them
 * share it. In cautious times, and for a job suspected of killing its server, the claim is
 * committed first, so that the next crash is seen and counted; the work and the end still share one
 * transaction.
 */
final class TransactionalReceive {
  // The watch interrupts and ends what is overdue; the container's own timeout is the net below it.
  private static final Duration MARGIN = Duration.ofSeconds(15);
  // For whoever came to wait for a job while it took no longer a look around each second will do.
  private static final long SHORT_NANOS = 5_000_000L;

  private final Workplace at;
  private final LeasedReceive leasing;

  TransactionalReceive(Workplace at, LeasedReceive leasing) {
    this.at = at;
    this.leasing = leasing;
  }

  /** What one transaction has come to. */
  private static final class Step {
    final List<Ended> ended = new ArrayList<>();
    final List<NewJob> followers = new ArrayList<>();

    /** The one begun last. */
    @Nullable ClaimedJob job;

    @Nullable Outcome outcome;
    final long startedNanos = System.nanoTime();
    final long followersBefore;
    int begun;
    boolean leased;
    boolean cautious;

    /** Whether jobs were taken and not begun. */
    boolean left;

    Step(Counters counters) {
      followersBefore = counters.followers.sum();
    }
  }

  /**
   * Receives a job, or as many as its type lets share a transaction, and works them.
   *
   * @param more called when there may be work for another receiver
   * @return how many jobs were received
   */
  int receive(Line line, Way way, Runnable more) throws Exception {
    at.turns().awaitOpen();
    Lanes lanes = way.lanes();
    Lanes.Look look = lanes.next(System.nanoTime());
    if (look.lanes().isEmpty()) {
      return 0;
    }
    int most = at.node().cautious() ? 1 : way.together();
    Step step = new Step(at.counters());
    boolean committed = false;
    Throwable failure = null;
    try {
      committed =
          at.transactions()
              .working(
                  at.handlings().longestTimeout().multipliedBy(most).plus(MARGIN),
                  () -> takeAndWork(step, line, way, look, most, more));
    } catch (Throwable e) {
      failure = e;
    }
    if (!committed || step.left) {
      setBack(line, lanes, look);
    }
    ClaimedJob job = step.job;
    if (job == null) {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure instanceof Exception exception) {
        throw exception;
      }
      if (!committed) {
        at.recorder().catchUp();
      }
      return 0;
    }
    at.counters().of(line.queue()).received.add(step.begun);
    if (committed && step.leased) {
      if (step.cautious) {
        workInTurn(job);
      } else {
        leasing.workOne(line, job);
      }
      return 1;
    }
    if (committed) {
      way.committed(step.begun);
    } else {
      way.rolledBack(step.begun);
    }
    try {
      settle(step, committed, failure);
    } finally {
      if (!committed) {
        // Until now looks have passed by what is there again.
        setBack(line, lanes, look);
      }
    }
    return step.begun;
  }

  private static void setBack(Line line, Lanes lanes, Lanes.Look look) {
    line.leaveUnattended();
    lanes.failed(look);
  }

  private boolean takeAndWork(
      Step step, Line line, Way way, Lanes.Look look, int most, Runnable more) throws Exception {
    List<ClaimedJob> jobs = take(line, way, look, most);
    // A failed attempt may have freed some while this claim was looking: its pause comes first.
    Set<Long> notNow = at.notNow();
    boolean tooEarly = way.lanes().found(look, jobs, most, System.nanoTime());
    if (jobs.isEmpty()) {
      return true;
    }
    if (tooEarly || (jobs.size() == most && !notNow.contains(jobs.get(0).id()))) {
      more.run();
    }
    for (ClaimedJob job : jobs) {
      boolean enough = step.begun > 0 && (line.overstaffed() || at.node().stopping());
      if (enough || notNow.contains(job.id()) || !begin(step, job)) {
        break;
      }
      if (step.leased) {
        step.left = jobs.size() > 1;
        return true;
      }
      if (!(step.outcome instanceof Outcome.Completed)) {
        return false;
      }
    }
    step.left = step.begun < jobs.size();
    return step.begun > 0 && end(step);
  }

  private List<ClaimedJob> take(Line line, Way way, Lanes.Look look, int most) {
    String queue = line.queue();
    Set<Long> except = at.notNow();
    int node = at.node().no();
    // A round trip of three less: nothing is sent at the end but the commit.
    return most == 1 && way.endsAtOnce() && !at.node().cautious()
        ? at.claims().takeAndEnd(queue, look.lanes(), except, node, line.limited())
        : at.claims().take(queue, look.lanes(), most, except, node, line.limited());
  }

  /** Begins the next job, and works it; false: it is not to be begun in this transaction. */
  private boolean begin(Step step, ClaimedJob job) {
    if (job.expired()) {
      step.job = job;
      step.begun++;
      step.outcome = new Outcome.Completed(null);
      step.ended.add(Ended.of(job, JobState.EXPIRED));
      return true;
    }
    Handling handling = at.handlings().get(job.type());
    boolean leaseWanted = handling.leases(job.payload());
    if (leaseWanted || job.suspect() || at.node().cautious()) {
      if (step.begun > 0 || job.gone()) {
        return false;
      }
      step.leased = true;
      step.cautious = !leaseWanted;
      step.begun++;
      step.job = at.claims().leaseTaken(job, at.node().no(), handling.timeout(), !leaseWanted);
      return true;
    }
    AloneGate.Turn turn = at.turns().tryEnter();
    if (turn == null) {
      // A suspect has its turn first. A row and a connection are not to be held while waiting.
      return false;
    }
    try {
      work(step, job, handling, turn);
    } finally {
      turn.end();
    }
    return true;
  }

  /** Works a job in the current transaction. */
  private void work(Step step, ClaimedJob job, Handling handling, AloneGate.Turn turn) {
    step.job = job;
    step.begun++;
    step.outcome = null;
    Attempt attempt = at.attempts().begin(job, handling, turn);
    at.inWork().add(attempt);
    try {
      Outcome outcome = Execution.run(attempt, handling, thrown -> brokeOff(job, thrown));
      if (outcome instanceof Outcome.Completed && !at.transactions().committable()) {
        outcome =
            Execution.failed(
                job,
                handling,
                new ReadpastException(
                    "the handler returned, but has marked its transaction for rollback"),
                false);
      }
      if (outcome instanceof Outcome.Completed completed) {
        step.ended.add(Ended.well(job, completed.result()));
        step.followers.addAll(attempt.followers());
      } else if (!(outcome instanceof Outcome.NotOurs)) {
        at.recorder().announce(job);
      }
      step.outcome = outcome;
    } catch (Throwable t) {
      // As with a handler's failure: the rollback frees the job, and its pause comes first.
      at.recorder().announce(job);
      throw t;
    } finally {
      at.counters().of(job.queue()).ran(job, attempt.age(System.nanoTime()));
      at.inWork().remove(attempt);
    }
  }

  /**
   * Whether a handler threw because its transaction's connection is gone, as in a failover. Another
   * database that a handler uses may be away as well: that is for its retries.
   */
  private boolean brokeOff(ClaimedJob job, Throwable thrown) {
    if (!TransientErrors.isOutage(thrown)) {
      return false;
    }
    try {
      at.claims().markWork(at.node().no());
      return false;
    } catch (RuntimeException e) {
      return TransientErrors.isOutage(e);
    }
  }

  /** Ends in the current transaction what was worked in it. */
  private boolean end(Step step) {
    // Until the commit is through: if it fails their rows are free before that is recorded.
    step.ended.forEach(ended -> at.recorder().announce(ended.job()));
    if (!at.endings().endAll(step.ended, at.node().no())) {
      step.outcome = new Outcome.NotOurs();
      return false;
    }
    ClaimedJob job = Objects.requireNonNull(step.job);
    if (job.gone() && mayBeAwaited(step)) {
      at.endings().tellIfAwaited(job);
    }
    if (!step.followers.isEmpty()) {
      at.enqueuer().enqueue(step.followers);
    }
    return true;
  }

  /** Whether somebody can have come to wait for the job since it was taken, also its handler. */
  private boolean mayBeAwaited(Step step) {
    return System.nanoTime() - step.startedNanos > SHORT_NANOS
        || at.counters().followers.sum() != step.followersBefore;
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
    Step step = new Step(at.counters());
    boolean committed = false;
    Throwable failure = null;
    try {
      committed =
          at.transactions()
              .working(
                  handling.timeout().plus(MARGIN),
                  () -> {
                    int backend = at.claims().markWork(at.node().no());
                    work(step, job.in(backend), handling, turn);
                    return step.outcome instanceof Outcome.Completed && end(step);
                  });
    } catch (Throwable e) {
      failure = e;
    }
    step.job = job;
    settle(step, committed, failure);
  }

  /** What has become of the one begun last, and of those before it in its transaction. */
  private void settle(Step step, boolean committed, @Nullable Throwable failure) {
    ClaimedJob job = Objects.requireNonNull(step.job);
    Outcome outcome = step.outcome;
    if (committed) {
      withdraw(step);
      long completed = step.ended.stream().filter(e -> e.state() == JobState.COMPLETED).count();
      at.counters().of(job.queue()).completed.add(completed);
      at.ended().accept(step.ended.stream().map(ended -> ended.job().id()).toList());
      return;
    }
    at.counters().of(job.queue()).failed.increment();
    boolean through = outcome == null || outcome instanceof Outcome.Completed;
    if (outcome != null && !through && !(outcome instanceof Outcome.NotOurs)) {
      at.recorder().record(job, outcome);
    } else if (!through || failure == null || step.begun > 1 || job.expired()) {
      // It is another's or nobody has tried it, or which of them was at fault shows when they are
      // worked one by one.
      withdraw(step);
    } else if (outcome != null && !TransientErrors.isTransient(failure)) {
      at.recorder().record(job, Execution.failed(job, handling(job), failure, false));
    } else {
      // The connection broke, or the engine failed beside the handler. Of an answer to COMMIT that
      // was lost the database knows more.
      at.recorder().recordUnlessGone(job, Execution.brokenOff(job, handling(job), failure));
    }
  }

  private Handling handling(ClaimedJob job) {
    return at.handlings().get(job.type());
  }

  private void withdraw(Step step) {
    step.ended.forEach(ended -> at.recorder().withdraw(ended.job()));
    at.recorder().withdraw(Objects.requireNonNull(step.job));
  }
}
