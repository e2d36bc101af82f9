package org.readpast.engine;

import java.time.Duration;
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
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.QueueRow;

/**
 * Receives for callers, in their own transactions. The job is taken and ended at once; both happen
 * when the caller commits.
 */
public final class Pull {
  private static final long UNKNOWN_QUEUE_MILLIS = 100;
  private static final long TYPES_NANOS = 500_000_000L;

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
   * Takes a job, and waits for one if need be.
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
      dispatcher.askFor(line);
      return null;
    }
    ClaimedJob job = null;
    try {
      job = at.transactions().joined(() -> take(line, only));
      return job;
    } finally {
      if (job == null) {
        line.leavePull();
      }
    }
  }

  private @Nullable ClaimedJob take(Line line, List<String> only) {
    boolean everywhere = false;
    while (true) {
      List<String> wanted =
          only.isEmpty() ? types(line.queue(), everywhere) : List.copyOf(new TreeSet<>(only));
      Lanes places = line.lanes(wanted);
      ClaimedJob job = take(line, places, everywhere);
      if (job != null && job.expired()) {
        at.endings().end(job, JobState.EXPIRED, null, at.node().no());
      } else if (job != null) {
        return job;
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
      known = new Types(at.claims().typesWithWork(queue), System.nanoTime());
      types.put(queue, known);
    }
    return known.names();
  }

  private @Nullable ClaimedJob take(Line line, Lanes places, boolean everywhere) {
    long now = System.nanoTime();
    Lanes.Look look = everywhere ? places.everywhere(now) : places.next(now);
    if (look.lanes().isEmpty()) {
      places.found(look, List.of(), 1, System.nanoTime());
      return null;
    }
    ClaimedJob job;
    try {
      job =
          at.claims().take(line.queue(), look.lanes(), at.notNow(), at.node().no(), line.limited());
    } catch (RuntimeException e) {
      places.failed(look);
      throw e;
    }
    places.found(look, job == null ? List.of() : List.of(job), 1, System.nanoTime());
    if (job != null) {
      ClaimedJob taken = job;
      at.transactions()
          .afterCompletion(committed -> completed(line, places, look, taken, committed));
      if (!job.expired()) {
        try {
          hold(line, job);
        } catch (RuntimeException | Error e) {
          // Who has asked leaves the line; the rollback is not to leave it once more.
          at.inWork().pulled().remove(job);
          throw e;
        }
      }
    }
    return job;
  }

  private void hold(Line line, ClaimedJob job) {
    at.counters().of(line.queue()).received.increment();
    at.inWork().pulled().add(job);
    // From the rollback to the record of it this node leaves the job alone.
    at.recorder().announce(job);
    at.endings().complete(job, null, at.node().no());
  }

  /**
   * On a thread that may be in the middle of whatever ends transactions: the rest is for another.
   */
  private void completed(
      Line line, Lanes places, Lanes.Look look, ClaimedJob job, boolean committed) {
    if (!committed) {
      places.failed(look);
    }
    if (job.expired()) {
      return;
    }
    if (committed) {
      at.recorder().withdraw(job);
      at.counters().of(line.queue()).completed.increment();
      left(line, job);
      at.ended().accept(List.of(job.id()));
      return;
    }
    at.counters().of(line.queue()).failed.increment();
    if (!threads.tryStart(() -> rolledBack(line, job))) {
      at.recorder().withdraw(job);
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
      at.recorder().recordUnlessGone(job, Execution.rolledBack(job, policy));
    } finally {
      left(line, job);
    }
  }
}
