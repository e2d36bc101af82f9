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
import org.readpast.database.TransientErrors;
import org.readpast.dependency.DependencyResolver;
import org.readpast.store.Claims;
import org.readpast.store.Claims.LastPosition;
import org.readpast.store.MaintenanceStore;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.LiveSettings;
import org.readpast.store.Nodes.QueueRow;

/**
 * Runs on the only thread of a node that waits: for notifications from other nodes, for the next
 * due time, and for the next poll. The listener wakes the dispatcher, promotes due jobs, fires
 * schedules and advances the watermark.
 */
final class Listener implements Runnable {
  private static final Logger LOG = System.getLogger(Listener.class.getName());
  private static final Duration WAIT_IF_ACTIVE = Duration.ofMillis(200);
  private static final Duration WAIT_IF_IDLE = Duration.ofSeconds(1);
  private static final Duration IDLE_AFTER = Duration.ofSeconds(5);
  // The minimum time between two observations of open transactions. For jobs that were received
  // before the first observation, dead index entries are read once more.
  private static final Duration OBSERVATION = Duration.ofMillis(200);
  private static final Duration RESOLVE = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofSeconds(2);
  private static final Duration FULL_POLL = Duration.ofMinutes(1);
  // Released jobs are listed in the database for five seconds.
  private static final Duration LONGEST_WITHOUT_RELEASES = Duration.ofSeconds(4);
  private static final Duration LOAD_QUEUES = Duration.ofSeconds(5);
  private static final Duration LONGEST_ERROR_PAUSE = Duration.ofSeconds(10);
  private static final int PROMOTION_LIMIT = 500;

