package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.api.JobRequest;
import org.readpast.model.Failure;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Transition;
import org.readpast.store.Endings;
import org.readpast.store.Endings.Release;
import org.readpast.store.Failures;
import org.readpast.store.MaintenanceStore;
import org.readpast.store.MaintenanceStore.Lost;
import org.readpast.store.Transactions;

/**
 * The duties that any node may carry out, at any time and all at once, and leave off at any step:
 * each takes its rows past those in use, in small ordered batches, and each batch is a transaction
 * of its own.
 */
public final class Maintenance {
  private static final Logger LOG = System.getLogger(Maintenance.class.getName());
  private static final int AT_ONCE = 200;
  private static final Duration OVERDUE_GRACE = Duration.ofSeconds(10);

  private final NodeState node;
  private final Transactions transactions;
  private final MaintenanceStore store;
  private final Endings endings;
  private final Failures failures;
  private final Signals signals;
  private final LossReports reports;
  private final Counters counters;

  Maintenance(EngineContext at, MaintenanceStore store, Signals signals, LossReports reports) {
    this.node = at.node();
    this.transactions = at.transactions();
    this.store = store;
    this.endings = at.endings();
    this.failures = new Failures(transactions);
    this.signals = signals;
    this.reports = reports;
    this.counters = at.counters();
  }

  /** Carries out every duty once; one that fails does not keep the others from being done. */
  public void run() {
    duty("looking for what there is to do", this::maintain);
  }

  private void maintain() {
    // Mostly there is nothing to do: one question spares six.
    MaintenanceStore.ToDo toDo = transactions.autoCommit(() -> store.toDo(OVERDUE_GRACE));
    if (toDo.silentNodes() || toDo.transactionsOfDead()) {
      duty("declaring silent nodes dead", this::declareDead);
    }
    if (toDo.lost() || toDo.silentNodes()) {
      duty("taking over from dead nodes", this::takeOver);
    }
    if (toDo.due()) {
      duty("promoting due jobs", this::promote);
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
      node.outage().warn(LOG, "READPAST-0022 " + what + " failed; it is tried again", e);
    }
  }

  /** Frees what the dead and the overdue had in work. */
  void takeOver() {
    int found;
    do {
      Set<String> queues = new HashSet<>();
      found =
          transactions.requiresNew(
              () -> {
                List<Lost> lost = store.lost(AT_ONCE, OVERDUE_GRACE);
                queues.addAll(free(lost));
                return lost.size();
              });
      if (found > 0) {
        LOG.log(
            Level.WARNING, "READPAST-0024 took over {0} jobs whose owner was lost or late", found);
        signals.jobsAvailable(queues);
      }
    } while (found == AT_ONCE);
    transactions.requiresNew(store::removeLeases);
  }

  /** Declares silent nodes dead, and ends their transactions. */
  private void declareDead() {
    List<MaintenanceStore.Dead> died = transactions.autoCommit(() -> store.declareDead(node.no()));
    for (MaintenanceStore.Dead dead : died) {
      LOG.log(
          Level.WARNING,
          "READPAST-0023 node {0} ({1}) has sent no heartbeat for its lease and is declared dead",
          Integer.toString(dead.no()),
          dead.name());
    }
    transactions.autoCommit(store::terminateSessionsOfDead);
    if (!died.isEmpty()) {
      // Of schedules that these declared, older definitions may apply now.
      signals.schedulesChanged();
    }
  }

  private List<String> free(List<Lost> lost) {
    List<Release> releases = new ArrayList<>();
    List<LossReports.TakenOver> taken = new ArrayList<>();
    for (Lost claim : lost) {
      store.countTakenOver(claim.owner(), 1);
      if (!hasStarted(claim)) {
        releases.add(unstarted(claim));
        continue;
      }
      Failure failure = failure(claim);
      boolean last = outOfAttempts(claim);
      failures.record(claim.id(), claim.attempt(), claim.owner(), claim.claimedAt(), failure);
      taken.add(new LossReports.TakenOver(claim, failure, last));
      if (!last) {
        releases.add(started(claim));
      } else if (endings.discard(claim, failure)) {
        transactions.afterCommit(() -> discarded(claim, failure));
      }
    }
    reports.takenOver(taken);
    endings.release(releases);
    return lost.stream().map(Lost::queue).toList();
  }

