package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.HeldJob;
import org.readpast.store.ReportedCounters;
import org.readpast.store.SecondTally;

/**
 * Sends heartbeats every few seconds, and reconciles the database with memory: releases leases that
 * only the database knows, and interrupts attempts whose lease is lost.
 */
final class Heartbeat {
  private static final Logger LOG = System.getLogger(Heartbeat.class.getName());
  private static final long RECEIVED_WITHIN_NANOS = 1_000_000_000L;

  private final EngineContext at;
  private final Nodes nodes;
  private final Dispatcher dispatcher;
  private final Runnable reregister;
  private final Runnable drain;
  private Set<ReportedCounters> storedCounts = Set.of();
  // The claims that no receiver holds, each with the time of the heartbeat that first found this.
  private Map<HeldJob, Long> unheld = Map.of();

  /**
   * @param reregister called when this node was declared dead
   * @param drain called when an operator drains this node
   */
  Heartbeat(
      EngineContext at, Nodes nodes, Dispatcher dispatcher, Runnable reregister, Runnable drain) {
    this.at = at;
    this.nodes = nodes;
    this.dispatcher = dispatcher;
    this.reregister = reregister;
    this.drain = drain;
  }

  /** Sends one heartbeat. */
  synchronized void beat() {
    try {
      Node node = at.node().node();
      int no = node.no();
      List<Attempt> attempts = List.copyOf(at.activeJobs().attempts());
      List<ReportedCounters> counts = dispatcher.reportedCounters();
      List<Long> emptyLeases = at.activeJobs().takeEmptyLeases();
      Nodes.Beat beat = sendHeartbeat(node, attempts, emptyLeases);
      if (beat == null) {
        // The node has recorded that it is stopping, and must not register again.
        if (!at.node().stopping()) {
          startAnew();
        } else if (!at.node().shuttingDown()) {
          attempts.forEach(attempt -> attempt.interrupt(Attempt.StopReason.OWNER_LOST));
        }
        at.node().databaseAnswered();
        return;
      }
      boolean expired = at.node().leaseExpired();
      at.node().databaseAnswered();
      if (expired) {
        // The node has claimed no jobs in the meantime.
        dispatcher.signalAll();
      }
      at.counters().seconds().databaseTime(beat.databaseMillis());
      if (beat.drain() && !at.node().stopping()) {
        drain.run();
      }
      cancel(attempts);
      reconcile(beat.heldJobs(), attempts);
      if (!at.recorder().unrecorded().isEmpty()) {
        // A job that a handler has enqueued may have to wait for a transaction of an application.
        at.attempts().start(at.recorder()::catchUp);
      }
      at.attempts().catchUp();
      // Counters are stored last, because they must not delay the other steps.
      storeCounts(no, counts);
      storeSeconds(no, beat.watched());
    } catch (RuntimeException e) {
      at.node()
          .outage()
          .warn(
              LOG,
              "READPAST-0016 a heartbeat of this node failed; the next one follows after three"
                  + " tenths of readpast.lease",
              e);
    }
  }

  private Nodes.@Nullable Beat sendHeartbeat(
      Node node, List<Attempt> attempts, List<Long> emptyLeases) {
    Set<Integer> backends = new HashSet<>(at.sessions().recent());
    attempts.stream().map(Attempt::backend).forEach(backends::add);
    backends.addAll(at.activeJobs().received().values());
    backends.remove(0);
    // This statement commits by itself, so that a node that freezes keeps no lock on its own row.
    return at.transactions()
        .autoCommit(
            () ->
                Optional.ofNullable(
                    nodes.beat(
                        node.id(),
                        node.no(),
                        backends,
                        dispatcher.receivers(),
                        emptyLeases,
                        at.activeJobs().started())))
        .orElse(null);
  }

  private void storeCounts(int no, List<ReportedCounters> counts) {
    List<ReportedCounters> news =
        counts.stream().filter(count -> !storedCounts.contains(count)).toList();
    if (news.isEmpty() || stored(() -> nodes.storeCounters(no, news))) {
      storedCounts = Set.copyOf(counts);
    }
  }

  private void storeSeconds(int no, boolean watched) {
    RecentSeconds seconds = at.counters().seconds();
    seconds.close();
    List<SecondTally> pending = watched ? seconds.pending() : List.of();
    if (!pending.isEmpty() && stored(() -> nodes.storeSeconds(no, pending))) {
      seconds.stored(pending);
    }
  }

  private boolean stored(Supplier<Integer> store) {
    try {
      at.transactions().requiresNew(store);
      return true;
    } catch (RuntimeException e) {
      at.node()
          .outage()
          .warn(
              LOG,
              "READPAST-0027 the counters of this node could not be stored; the next"
                  + " heartbeat tries again",
              e);
      return false;
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

  private void reconcile(List<HeldJob> heldJobs, List<Attempt> attempts) {
    for (Attempt attempt : attempts) {
      boolean held =
          heldJobs.stream()
              .anyMatch(
                  job -> job.id() == attempt.id() && job.claimNo() == attempt.job().claimNo());
      if (!held && at.activeJobs().attempts().contains(attempt)) {
        attempt.interrupt(Attempt.StopReason.OWNER_LOST);
      }
    }
    long now = System.nanoTime();
    Map<HeldJob, Long> before = unheld;
    unheld =
        heldJobs.stream()
            .filter(job -> job.established() && !at.activeJobs().holds(job.id(), job.claimNo()))
            // The attempt has failed, but its failure has not been recorded yet. The attempt of the
            // job is counted, so the job must not be released without counting the attempt.
            .filter(job -> !at.recorder().unrecorded().contains(job.id()))
            .collect(Collectors.toMap(job -> job, job -> before.getOrDefault(job, now)));
    // If the JVM has paused, a receiver may only now be reading the response to an old claim, so a
    // later heartbeat must also find that no receiver holds the job.
    List<HeldJob> orphans =
        unheld.entrySet().stream()
            .filter(job -> now - job.getValue() >= RECEIVED_WITHIN_NANOS)
            .map(Map.Entry::getKey)
            .toList();
    if (!orphans.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0017 this node releases {0} jobs: their claim was committed, but its"
              + " response was lost. No attempt is counted",
          Integer.toString(orphans.size()));
      at.transactions().requiresNew(() -> at.releases().releaseLost(orphans));
      dispatcher.signalAll();
    }
  }

  /**
   * Interrupts all attempts and registers a new node, because other nodes have declared this node
   * dead and taken over its jobs. The outcomes of attempts that the node still runs no longer
   * count.
   */
  private void startAnew() {
    LOG.log(
        Level.WARNING,
        "READPAST-0018 the other nodes declared this node dead, because it sent no heartbeat"
            + " for its lease. This node interrupts its running jobs, registers again, and"
            + " continues");
    at.activeJobs().attempts().forEach(attempt -> attempt.interrupt(Attempt.StopReason.OWNER_LOST));
    storedCounts = Set.of();
    at.counters().startAnew();
    reregister.run();
    dispatcher.signalAll();
  }
}