  private final EngineContext at;
  private final Dispatcher dispatcher;
  private final WakeUps wakeUps;
  private final DependencyResolver resolver;
  private final Notices notices;
  private final MaintenanceStore store;
  private final Nodes nodes;
  private final LostCommits lostCommits;
  private final Watermark watermark;
  private final TimedWork schedules;
  // This class has more than six mutable fields: each task of this thread has its own deadline, and
  // only this thread changes them.
  private volatile long lastRound = System.nanoTime();
  private volatile boolean ended;
  private long nextJobPoll = System.nanoTime();
  private long nextPoll = System.nanoTime();
  private long nextObservation = System.nanoTime();
  private long nextResolve = System.nanoTime();
  private long readReleases = System.nanoTime();
  private long nextQueues = System.nanoTime();
  private long lastActivity = System.nanoTime();
  private long promoted = System.nanoTime();
  private boolean unresolved;
  private boolean receiversPaused;
  private long receivedAtObservation = -1;
  private long lastPosition;
  private long polledUpTo = -1;
  private long nextFullPoll = System.nanoTime();
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
    this.lostCommits = lostCommits;
    this.watermark = watermark;
    this.schedules = schedules;
  }

  @Override
  public void run() {
    try {
      while (!at.node().stopping()) {
        Duration wait = WAIT_IF_ACTIVE;
        try {
          if (dispatcher.outage().paused(System.nanoTime())) {
            receiversPaused = true;
          } else {
            round();
            failures = 0;
            if (receiversPaused) {
              // Receivers that left during the pause may have left jobs.
              receiversPaused = false;
              dispatcher.signalAll();
            }
            wait = untilNextRound();
          }
        } catch (RuntimeException | Error e) {
          lastActivity = System.nanoTime();
          wait = TransientErrors.isOutage(e) ? outagePause() : errorPause();
          at.node()
              .outage()
              .warn(
                  LOG,
                  "READPAST-0015 this node could not check for new and due jobs, so they"
                      + " may start later; it checks again in "
                      + wait,
                  e);
        }
        lastRound = System.nanoTime();
        List<String> messages = notices.await(wait);
        wakeUps.noteWait(System.nanoTime());
        if (!messages.isEmpty()) {
          lastActivity = System.nanoTime();
          messages.forEach(wakeUps::received);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended = true;
      notices.close();
    }
  }

  /**
   * Returns the time until the next round. An idle listener waits longer; it is notified if a job
   * becomes due earlier.
   */
  private Duration untilNextRound() {
    long now = System.nanoTime();
    boolean idle = now - lastActivity > IDLE_AFTER.toNanos();
    // The comparison uses differences, because the values of nanoTime may overflow.
    long next =
        LongStream.of(nextJobPoll, nextPoll, schedules.next())
            .map(moment -> moment - now)
            .reduce(Long.MAX_VALUE, Math::min);
    long longest = longestWait(idle, next);
    long due = wakeUps.noteWait(idle ? now + longest : now) - now;
    // Jobs that become due within a short time are promoted together.
    long nextPromotion = promoted + WAIT_IF_ACTIVE.toNanos() - now;
    return Duration.ofNanos(Math.max(0, Math.min(longest, Math.max(due, nextPromotion))));
  }

  /**
   * Returns the longest wait in ns if no job becomes due earlier. The result is never shorter than
   * the wait of an active listener, regardless of how short the poll interval is.
   *
   * @param next the time in ns until the next task of this thread is due
   */
  static long longestWait(boolean idle, long next) {
    long ifActive = WAIT_IF_ACTIVE.toNanos();
    return idle ? Math.min(WAIT_IF_IDLE.toNanos(), Math.max(ifActive, next)) : ifActive;
  }

  private Duration outagePause() {
    long now = System.nanoTime();
    dispatcher.outage().pause(now);
    return dispatcher.outage().remainingPause(now);
  }

  private Duration errorPause() {
    Duration pause = Duration.ofMillis(200L << Math.min(failures++, 10));
    return pause.compareTo(LONGEST_ERROR_PAUSE) > 0 ? LONGEST_ERROR_PAUSE : pause;
  }

  private void round() {
    long now = System.nanoTime();
    boolean received = at.counters().received() != receivedAtObservation;
    if (unresolved || received) {
      lastActivity = now;
    }
    if (wakeUps.takeQueuesChanged()) {
      // Observe before loading the queues, because jobs in a queue that was resumed have been
      // waiting since before.
      observe();
      loadQueues();
    } else if ((received || watermark.low() < lastPosition) && now - nextObservation >= 0) {
      // The listener observes open transactions only if jobs have been enqueued or received since
      // the last observation, so idle queues cost nothing.
      observe();
    }
    if (now - nextQueues >= 0) {
      loadQueues();
    }
    if (unresolved && now - nextResolve >= 0) {
      nextResolve = now + RESOLVE.toNanos();
      resolver.resolveAll();
    }
    if (wakeUps.takeJobsReleased()) {
      readReleases(now, true);
    }
    boolean forJobs = now - nextJobPoll >= 0;
    if (forJobs || now - nextPoll >= 0) {
      nextPoll = now + POLL.toNanos();
      poll(forJobs, now);
    } else if (wakeUps.isDue(now)) {
      promote();
    }
    if (forJobs) {
      nextJobPoll = now + at.settings().pollInterval().toNanos();
    }
    schedules.round(wakeUps.takeSchedulesChanged());
    for (ServedQueue served : dispatcher.served()) {
      if (served.errorPauseOver(now) || served.takeLimitReached()) {
        lastActivity = now;
        dispatcher.wake(served);
      }
    }
    if (at.typeLimits().retryReachedLimits()) {
      lastActivity = now;
    }
  }

  /**
   * Checks with a single statement which kinds of work may be waiting.
   *
   * @param forJobs true to search also for jobs to claim, in queues that may have another receiver
   */
  private void poll(boolean forJobs, long now) {
    // Queues with running receivers are included: these may be busy for a long time, while jobs
    // wait that no notification has announced.
    List<Claims.PollRange> used =
        dispatcher.served().stream()
            .filter(served -> forJobs && served.usedRecently(now))
            .map(served -> served.range(now))
            .toList();
    // Jobs can no longer appear at or below the watermark, so a poll searches for jobs only if
    // later positions have been assigned since the previous poll. Once a minute, the poll always
    // searches: a transaction may have locked a job while all nodes polled, and its node may have
    // died before it announced the job. Each search begins at the mark of the queue, and the marks
    // return to the start every five minutes. The watermark decreases if the database has lost
    // commits.
    long low = watermark.low();
    if (low < polledUpTo || (forJobs && now - nextFullPoll >= 0)) {
      polledUpTo = -1;
      nextFullPoll = now + FULL_POLL.toNanos();
    }
    long after = Math.min(polledUpTo, low);
    Claims.PollResult result =
        at.transactions()
            .autoCommit(
                () ->
                    forJobs
                        ? at.claims().poll(used, at.handlers().types(), after)
                        : at.claims().poll());
    dispatcher.outage().reached();
    readReleases(now, result.released());
    lostCommits.check(result.last());
    lastPosition = result.last().position();
    if (forJobs) {
      wake(result.queues(), now);
      polledUpTo = watermark.low() < low ? -1 : low;
    }
    unresolved = result.unresolved();
    if (unresolved) {
      resolver.resolveAll();
    }
    due(result.nextDue());
  }

  /**
   * Wakes the queues that have jobs to claim, or may have them.
   *
   * @param found the queues that have jobs, each with true if this node handles one of the jobs
   */
  private void wake(Map<String, Boolean> found, long now) {
    for (ServedQueue served : dispatcher.served()) {
      Boolean ours = found.get(served.queue());
      if (ours != null) {
        served.hasUnhandledJobs(!ours);
      }
      if ((served.knowsOfJobs() || Boolean.TRUE.equals(ours)) && served.mayStart(now)) {
        dispatcher.signal(served.queue());
      }
    }
    Set<String> missing = new HashSet<>(found.keySet());
    missing.removeIf(queue -> dispatcher.served(queue) != null);
    if (!missing.isEmpty()) {
      // A missing queue is new, or was removed as unused while a job was being enqueued to it.
      lostCommits.createQueues(missing);
      loadQueues();
    }
  }

  /**
   * Makes receivers claim jobs that were released at positions which this node may already have
   * passed.
   */
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
      queues = at.transactions().autoCommit(() -> store.promote(PROMOTION_LIMIT));
      wakeUps.jobsAvailable(Set.copyOf(queues));
    } while (queues.size() == PROMOTION_LIMIT);
    // The due time is reset before the query: the query sees jobs that were scheduled before the
    // reset, and jobs that are scheduled after it set the time again.
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
    ObservedPositions seen =
        at.transactions()
            .requiresNew(() -> new ObservedPositions(claims.lastPosition(), claims.openWriters()));
    lostCommits.observe(seen.last(), seen.openWriters());
  }

  private record ObservedPositions(LastPosition last, Set<String> openWriters) {}

  private void loadQueues() {
    nextQueues = System.nanoTime() + LOAD_QUEUES.toNanos();
    LiveSettings settings = at.transactions().autoCommit(nodes::settings);
    at.typeLimits().set(settings.typeLimits());
    List<QueueRow> queues = settings.queues();
    dispatcher.setQueues(queues);
    dispatcher.retainQueues(queues.stream().map(QueueRow::name).collect(Collectors.toSet()));
    lostCommits.retainQueues(
        queues.stream()
            .filter(QueueRow::recentlyUsed)
            .map(QueueRow::name)
            .collect(Collectors.toSet()));
  }

  /** Returns true if the listener runs and has completed a round within the last minute. */
  boolean alive() {
    return !ended && System.nanoTime() - lastRound < Duration.ofSeconds(60).toNanos();
  }

  boolean ended() {
    return ended;
  }
}
