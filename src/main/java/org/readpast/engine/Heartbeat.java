package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.Lease;
import org.readpast.store.Tally;

/**
 * Proves every few seconds that this node lives, and brings database and memory in line: a lease
 * that only the database knows is given back, an attempt whose lease is gone is interrupted.
 */
final class Heartbeat {
  private static final Logger LOG = System.getLogger(Heartbeat.class.getName());

  /** After a node has ended, its claims come free over the next few seconds, where they were. */
  private static final int BEATS_TO_START_OVER = 5;

  private final Workplace at;
  private final Nodes nodes;
  private final Dispatcher dispatcher;
  private final Permits permits;
  private final Runnable reborn;
  private final Runnable drain;
  private long endedNodes = -1;
  private int startOvers;
  private List<Tally> told = List.of();

  /**
   * @param reborn what is to be done when this node was declared dead
   * @param drain and when somebody wants it to take no more jobs
   */
  Heartbeat(
      Workplace at,
      Nodes nodes,
      Dispatcher dispatcher,
      Permits permits,
      Runnable reborn,
      Runnable drain) {
    this.at = at;
    this.nodes = nodes;
    this.dispatcher = dispatcher;
    this.permits = permits;
    this.reborn = reborn;
    this.drain = drain;
  }

  private record Pulse(
      Nodes.@Nullable Beat beat, List<Nodes.QueueRow> queues, Set<Long> cancelled) {}

  /** Beats once. */
  synchronized void beat() {
    try {
      int no = at.node().no();
      List<Attempt> attempts = List.copyOf(at.inWork().attempts());
      List<Tally> counts = dispatcher.tallies();
      List<Long> through = at.inWork().takeThrough();
      Pulse pulse = at.transactions().bare(() -> pulse(no, attempts, counts, through));
      Nodes.Beat beat = pulse.beat();
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
      told = counts;
      at.node().beaten(beat.cautious());
      if (beat.drain() && !at.node().stopping()) {
        drain.run();
      }
      dispatcher.setQueues(pulse.queues());
      attempts.stream()
          .filter(a -> pulse.cancelled().contains(a.id()))
          .forEach(Attempt::requestCancellation);
      reconcile(beat.leases(), attempts);
      startOverAfterDeaths(beat.ended());
      at.recorder().catchUp();
      renewPermits();
    } catch (RuntimeException e) {
      Trouble.warn(LOG, "READPAST-0016 the heartbeat did not reach the database", e);
      if (at.node().silentFor(at.settings().lease())) {
        stopLeased();
      }
    }
  }

  private void renewPermits() {
    for (Line line : dispatcher.lines()) {
      if (line.limited()) {
        line.change(Quota::beat);
        permits.renew(line);
        // Only then: to be refused would look like work to do.
        if (line.hasRoom(1, System.nanoTime())) {
          dispatcher.wake(line);
        }
      }
    }
  }

  private Pulse pulse(int no, List<Attempt> attempts, List<Tally> counts, List<Long> through) {
    List<Long> working =
        Stream.concat(
                attempts.stream().filter(Attempt::workedTransactionally).map(Attempt::id),
                at.inWork().pulled().stream().map(ClaimedJob::id))
            .toList();
    Nodes.Beat beat = nodes.beat(no, working, dispatcher.receivers(), through);
    if (beat == null) {
      return new Pulse(null, List.of(), Set.of());
    }
    List<Tally> news = counts.stream().filter(count -> !told.contains(count)).toList();
    if (!news.isEmpty()) {
      nodes.listening(no, news);
    }
    List<Long> all = attempts.stream().map(Attempt::id).toList();
    return new Pulse(
        beat, nodes.queues(), all.isEmpty() ? Set.of() : nodes.cancellationsAmong(all));
  }

  private void reconcile(List<Lease> leases, List<Attempt> attempts) {
    for (Attempt attempt : attempts) {
      boolean held =
          leases.stream()
              .anyMatch(l -> l.id() == attempt.id() && l.claimNo() == attempt.job().claimNo());
      if (attempt.job().leased() && !held && at.inWork().attempts().contains(attempt)) {
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
      at.transactions().fresh(() -> at.endings().giveBackLeases(orphans));
      dispatcher.lines().forEach(line -> dispatcher.signal(line.queue()));
    }
  }

  private void startOverAfterDeaths(long ended) {
    if (ended != endedNodes) {
      startOvers = endedNodes < 0 ? 0 : BEATS_TO_START_OVER;
      endedNodes = ended;
    }
    if (startOvers > 0) {
      startOvers--;
      dispatcher
          .lines()
          .forEach(
              line -> {
                line.startOver();
                dispatcher.wake(line);
              });
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
    dispatcher.lines().forEach(Line::rest);
    told = List.of();
    at.counters().startAnew();
    reborn.run();
  }

  /**
   * The database has not been reached for a whole lease: others may be working these jobs by now.
   */
  private void stopLeased() {
    at.inWork().attempts().stream()
        .filter(attempt -> attempt.job().leased())
        .forEach(attempt -> attempt.interrupt(Attempt.Stop.OWNER_LOST));
  }
}
