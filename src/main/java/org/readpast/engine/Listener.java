package org.readpast.engine;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Claims;
import org.readpast.store.Claims.LastPosition;
import org.readpast.store.MaintenanceStore;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.QueueRow;
import org.readpast.store.TransientErrors;
import org.readpast.store.TypeLimitStore;

/**
 * The one thread of a node that waits: for notices of other nodes, for the next job to be due, for
 * the next look by itself. It wakes the dispatcher, promotes due jobs, fires schedules and lets the
 * watermark rise.
 */
final class Listener implements Runnable {
  private static final Logger LOG = System.getLogger(Listener.class.getName());
  private static final Duration WAIT_AT_WORK = Duration.ofMillis(200);
  private static final Duration WAIT_AT_REST = Duration.ofSeconds(1);
  private static final Duration REST_AFTER = Duration.ofSeconds(5);
  // What was received before the first will be read once more.
  private static final Duration OBSERVATION = Duration.ofMillis(200);
  private static final Duration LOOK_AROUND = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration THOROUGH_LOOK = Duration.ofMinutes(1);
  // Released jobs are shown for five seconds.
  private static final Duration LONGEST_WITHOUT_RELEASES = Duration.ofSeconds(4);
  private static final Duration LOAD_QUEUES = Duration.ofSeconds(5);
  private static final Duration LONGEST_ERROR_PAUSE = Duration.ofSeconds(10);
  private static final int PROMOTED_AT_ONCE = 500;

  private final EngineContext at;
  private final Dispatcher dispatcher;
  private final WakeUps wakeUps;
  private final DependencyResolver resolver;
  private final Notices notices;
  private final MaintenanceStore store;
  private final Nodes nodes;
  private final TypeLimitStore typeLimits;
  private final LostCommits lostCommits;
  private final Watermark watermark;
  private final TimedWork schedules;
  // More than six fields change: each duty of this thread has its moment, and nobody else changes
  // it.
  private volatile long lastRound = System.nanoTime();
  private volatile boolean ended;
  private long nextPoll = System.nanoTime();
  private long nextLook = System.nanoTime();
  private long nextObservation = System.nanoTime();
  private long nextLookAround = System.nanoTime();
  private long readReleases = System.nanoTime();
  private long nextQueues = System.nanoTime();
  private long lively = System.nanoTime();
  private long promoted = System.nanoTime();
  private boolean unsettled;
  private long receivedAtObservation = -1;
  private long drawn;
  private long lookedUpTo = -1;
  private long nextThorough = System.nanoTime();
  private int failures;

  Listener(
      EngineContext at,
      Dispatcher dispatcher,
      WakeUps wakeUps,
      DependencyResolver resolver,
      Notices notices,
      MaintenanceStore store,
      Nodes nodes,
      LostCommits lostCommits,
      Watermark watermark,
      TimedWork schedules) {
    this.at = at;
    this.dispatcher = dispatcher;
    this.wakeUps = wakeUps;
    this.resolver = resolver;
    this.notices = notices;
    this.store = store;
    this.nodes = nodes;
    this.typeLimits = new TypeLimitStore(at.transactions());
    this.lostCommits = lostCommits;
    this.watermark = watermark;
    this.schedules = schedules;
  }