  private void discarded(Lost claim, Failure failure) {
    counters.discarded(claim.queue(), claim.type());
    FailureRecorder.logDiscarded(claim.id(), claim.type(), claim.queue(), claim.attempt(), failure);
  }

  private static boolean crashed(Lost claim) {
    return claim.ownerState() == null || claim.ownerState().equals("DEAD");
  }

  private static boolean stopped(Lost claim) {
    return "STOPPED".equals(claim.ownerState());
  }

  /**
   * Returns true if its handler has started, as far as is known. The first of a lease starts with
   * the claim, unless its start is recorded: that of a job with a single attempt, and of one that
   * was leased at a death before.
   */
  private static boolean hasStarted(Lost claim) {
    return claim.begun()
        || (claim.first() && claim.maxAttempts() != 1 && claim.crashes() == null)
        || !(crashed(claim) || stopped(claim));
  }

  private static Failure failure(Lost claim) {
    if (crashed(claim)) {
      return Failure.of(
          Failure.Kind.OWNER_LOST,
          "its node died while it was running; that has happened "
              + crashes(claim)
              + (crashes(claim) == 1 ? " time" : " times in a row"));
    }
    return stopped(claim)
        ? Failure.of(Failure.Kind.OWNER_LOST, "its node stopped while it was running")
        : Failure.of(
            Failure.Kind.TIMED_OUT, "took longer than its timeout, and its node did not end it");
  }

  /** The deaths that it was in work at, this one included, since an attempt last returned. */
  private static int crashes(Lost claim) {
    return crashesBefore(claim) + 1;
  }

  private static int crashesBefore(Lost claim) {
    Integer before = claim.crashes();
    return before == null ? 0 : before;
  }

  /**
   * Deaths are charged to whatever was running, as nothing tells which job was at fault: so many in
   * a row as it has attempts, and it is a dead letter.
   */
  private static boolean outOfAttempts(Lost claim) {
    if (claim.maxAttempts() == JobRequest.UNLIMITED) {
      return false;
    }
    return crashed(claim)
        ? crashes(claim) >= claim.maxAttempts()
        : stopped(claim)
            ? claim.maxAttempts() == 1
            : claim.attempt() - claim.uncounted() >= claim.maxAttempts();
  }

  private static Release unstarted(Lost claim) {
    // The next start of a job that was leased at a death is recorded at once.
    Integer crashes = crashed(claim) ? Integer.valueOf(crashesBefore(claim)) : claim.crashes();
    return new Release(claim.id(), claim.claimNo(), false, false, crashes, Duration.ZERO, true);
  }

  private static Release started(Lost claim) {
    boolean late = !crashed(claim) && !stopped(claim);
    Duration pause =
        late
            ? RetryPolicy.DEFAULT.pauseAfter(claim.attempt() - claim.uncounted(), Math.random())
            : Duration.ZERO;
    Integer crashes = crashed(claim) ? Integer.valueOf(crashes(claim)) : claim.crashes();
    return new Release(claim.id(), claim.claimNo(), true, !stopped(claim), crashes, pause, true);
  }

  private void promote() {
    while (true) {
      List<String> queues = transactions.autoCommit(() -> store.promote(AT_ONCE));
      signals.jobsAvailable(queues);
      if (queues.size() < AT_ONCE) {
        return;
      }
    }
  }

  private void expire() {
    while (transactions.requiresNew(
            () -> {
              List<Long> expired = store.expired(AT_ONCE);
              return expired.isEmpty() ? 0 : endings.endWaiting(expired, Transition.EXPIRE).size();
            })
        == AT_ONCE) {}
  }

  private void cancel() {
    // Those that are left are in work again: to wait for them would keep all else from being done.
    while (transactions.requiresNew(this::cancelSome) == AT_ONCE) {}
  }

  private int cancelSome() {
    List<Long> ripe = store.ripeCancellations(AT_ONCE);
    if (ripe.isEmpty()) {
      return 0;
    }
    endings.endWaiting(store.lockToCancel(ripe), Transition.CANCEL);
    return store.forgetCarriedOut(ripe);
  }
}
