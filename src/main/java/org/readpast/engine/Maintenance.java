package org.readpast.engine;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.readpast.api.JobRequest;
import org.readpast.database.Transactions;
import org.readpast.model.Failure;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Transition;
import org.readpast.store.Failures;
import org.readpast.store.JobEndStore;
import org.readpast.store.MaintenanceStore;
import org.readpast.store.MaintenanceStore.LostOrOverdueClaim;
import org.readpast.store.ReleaseStore;
import org.readpast.store.ReleaseStore.Release;

/**
 * Performs the maintenance tasks of the queue. Any node may run them at any time, concurrently with
 * other nodes, and may stop after any step. Each task skips locked rows, and processes the others
 * in small ordered batches, each in a separate transaction.
 */
public final class Maintenance {
  private static final Logger LOG = System.getLogger(Maintenance.class.getName());
  private static final int LIMIT = 200;
  private static final Duration OVERDUE_GRACE = Duration.ofSeconds(10);

  private final NodeState node;
  private final Transactions transactions;
  private final MaintenanceStore store;
  private final JobEndStore jobEnds;
  private final ReleaseStore releases;
  private final Failures failures;
  private final Signals signals;
  private final LossReports reports;
  private final Counters counters;
  private boolean terminationFailed;
  private volatile boolean lanesToAnnounce;

  Maintenance(EngineContext at, MaintenanceStore store, Signals signals, LossReports reports) {
    this.node = at.node();
    this.transactions = at.transactions();
    this.store = store;
    this.jobEnds = at.jobEnds();
    this.releases = at.releases();
    this.failures = new Failures(transactions);
    this.signals = signals;
    this.reports = reports;
    this.counters = at.counters();
  }

  /** Runs every task once; if a task fails, the others still run. */
  public synchronized void run() {
    duty("checking which maintenance is due", this::maintain);
  }

  private void maintain() {
    // Usually there is nothing to do, so one query replaces five.
    MaintenanceStore.ToDo toDo = transactions.autoCommit(() -> store.toDo(OVERDUE_GRACE));
    if (toDo.silentNodes()) {
      duty("declaring silent nodes dead", this::declareDead);
    }
    if (toDo.silentNodes() || toDo.transactionsOfDead() || terminationFailed) {
      duty("ending the transactions of dead nodes", this::terminateSessionsOfDead);
    }
    if (lanesToAnnounce) {
      duty("announcing jobs that ended sessions had locked", this::announceLanes);
    }
    if (toDo.lost() || toDo.silentNodes()) {
      duty("taking over the jobs of lost nodes", this::takeOver);
    }
    if (toDo.expired()) {
      duty("ending expired jobs", this::expire);
    }
    if (toDo.cancellations()) {
      duty("cancelling jobs", this::cancel);
    }
  }

  private void duty(String what, Runnable duty) {
    try {
      duty.run();
    } catch (RuntimeException e) {
      node.outage()
          .warn(
              LOG,
              "READPAST-0022 a maintenance step failed: "
                  + what
                  + ". Every node tries this step again within seconds",
              e);
    }
  }

  /** Releases or discards overdue jobs, and jobs that nodes were running when they ended. */
  void takeOver() {
    List<String> queues;
    do {
      queues =
          transactions.requiresNew(
              () -> releaseOrDiscard(store.lockLostOrOverdue(LIMIT, OVERDUE_GRACE)));
      if (!queues.isEmpty()) {
        LOG.log(
            Level.WARNING,
            "READPAST-0024 this node released or discarded {0} jobs whose owner was lost, or which"
                + " ran past their timeout without being ended",
            Integer.toString(queues.size()));
        signals.jobsAvailable(queues);
      }
    } while (queues.size() == LIMIT);
    transactions.requiresNew(store::removeLeases);
  }

  private void declareDead() {
    List<MaintenanceStore.Dead> died = transactions.autoCommit(() -> store.declareDead(node.no()));
    for (MaintenanceStore.Dead dead : died) {
      LOG.log(
          Level.WARNING,
          "READPAST-0023 node {0} ({1}) sent no heartbeat for its lease and is declared dead;"
              + " its jobs are taken over",
          Integer.toString(dead.no()),
          dead.name());
    }
    if (!died.isEmpty()) {
      sessionTerminated();
      // Schedules that the dead nodes declared may now have the older definition of another node.
      signals.schedulesChanged();
    }
  }

  private void terminateSessionsOfDead() {
    // If a session could not be terminated, it may have ended in the meantime.
    boolean ended = terminationFailed;
    terminationFailed = true;
    if (transactions.autoCommit(store::terminateSessionsOfDead) > 0 || ended) {
      sessionTerminated();
    }
    terminationFailed = false;
  }

  /**
   * Makes a later step or run announce all lanes: claims may have skipped jobs that the transaction
   * of the session had locked, and the node of the session cannot announce these jobs.
   */
  void sessionTerminated() {
    lanesToAnnounce = true;
  }

  private void announceLanes() {
    lanesToAnnounce = false;
    try {
      transactions.requiresNew(store::announceLanes);
    } catch (RuntimeException e) {
      lanesToAnnounce = true;
      throw e;
    }
  }

