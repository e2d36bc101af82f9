package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes;

/**
 * Checks the jobs that this node holds, several times a second and only in memory. The watchdog
 * interrupts handlers that take too long, or that must not outlive their lease. A second step,
 * which may have to wait for the database, records abandoned attempts, and releases and
 * acknowledges jobs instead of a receiver that is held up by one job.
 */
final class Watchdog {
  private static final Logger LOG = System.getLogger(Watchdog.class.getName());
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final long LONGEST_UNSTARTED_NANOS = 1_000_000_000L;
  private static final long MAX_UNACKNOWLEDGED_NANOS = 50_000_000L;
  private static final long ERROR_PAUSE_NANOS = 2_000_000_000L;

  private final EngineContext at;
  private final Nodes nodes;
  private final Dispatcher dispatcher;
  private final Maintenance maintenance;
  private final JobWorker worker;
  private final Queue<Attempt> abandoned = new ConcurrentLinkedQueue<>();
  private long pausedUntil = System.nanoTime();

  Watchdog(EngineContext at, Nodes nodes, Dispatcher dispatcher, Maintenance maintenance) {
    this.at = at;
    this.nodes = nodes;
    this.dispatcher = dispatcher;
    this.maintenance = maintenance;
    this.worker = new JobWorker(at);
  }

  /** Checks all jobs once, without waiting for the database. */
  void check() {
    long now = System.nanoTime();
    at.activeJobs().attempts().forEach(attempt -> check(attempt, now));
    at.activeJobs().claims().forEach(jobs -> jobs.wakeResolverIfLate(now));
  }

  private void check(Attempt attempt, long now) {
    if (attempt.interruptedOnLostLease() && at.node().leaseExpired()) {
      attempt.interrupt(Attempt.StopReason.OWNER_LOST);
    }
    if (attempt.overdue(now, Duration.ZERO) && attempt.interrupt(Attempt.StopReason.TIMED_OUT)) {
      LOG.log(
          Level.WARNING,
          "READPAST-0019 the handler of job {0}, type ''{1}'', ran past its timeout and was"
              + " interrupted",
          Long.toString(attempt.id()),
          attempt.type());
    }
    if (attempt.overdue(now, GRACE) && attempt.abandon()) {
      abandon(attempt);
    }
  }

  /**
   * Abandons a handler that ignores the interrupt. The handler keeps its thread, but loses its row
   * locks and its lease.
   */
  private void abandon(Attempt attempt) {
    LOG.log(
        Level.ERROR,
        "READPAST-0020 the handler of job {0}, type ''{1}'', did not end within 5 s after it"
            + " was interrupted. The attempt is recorded as failed, and its thread is lost"
            + " until the handler ends",
        Long.toString(attempt.id()),
        attempt.type());
    dispatcher.abandon(attempt.thread());
    claimsOf(attempt.job()).forEach(jobs -> jobs.releaseSlots(false));
    attempt.endAdmission();
    abandoned.add(attempt);
  }

  private List<ClaimedJobs> claimsOf(ClaimedJob job) {
    return at.activeJobs().claims().stream()
        .filter(jobs -> jobs.holds(job.id(), job.claimNo()))
        .toList();
  }

  /** Performs the database work that the checks have found to be necessary. */
  synchronized void relieveReceivers() {
    for (Attempt attempt = abandoned.poll(); attempt != null; attempt = abandoned.poll()) {
      Attempt ended = attempt;
      guarded(ended.id(), () -> recordAbandoned(ended));
    }
    long now = System.nanoTime();
    for (ClaimedJobs jobs : at.activeJobs().claims()) {
      if (System.nanoTime() - pausedUntil >= 0) {
        guarded(jobs.firstId(), () -> relieveReceiver(jobs, now));
      }
    }
  }

  private void recordAbandoned(Attempt attempt) {
    ClaimedJob job = attempt.job();
    boolean endedByDatabase =
        attempt.transactional() && at.databaseUnavailable(attempt.startedNanos());
    Outcome outcome = HandlerInvoker.abandoned(job, at.handlers().get(job.type()), endedByDatabase);
    List<ClaimedJobs> claims = claimsOf(job);
    try {
      // Terminating the session releases the locks that the handler holds.
      attempt.withSession(
          session -> {
            at.transactions().autoCommit(() -> nodes.terminate(session));
            maintenance.sessionTerminated();
          });
    } finally {
      // The watchdog no longer checks the attempt, so its outcome is recorded here. If the outcome
      // cannot be recorded now, the heartbeat records it. Afterwards this node holds neither the
      // attempt nor its claim, so that a drain need not wait for the thread.
      at.recorder().record(job, outcome);
      at.activeJobs().remove(attempt);
      claims.forEach(jobs -> jobs.abandon(job));
    }
  }

  private void relieveReceiver(ClaimedJobs jobs, long now) {
    if (jobs.waitsLongerThan(LONGEST_UNSTARTED_NANOS, now)) {
      worker.release(jobs).forEach(dispatcher::signal);
    }
    if (jobs.pendingLongerThan(MAX_UNACKNOWLEDGED_NANOS, now)) {
      at.acknowledgements().flushNow(jobs);
    }
    if (jobs.finished()) {
      at.activeJobs().remove(jobs);
    }
  }

  private void guarded(long job, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      pausedUntil = System.nanoTime() + ERROR_PAUSE_NANOS;
      at.node()
          .outage()
          .warn(
              LOG,
              "READPAST-0021 the timeout of job "
                  + job
                  + ", or the release or acknowledgement of jobs claimed with it, failed;"
                  + " this node tries again within seconds",
              e);
    }
  }
}