  @Override
  public void run() {
    try {
      while (!at.node().stopping()) {
        Duration wait = WAIT_AT_WORK;
        try {
          if (!dispatcher.outage().active(System.nanoTime())) {
            round();
            failures = 0;
            wait = untilNextRound();
          }
        } catch (RuntimeException | Error e) {
          lively = System.nanoTime();
          wait = TransientErrors.isOutage(e) ? outagePause() : errorPause();
          at.node()
              .outage()
              .warn(LOG, "READPAST-0015 the listener could not look; it looks again in " + wait, e);
        }
        lastRound = System.nanoTime();
        List<String> words = notices.await(wait);
        wakeUps.noteWait(System.nanoTime());
        if (!words.isEmpty()) {
          lively = System.nanoTime();
          words.forEach(wakeUps::received);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended = true;
      notices.close();
    }
  }

  /** At rest it waits for longer, and is told of what is due meanwhile. */
  private Duration untilNextRound() {
    long now = System.nanoTime();
    boolean rests = now - lively > REST_AFTER.toNanos();
    // As differences: moments may overflow.
    long next =
        LongStream.of(nextPoll, nextLook, schedules.next())
            .map(moment -> moment - now)
            .reduce(Long.MAX_VALUE, Math::min);
    long longest = longestWait(rests, next);
    long due = wakeUps.noteWait(rests ? now + longest : now) - now;
    // Those that are due one soon after the other are promoted together.
    long together = promoted + WAIT_AT_WORK.toNanos() - now;
    return Duration.ofNanos(Math.max(0, Math.min(longest, Math.max(due, together))));
  }

  /**
   * In ns, where nothing is due sooner; never less than at work, however often it is to poll.
   *
   * @param next when it has something to do by itself, from now
   */
  static long longestWait(boolean rests, long next) {
    long atWork = WAIT_AT_WORK.toNanos();
    return rests ? Math.min(WAIT_AT_REST.toNanos(), Math.max(atWork, next)) : atWork;
  }

  private Duration outagePause() {
    long now = System.nanoTime();
    dispatcher.outage().pause(now);
    return dispatcher.outage().left(now);
  }

  private Duration errorPause() {
    Duration pause = Duration.ofMillis(200L << Math.min(failures++, 10));
    return pause.compareTo(LONGEST_ERROR_PAUSE) > 0 ? LONGEST_ERROR_PAUSE : pause;
  }

  private void round() {
    long now = System.nanoTime();
    boolean received = at.counters().received() != receivedAtObservation;
    if (unsettled || received) {
      lively = now;
    }
    if (wakeUps.takeQueuesChanged()) {
      // First: what waits in a queue that is resumed now was there before.
      observe();
      loadQueues();
    } else if ((received || watermark.settled() < drawn) && now - nextObservation >= 0) {
      // Only where jobs have come or gone since: a queue at rest costs nothing.
      observe();
    }
    if (now - nextQueues >= 0) {
      loadQueues();
    }
    if (unsettled && now - nextLookAround >= 0) {
      nextLookAround = now + LOOK_AROUND.toNanos();
      resolver.lookAround();
    }
    if (wakeUps.takeJobsReleased()) {
      readReleases(now, true);
    }
    boolean poll = now - nextPoll >= 0;
    if (poll || now - nextLook >= 0) {
      nextLook = now + LOOK.toNanos();
      look(poll, now);
    } else if (wakeUps.isDue(now)) {
      promote();
    }
    if (poll) {
      nextPoll = now + at.settings().pollInterval().toNanos();
    }
    schedules.round(wakeUps.takeSchedulesChanged());
    for (ServedQueue served : dispatcher.served()) {
      if (served.errorPauseOver(now) || served.takeRefused()) {
        lively = now;
        dispatcher.wake(served);
      }
    }
    if (at.typeLimits().retryRefused()) {
      lively = now;
    }
  }

  /** Asks once for all that may be to do; poll: whether also for jobs in queues with room. */
  private void look(boolean poll, long now) {
    // Also where a receiver is at work: it may be so for long, beside what nobody has told of.
    List<Claims.Range> used =
        dispatcher.served().stream()
            .filter(served -> poll && served.usedLately(now))
            .map(served -> served.range(now))
            .toList();
    // This look sees every job that there will ever be up to this position. Once a minute it goes
    // everywhere all the same: a transaction that had locked a job may have rolled back after all
    // nodes looked there, and its node may have died before it could tell. The position goes back
    // when the database has lost commits.
    long settled = watermark.settled();
    if (settled < lookedUpTo || (poll && now - nextThorough >= 0)) {
      lookedUpTo = -1;
      nextThorough = now + THOROUGH_LOOK.toNanos();
    }
    long after = Math.min(lookedUpTo, settled);
    Claims.Look look =
        at.transactions()
            .autoCommit(
                () ->
                    poll
                        ? at.claims().look(used, at.handlings().types(), after)
                        : at.claims().look());
    dispatcher.outage().reached();
    readReleases(now, look.released());
    lostCommits.check(look.last());
    drawn = look.last().position();
    if (poll) {
      wake(look.queues(), now);
      lookedUpTo = watermark.settled() < settled ? -1 : settled;
    }
    unsettled = look.unsettled();
    if (unsettled) {
      resolver.lookAround();
    }
    due(look.nextDue());
  }

  /**
   * Wakes those that have or may have something to claim.
   *
   * @param found what was found, and whether this node works it
   */
  private void wake(Map<String, Boolean> found, long now) {
    for (ServedQueue served : dispatcher.served()) {
      Boolean ours = found.get(served.queue());
      if (ours != null) {
        served.holdsOthers(!ours);
      }
      if ((served.knowsOfJobs() || Boolean.TRUE.equals(ours)) && served.mayStart(now)) {
        dispatcher.signal(served.queue());
      }
    }
    Set<String> missing = new HashSet<>(found.keySet());
    missing.removeIf(queue -> dispatcher.served(queue) != null);
    if (!missing.isEmpty()) {
      // It has come just now, or was removed as unused just as somebody enqueued to it.
      lostCommits.create(missing);
      loadQueues();
    }
  }

  /** Has receivers claim jobs that were released at positions that this node may have passed. */
  private void readReleases(long now, boolean some) {
    if (now - readReleases > LONGEST_WITHOUT_RELEASES.toNanos()) {
      dispatcher.served().forEach(ServedQueue::startOver);
      dispatcher.served().forEach(dispatcher::wake);
    }
    readReleases = now;
    if (some) {
      dispatcher.released(at.transactions().autoCommit(at.claims()::releases));
    }
  }

  private void due(@Nullable Duration next) {
    if (next != null && (next.isNegative() || next.isZero())) {
      promote();
    } else if (next != null) {
      wakeUps.dueIn(next);
    }
  }

  private void promote() {
    promoted = System.nanoTime();
    List<String> queues;
    do {
      queues = at.transactions().autoCommit(() -> store.promote(PROMOTED_AT_ONCE));
      wakeUps.jobsAvailable(Set.copyOf(queues));
    } while (queues.size() == PROMOTED_AT_ONCE);
    // A node that has scheduled something earlier meanwhile has said so, before or after this.
    wakeUps.nextDueIn(Duration.ofDays(1));
    Duration next =
        at.transactions().autoCommit(() -> Optional.ofNullable(store.nextDue())).orElse(null);
    dispatcher.outage().reached();
    if (next != null) {
      wakeUps.dueIn(next.isNegative() ? Duration.ZERO : next);
    }
  }

  private void observe() {
    nextObservation = System.nanoTime() + OBSERVATION.toNanos();
    receivedAtObservation = at.counters().received();
    Claims claims = at.claims();
    Drawn seen =
        at.transactions()
            .requiresNew(
                () -> {
                  LastPosition last = claims.lastPosition();
                  return new Drawn(last, claims.openWriters());
                });
    lostCommits.observe(seen.last(), seen.openWriters());
  }

  private record Drawn(LastPosition last, Set<String> openWriters) {}

  private void loadQueues() {
    nextQueues = System.nanoTime() + LOAD_QUEUES.toNanos();
    at.typeLimits().set(at.transactions().autoCommit(typeLimits::all));
    List<QueueRow> queues = at.transactions().autoCommit(nodes::queues);
    dispatcher.setQueues(queues);
    dispatcher.retainQueues(queues.stream().map(QueueRow::name).collect(Collectors.toSet()));
    lostCommits.queues(
        queues.stream().filter(QueueRow::lately).map(QueueRow::name).collect(Collectors.toSet()));
  }

  /** Whether it goes round. */
  boolean alive() {
    return !ended && System.nanoTime() - lastRound < Duration.ofSeconds(60).toNanos();
  }

  boolean ended() {
    return ended;
  }
}
