package org.readpast.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Durations;
import org.readpast.store.SecondTally;

/**
 * Counts the jobs that this engine enqueues, completes and fails in each second, by queue and job
 * type. The last five minutes are kept in memory; heartbeats store them only while a user watches
 * the console.
 *
 * <p>The seconds are measured by the database's clock, so that the counts of all nodes can be added
 * up. The node's own clock only measures how much time has passed since the last heartbeat.
 */
final class RecentSeconds {
  private static final long NANOS = 1_000_000_000;
  private static final long KEPT_SECONDS = 300;
  // A thread may add counts to a second shortly after that second has ended.
  private static final long OPEN_SECONDS = 2;
  // Heartbeats close the seconds that have ended, but heartbeats fail while the database is
  // unavailable.
  private static final int MOST_OPEN = 10;
  private static final long LARGEST_DRIFT = Duration.ofMillis(500).toNanos();
  private static final int MOST_SERIES = 200;
  private static final int MOST_TALLIES = 10_000;
  private static final Series OTHERS = new Series("", "");

  private final LongSupplier nanoTime;
  private final Map<Long, Map<Series, Counts>> open = new ConcurrentSkipListMap<>();
  // The second that was used last, so that most counts need not search for theirs.
  private volatile OpenSecond last = OpenSecond.NONE;
  private final Counts unstored = new Counts();
  // Guarded by the monitor of this object.
  private final Deque<SecondTally> pending = new ArrayDeque<>();
  // The difference between the database's clock and the node's clock; null if it is not known yet.
  private volatile @Nullable Long offset;

  RecentSeconds(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Series(String queue, String type) {}

  private record OpenSecond(long second, Map<Series, Counts> counts) {
    static final OpenSecond NONE = new OpenSecond(Long.MIN_VALUE, Map.of());
  }

  /** Holds the counts of one queue and job type in one second. */
  private static final class Counts {
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Durations waits = new Durations();
    private final Durations runs = new Durations();

    SecondTally tally(long second, Series of) {
      return new SecondTally(
          second,
          of.queue(),
          of.type(),
          enqueued.get(),
          completed.get(),
          failed.get(),
          waits.text(),
          runs.text());
    }
  }

  /** Sets the time of the database's clock, as a heartbeat has just read it. */
  void databaseTime(long millis) {
    long now = millis * 1_000_000 - nanoTime.getAsLong();
    Long known = offset;
    // Small differences come from the delay of the response; applying them would move events to
    // adjacent seconds.
    if (known == null || Math.abs(now - known) > LARGEST_DRIFT) {
      offset = now;
    }
  }

  void enqueued(String queue, String type) {
    counts(queue, type).enqueued.incrementAndGet();
  }

  void completed(String queue, String type) {
    counts(queue, type).completed.incrementAndGet();
  }

  void failed(String queue, String type) {
    counts(queue, type).failed.incrementAndGet();
  }

  void ran(String queue, String type, Duration waited, Duration took) {
    Counts counts = counts(queue, type);
    counts.waits.add(waited);
    counts.runs.add(took);
  }

  /**
   * Returns the counts of the current second. While the time of the database's clock is not known,
   * returns counts that are never stored.
   */
  private Counts counts(String queue, String type) {
    Long ahead = offset;
    if (ahead == null) {
      return unstored;
    }
    long now = second(ahead);
    OpenSecond used = last;
    Map<Series, Counts> second = used.counts();
    if (used.second() != now) {
      second = open.computeIfAbsent(now, any -> new ConcurrentHashMap<>());
      last = new OpenSecond(now, second);
      if (open.size() > MOST_OPEN) {
        close();
      }
    }
    Series series = new Series(queue, type);
    Counts counts = second.get(series);
    if (counts == null) {
      // The number of series is limited, because each series is stored as one row per second.
      Series counted = second.size() < MOST_SERIES ? series : OTHERS;
      counts = second.computeIfAbsent(counted, any -> new Counts());
    }
    return counts;
  }

  private long second(long ahead) {
    return Math.floorDiv(nanoTime.getAsLong() + ahead, NANOS);
  }

  /** Closes the seconds that have ended, and forgets seconds that are older than five minutes. */
  synchronized void close() {
    Long ahead = offset;
    if (ahead == null) {
      return;
    }
    long now = second(ahead);
    for (Long second : List.copyOf(open.keySet())) {
      // If a second is in the future, the database's clock has been set back.
      if (second <= now - OPEN_SECONDS || second > now + 1) {
        Map<Series, Counts> counts = open.getOrDefault(second, Map.of());
        open.remove(second);
        if (last.second() == second) {
          // If the database's clock was set back, this second occurs again.
          last = OpenSecond.NONE;
        }
        counts.forEach((series, one) -> pending.add(one.tally(second, series)));
      }
    }
    pending.removeIf(tally -> tally.second() <= now - KEPT_SECONDS || tally.second() > now + 1);
    while (pending.size() > MOST_TALLIES) {
      pending.removeFirst();
    }
  }

  /** Returns the closed seconds that have not been stored yet. */
  synchronized List<SecondTally> pending() {
    return new ArrayList<>(pending);
  }

  /** Forgets the seconds that have been stored. */
  synchronized void stored(Collection<SecondTally> tallies) {
    Set<SecondTally> gone = new HashSet<>(tallies);
    pending.removeIf(gone::contains);
  }

  /** Forgets all seconds. */
  synchronized void clear() {
    open.clear();
    pending.clear();
    last = OpenSecond.NONE;
  }
}
