package org.readpast.engine;

import java.lang.System.Logger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BinaryOperator;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.dependency.QueueLane;
import org.readpast.store.Claims;
import org.readpast.store.ReleaseStore;

/**
 * Announces jobs that claims may have skipped because a transaction had locked them.
 *
 * <p>Each announcement requires an insert, a notification, and a check on every node. If an
 * application replaces a waiting job hundreds of times a second, the first announcement is sent
 * immediately, and the announcements in the following {@link #GAP_NANOS} are then sent together. No
 * announcement may be omitted, because the job may have been skipped after the previous one. An
 * announcement that fails is repeated after the next heartbeat.
 */
final class SkippedJobs {
  private static final Logger LOG = System.getLogger(SkippedJobs.class.getName());
  private static final long GAP_NANOS = 200_000_000L;

  private final Threads threads;
  private final Transactions transactions;
  private final ReleaseStore releases;
  private final WakeUps wakeUps;
  private final Outage outage;
  private final Map<QueueLane, Claims.ReopenedLane> pending = new ConcurrentHashMap<>();
  private final AtomicBoolean sending = new AtomicBoolean();

  SkippedJobs(
      Threads threads,
      Transactions transactions,
      ReleaseStore releases,
      WakeUps wakeUps,
      Outage outage) {
    this.threads = threads;
    this.transactions = transactions;
    this.releases = releases;
    this.wakeUps = wakeUps;
    this.outage = outage;
  }

  /**
   * Announces jobs on another thread, because the calling thread may still be ending a transaction.
   */
  void announce(List<Claims.ReopenedLane> lanes) {
    BinaryOperator<Claims.ReopenedLane> first = (a, b) -> a.position() < b.position() ? a : b;
    for (Claims.ReopenedLane lane : lanes) {
      pending.merge(new QueueLane(lane.queue(), lane.type(), lane.priority()), lane, first);
    }
    sendPending();
  }

  /** Sends the announcements that have not been sent yet, on another thread. */
  void sendPending() {
    if (!pending.isEmpty()
        && sending.compareAndSet(false, true)
        && !threads.tryStart(this::sendAll)) {
      sending.set(false);
    }
  }

  private void sendAll() {
    boolean sent = true;
    try {
      while (sent && !pending.isEmpty()) {
        // Only this thread removes lanes.
        sent = send(pending.keySet().stream().map(pending::remove).toList());
        LockSupport.parkNanos(GAP_NANOS);
      }
    } finally {
      sending.set(false);
      if (sent) {
        sendPending();
      }
    }
  }

  private boolean send(List<Claims.ReopenedLane> lanes) {
    boolean sent = false;
    try {
      transactions.requiresNew(() -> releases.announce(lanes));
      sent = true;
    } catch (RuntimeException e) {
      announce(lanes);
      outage.warn(
          LOG,
          "READPAST-0083 the other nodes could not be notified of jobs that claims had"
              + " skipped, because another transaction had locked the jobs. This node tries"
              + " again at its next heartbeat",
          e);
    }
    wakeUps.released(lanes);
    return sent;
  }
}
