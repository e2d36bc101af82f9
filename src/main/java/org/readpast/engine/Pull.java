package org.readpast.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.model.RetryPolicy;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Ended;
import org.readpast.store.Endings.Release;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.QueueRow;

/**
 * Receives for callers, in their own transactions. The job is leased in a short transaction, and
 * ended in the caller's under the fence of the lease, so that it has ended when that commits.
 */
public final class Pull {
  private static final long UNKNOWN_QUEUE_MILLIS = 100;
  private static final long TYPES_NANOS = 500_000_000L;
  // Whoever receives decides how long that transaction lasts; the death of the node ends it.
  private static final Duration ALLOWED = Duration.ofDays(1);

  private final Workplace at;
  private final Dispatcher dispatcher;
  private final Threads threads;
  private final Nodes nodes;
  private final Map<String, Types> types = new ConcurrentHashMap<>();

  Pull(Workplace at, Dispatcher dispatcher, Threads threads, Nodes nodes) {
    this.at = at;
    this.dispatcher = dispatcher;
    this.threads = threads;
    this.nodes = nodes;
  }

  /** The types found in a queue, and when. */
  private record Types(List<String> names, long found) {}

  /**
   * Receives a job, and waits for one if need be.
   *
   * @param only of these types; empty: of any
   * @return null when none came in time
   * @throws ReadpastException if there is no transaction, or it could never see a job that comes
   */
  public @Nullable ClaimedJob receive(String queue, Duration timeout, List<String> only) {
    if (!at.transactions().committable()) {
      throw new ReadpastException(
          "a job is received in the caller's transaction, and there is none that could be"
              + " committed; begin one first");
    }
    long start = System.nanoTime();
    long allowed = timeout.compareTo(Duration.ofDays(1)) < 0 ? timeout.toNanos() : Long.MAX_VALUE;
    boolean checked = false;
    if (dispatcher.line(queue) == null) {
      learnOf(queue);
    }
    try {
      while (true) {
        Line line = dispatcher.line(queue);
        long seen = line == null ? 0 : line.signals();
        ClaimedJob job = line == null || at.node().stopping() ? null : look(line, only);
        if (job != null) {
          return job;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(allowed - (System.nanoTime() - start));
        if (left <= 0 || at.node().goingDown()) {
          return null;
        }
        if (!checked) {
          checkIsolation();
          checked = true;
        }
        pause(line, seen, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** The first job of a new queue may be there before the listener has heard of the queue. */
  private void learnOf(String queue) {
    List<QueueRow> found = at.transactions().fresh(nodes::queues);
    dispatcher.setQueues(found.stream().filter(row -> row.name().equals(queue)).toList());
  }

  private void checkIsolation() {
    if (!at.transactions().joined(at.claims()::seesCommits)) {
      throw new ReadpastException(
          "receive cannot wait in a transaction of a higher isolation level than READ COMMITTED: it"
              + " would never see a job that comes later; lower the level, or give no timeout");
    }
  }

  private void pause(@Nullable Line line, long seen, long left) throws InterruptedException {
    if (line == null) {
      Thread.sleep(Math.min(left, UNKNOWN_QUEUE_MILLIS));
    } else {
      line.await(seen, Math.min(left, at.settings().pollInterval().toMillis()));
    }
  }

  private @Nullable ClaimedJob look(Line line, List<String> only) {
    if (!line.enterPull()) {
      return null;
    }
    ClaimedJob job = null;
    try {
      job = receive(line, only);
      return job;
    } finally {
      if (job == null) {
        line.leavePull();
      }
    }
  }

  private @Nullable ClaimedJob receive(Line line, List<String> only) {
    boolean everywhere = false;
    while (true) {
      List<String> wanted =
          only.isEmpty() ? types(line.queue(), everywhere) : List.copyOf(new TreeSet<>(only));
      Lanes places = line.lanes(wanted);
      ClaimedJob job = lease(line, places, everywhere);
      if (job != null && job.expired()) {
        at.endings()
            .endAll(
                List.of(Ended.of(job, JobState.EXPIRED)), at.node().no(), false, new HashSet<>());
      } else if (job != null) {
        if (ended(line, job)) {
          return job;
        }
      } else if (everywhere && places.fullyLooked()) {
        at.counters().of(line.queue()).emptyReceives.increment();
        return null;
      } else {
        // A quick look goes only where jobs were seen last: it proves nothing.
        everywhere = true;
      }
    }
  }

  private List<String> types(String queue, boolean anew) {
    Types known = types.get(queue);
    if (known == null || anew || System.nanoTime() - known.found() > TYPES_NANOS) {
      known =
          new Types(
              at.transactions().single(() -> at.claims().typesWithWork(queue)), System.nanoTime());
      types.put(queue, known);
    }
    return known.names();
  }

  private @Nullable ClaimedJob lease(Line line, Lanes places, boolean everywhere) {
    long now = System.nanoTime();
    Lanes.Look look = everywhere ? places.everywhere(now) : places.next(now);
    List<ClaimedJob> jobs = new LaneClaims(at, line).lease(places, look, 1, ALLOWED);
    return jobs.isEmpty() ? null : jobs.get(0);
  }

  /** Ends a job in the caller's transaction; returns false if it was taken over meanwhile. */
  private boolean ended(Line line, ClaimedJob job) {
    at.inWork().pulled().add(job);
    boolean ended = false;
    try {
      ended = at.transactions().joined(() -> end(line, job));
      return ended;
    } finally {
      if (!ended) {
        at.inWork().pulled().remove(job);
        at.budget().release(job.payload().length());
        at.transactions().fresh(() -> at.endings().release(List.of(Release.unstarted(job))));
      }
    }
  }

  private boolean end(Line line, ClaimedJob job) {
    if (!at.endings().endHere(List.of(Ended.well(job, null)), at.node().no()).isEmpty()) {
      return false;
    }
    at.sessions().current();
    at.counters().of(line.queue()).received.increment();
    at.transactions().afterCompletion(committed -> completed(line, job, committed));
    return true;
  }

  /**
   * Runs on a thread that may be in the middle of whatever ends transactions: the rest is left to
   * another.
   */
  private void completed(Line line, ClaimedJob job, boolean committed) {
    at.budget().release(job.payload().length());
    if (committed) {
      at.counters().of(line.queue()).completed.increment();
      left(line, job);
      at.ended().accept(List.of(job.id()));
      return;
    }
    at.counters().of(line.queue()).failed.increment();
    if (!threads.tryStart(() -> rolledBack(line, job))) {
      // The heartbeat finds a lease that nothing here holds.
      left(line, job);
    }
  }

  private void left(Line line, ClaimedJob job) {
    if (at.inWork().pulled().remove(job)) {
      line.leavePull();
    }
    line.signal();
    dispatcher.wake(line);
  }

  private void rolledBack(Line line, ClaimedJob job) {
    try {
      RetryPolicy policy =
          at.handlings().knows(job.type())
              ? at.handlings().get(job.type()).retries()
              : RetryPolicy.DEFAULT;
      at.recorder().record(job, Execution.rolledBack(job, policy));
    } finally {
      left(line, job);
    }
  }
}