  /** Releases or discards jobs, and returns the queue of each. */
  private List<String> releaseOrDiscard(List<LostOrOverdueClaim> lost) {
    List<Release> toRelease = new ArrayList<>();
    List<LossReports.TakenOver> taken = new ArrayList<>();
    for (LostOrOverdueClaim claim : lost) {
      if (!hasStarted(claim)) {
        toRelease.add(unstarted(claim));
        continue;
      }
      Failure failure = failure(claim);
      boolean last = outOfAttempts(claim);
      failures.record(claim.id(), claim.attempt(), claim.owner(), claim.claimedAt(), failure);
      taken.add(new LossReports.TakenOver(claim, failure, last));
      if (!last) {
        toRelease.add(started(claim));
      } else if (jobEnds.discard(claim, failure)) {
        transactions.afterCommit(() -> discarded(claim, failure));
      }
    }
    reports.takenOver(taken);
    releases.release(toRelease);
    // Concurrent takeovers would deadlock if they did not lock the nodes in the same order.
    lost.stream()
        .collect(groupingBy(LostOrOverdueClaim::owner, TreeMap::new, counting()))
        .forEach(store::countTakenOver);
    return lost.stream().map(LostOrOverdueClaim::queue).toList();
  }

  private void discarded(LostOrOverdueClaim claim, Failure failure) {
    counters.discarded(claim.queue(), claim.type());
    OutcomeRecorder.logDiscarded(claim.id(), claim.type(), claim.queue(), claim.attempt(), failure);
  }

  private static boolean crashed(LostOrOverdueClaim claim) {
    return claim.ownerState() == null || claim.ownerState().equals("DEAD");
  }

  private static boolean stopped(LostOrOverdueClaim claim) {
    return "STOPPED".equals(claim.ownerState());
  }

  /**
   * Returns true if the handler is known to have started. The first job of a lease counts as
   * started since the claim, unless its start is recorded explicitly, as it is for a job that may
   * be attempted only once and for a job that was leased when a node died.
   */
  private static boolean hasStarted(LostOrOverdueClaim claim) {
    return claim.started()
        || (claim.first() && claim.maxAttempts() != 1 && claim.crashes() == null)
        || !(crashed(claim) || stopped(claim));
  }

  private static Failure failure(LostOrOverdueClaim claim) {
    if (crashed(claim)) {
      int deaths = crashes(claim);
      return Failure.of(
          Failure.Kind.OWNER_LOST,
          "its node died while the job was running"
              + (deaths == 1 ? "" : "; this has happened " + deaths + " consecutive times"));
    }
    return stopped(claim)
        ? Failure.of(Failure.Kind.OWNER_LOST, "its node stopped while the job was running")
        : Failure.of(
            Failure.Kind.TIMED_OUT,
            "the job ran longer than its timeout, and its node did not end it");
  }

  /**
   * Returns how many nodes died while the job was running, including the current node, since an
   * attempt last returned.
   */
  private static int crashes(LostOrOverdueClaim claim) {
    return crashesBefore(claim) + 1;
  }

  private static int crashesBefore(LostOrOverdueClaim claim) {
    Integer before = claim.crashes();
    return before == null ? 0 : before;
  }

  /**
   * Returns true if the job has no attempts left. A death is charged to every job that was running,
   * because it is not known which job caused it. After as many consecutive deaths as it has
   * attempts, a job becomes a dead letter.
   */
  private static boolean outOfAttempts(LostOrOverdueClaim claim) {
    if (claim.maxAttempts() == JobRequest.UNLIMITED) {
      return false;
    }
    return crashed(claim)
        ? crashes(claim) >= claim.maxAttempts()
        : stopped(claim)
            ? claim.maxAttempts() == 1
            : claim.attempt() - claim.uncounted() >= claim.maxAttempts();
  }

  private static Release unstarted(LostOrOverdueClaim claim) {
    // If the node died, its death is not charged to the job. But the job is marked as having been
    // held by a node that died, so its next start is recorded immediately.
    Integer crashes = crashed(claim) ? Integer.valueOf(crashesBefore(claim)) : claim.crashes();
    return new Release(claim.id(), claim.claimNo(), false, false, crashes, Duration.ZERO, true);
  }

  private static Release started(LostOrOverdueClaim claim) {
    boolean late = !crashed(claim) && !stopped(claim);
    Duration pause =
        late
            ? RetryPolicy.DEFAULT.pauseAfter(claim.attempt() - claim.uncounted(), Math.random())
            : Duration.ZERO;
    Integer crashes = crashed(claim) ? Integer.valueOf(crashes(claim)) : claim.crashes();
    return new Release(claim.id(), claim.claimNo(), true, !stopped(claim), crashes, pause, true);
  }

  private void expire() {
    while (transactions.requiresNew(
            () -> {
              List<Long> expired = store.expired(LIMIT);
              return expired.isEmpty() ? 0 : jobEnds.endWaiting(expired, Transition.EXPIRE).size();
            })
        == LIMIT) {}
  }

  private void cancel() {
    // Jobs that could not be cancelled have started again. Waiting for the jobs that have started
    // again would delay all other tasks.
    while (transactions.requiresNew(this::cancelSome) == LIMIT) {}
  }

  private int cancelSome() {
    List<Long> due = store.dueCancellations(LIMIT);
    if (due.isEmpty()) {
      return 0;
    }
    jobEnds.endWaiting(store.lockToCancel(due), Transition.CANCEL);
    return store.deleteCarriedOut(due);
  }
}
