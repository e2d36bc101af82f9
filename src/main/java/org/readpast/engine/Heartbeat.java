package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.Lease;
import org.readpast.store.Tally;

/**
 * Proves every few seconds that this node lives, and brings database and memory in line: a lease
 * that only the database knows is given back, an attempt whose lease is gone is interrupted.
 */
final class Heartbeat {
  private static final Logger LOG = System.getLogger(Heartbeat.class.getName());

  private final EngineContext at;
  private final Nodes nodes;
  private final Dispatcher dispatcher;
  private final Runnable reborn;
  private final Runnable drain;
  private List<Tally> told = List.of();

  /**
   * @param reborn what is to be done when this node was declared dead
   * @param drain and when somebody wants it to take no more jobs
   */
  Heartbeat(EngineContext at, Nodes nodes, Dispatcher dispatcher, Runnable reborn, Runnable drain) {
    this.at = at;
    this.nodes = nodes;
    this.dispatcher = dispatcher;
    this.reborn = reborn;
    this.drain = drain;
  }

  /** Beats once. */
  synchronized void beat() {
    try {
      int no = at.node().no();
      List<Attempt> attempts = List.copyOf(at.inWork().attempts());
      List<Tally> counts = dispatcher.tallies();
      List<Long> through = at.inWork().takeThrough();
      Nodes.Beat beat = pulse(no, attempts, through);
      if (beat == null) {
        // One that stops has said so itself, and is not to rise again.
        if (!at.node().stopping()) {
          bury();
        } else if (!at.node().goingDown()) {
          attempts.forEach(attempt -> attempt.interrupt(Attempt.Stop.OWNER_LOST));
        }
        at.node().answered();
        return;
      }
      at.node().beaten();
      if (beat.drain() && !at.node().stopping()) {
        drain.run();
      }
      cancel(attempts);
      reconcile(beat.leases(), attempts);
      at.recorder().catchUp();
      at.attempts().catchUp();
      // Last: what counts only must not keep the rest from being done.
      storeCounts(no, counts);
    } catch (RuntimeException e) {
      at.node().outage().warn(LOG, "READPAST-0016 the heartbeat did not reach the database", e);
      if (at.node().silentFor(at.settings().lease())) {
        interruptOnLostLease();
      }
    }
  }

  private Nodes.@Nullable Beat pulse(int no, List<Attempt> attempts, List<Long> through) {
    Set<Integer> backends = new HashSet<>(at.sessions().recent());
    attempts.stream().map(Attempt::backend).filter(backend -> backend != 0).forEach(backends::add);
    // By itself, so that a node that freezes keeps no lock on its own row.
    return at.transactions()
        .autoCommit(
            () ->
                Optional.ofNullable(
                    nodes.beat(no, backends, dispatcher.receivers(), through, at.inWork().begun())))
        .orElse(null);
  }

  private void storeCounts(int no, List<Tally> counts) {
    List<Tally> news = counts.stream().filter(count -> !told.contains(count)).toList();
    try {
      if (!news.isEmpty()) {
        at.transactions()
            .requiresNew(
                () -> {
                  nodes.listening(no, news);
                  return true;
                });
      }
      told = counts;
    } catch (RuntimeException e) {
      at.node()
          .outage()
          .warn(LOG, "READPAST-0027 the counters of this node could not be stored yet", e);
    }
  }

  private void cancel(List<Attempt> attempts) {
    List<Long> all = attempts.stream().map(Attempt::id).toList();
    if (!all.isEmpty()) {
      Set<Long> cancelled = at.transactions().autoCommit(() -> nodes.cancellationsAmong(all));
      attempts.stream()
          .filter(attempt -> cancelled.contains(attempt.id()))
          .forEach(Attempt::requestCancellation);
    }
  }

  private void reconcile(List<Lease> leases, List<Attempt> attempts) {
    for (Attempt attempt : attempts) {
      boolean held =
          leases.stream()
              .anyMatch(l -> l.id() == attempt.id() && l.claimNo() == attempt.job().claimNo());
      if (!held && at.inWork().attempts().contains(attempt)) {
        attempt.interrupt(Attempt.Stop.OWNER_LOST);
      }
    }
    List<Lease> orphans =
        leases.stream()
            .filter(l -> l.settled() && !at.inWork().holds(l.id(), l.claimNo()))
            // Worked and failed: it is still to be recorded, and must not come free uncounted.
            .filter(l -> !at.recorder().unrecorded().contains(l.id()))
            .toList();
    if (!orphans.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0017 giving back {0} jobs whose claim was committed but never arrived here",
          orphans.size());
      at.transactions()
          .requiresNew(
              () -> {
                at.endings().giveBackLeases(orphans);
                return true;
              });
      dispatcher.served().forEach(served -> dispatcher.signal(served.queue()));
    }
  }

  /**
   * The others have declared this node dead and taken its jobs: whatever is still in work here is
   * void.
   */
  private void bury() {
    LOG.log(
        Level.WARNING,
        "READPAST-0018 this node was declared dead, having been silent for too long; it starts anew");
    at.inWork().attempts().forEach(attempt -> attempt.interrupt(Attempt.Stop.OWNER_LOST));
    told = List.of();
    at.counters().startAnew();
    reborn.run();
  }

  /**
   * The database has not been reached for a whole lease: other nodes may have taken these jobs over
   * by now. Most handlers go on all the same: if the fence still holds their ends are acknowledged.
   */
  private void interruptOnLostLease() {
    at.inWork().attempts().stream()
        .filter(Attempt::interruptedOnLostLease)
        .forEach(attempt -> attempt.interrupt(Attempt.Stop.OWNER_LOST));
  }
}
