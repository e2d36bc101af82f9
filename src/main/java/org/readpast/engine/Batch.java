package org.readpast.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Ended;

/**
 * The leases of one claim: jobs not yet started, and ends not yet told to the database. The
 * receiver goes through it; the watch gives back and tells in its place when one job takes long.
 */
final class Batch {
  private final Deque<ClaimedJob> waiting;
  // Behind what did not end well.
  private final List<ClaimedJob> leftOver = new ArrayList<>();
  private @Nullable ClaimedJob current;
  private final ReentrantLock telling = new ReentrantLock();
  private List<Ended> ended = new ArrayList<>();
  private List<Ended> onTheWay = List.of();
  private long oldestEnd;
  private final long claimed = System.nanoTime();
  private @Nullable Throwable lastFailure;
  private boolean left;
  private final long lease;
  private int open;

  /** jobs: of one claim. */
  Batch(List<ClaimedJob> jobs) {
    waiting = new ArrayDeque<>(jobs);
    lease = jobs.get(0).lease();
    open = (int) jobs.stream().flatMap(ClaimedJob::all).count();
  }

  /** The lease that names its jobs. */
  long lease() {
    return lease;
  }

  /** Whether the database knows of each of its jobs that it is not its own any more. */
  synchronized boolean through() {
    return open == 0;
  }

  private int size(ClaimedJob job) {
    return 1 + stillBehind(job).size();
  }

  /** What is behind the current job may have been given back while that was in work. */
  private List<ClaimedJob> stillBehind(ClaimedJob job) {
    return current != null && current.id() == job.id() ? current.behind() : job.behind();
  }

  /** These are not its own any more, nor what is behind them, and the database knows. */
  synchronized void gone(List<ClaimedJob> jobs) {
    jobs.forEach(job -> open -= size(job));
  }

  /** This one has ended, or not: what is behind it is not worked after it. */
  synchronized void leaveBehind(ClaimedJob job) {
    leftOver.addAll(stillBehind(job));
    if (current != null && current.id() == job.id()) {
      current = null;
    }
  }

  /** This one has ended well, and the database knows: what is behind it comes next. */
  synchronized void through(ClaimedJob job) {
    open--;
    List<ClaimedJob> behind = stillBehind(job);
    if (!behind.isEmpty()) {
      waiting.add(ClaimedJob.inOrder(behind));
    }
    if (current != null && current.id() == job.id()) {
      current = null;
    }
  }

  synchronized @Nullable ClaimedJob next() {
    current = waiting.poll();
    return current;
  }

  /** Whether something is behind those that have ended, once the database knows of that. */
  synchronized boolean more() {
    return ended.stream().anyMatch(Ended::followed);
  }

  /** What is not begun: each one, with nothing behind it. */
  synchronized List<ClaimedJob> takeWaiting() {
    List<ClaimedJob> all = unbegun().map(ClaimedJob::alone).toList();
    waiting.clear();
    leftOver.clear();
    current = current == null ? null : current.alone();
    return all;
  }

  private Stream<ClaimedJob> unbegun() {
    Stream<ClaimedJob> behindCurrent = current == null ? Stream.empty() : current.behind().stream();
    return Stream.of(behindCurrent, waiting.stream().flatMap(ClaimedJob::all), leftOver.stream())
        .flatMap(jobs -> jobs);
  }

  synchronized boolean waitsLongerThan(long nanos, long now) {
    return unbegun().findAny().isPresent() && now - claimed > nanos;
  }

  synchronized void ended(Ended job) {
    if (ended.isEmpty()) {
      oldestEnd = System.nanoTime();
    }
    if (current != null && current.id() == job.job().id()) {
      ended.add(job.as(current));
      current = null;
    } else {
      ended.add(job);
    }
  }

  synchronized boolean untoldLongerThan(long nanos, long now) {
    return !ended.isEmpty() && now - oldestEnd > nanos;
  }

  /** The receiver has gone; what is still untold is the watch's. */
  synchronized void leave() {
    left = true;
    current = null;
  }

  /** Whether its receiver has gone. */
  synchronized boolean left() {
    return left;
  }

  synchronized boolean finished() {
    return left && unbegun().findAny().isEmpty() && ended.isEmpty() && onTheWay.isEmpty();
  }

  synchronized boolean holds(long id, int claimNo) {
    // The current one may still wait for its turn.
    return Stream.of(
            Stream.ofNullable(current),
            unbegun(),
            ended.stream().flatMap(end -> end.job().all()),
            onTheWay.stream().flatMap(end -> end.job().all()))
        .flatMap(jobs -> jobs)
        .anyMatch(job -> job.id() == id && job.claimNo() == claimNo);
  }

  synchronized int untold() {
    return ended.size();
  }

  /** Ends to be told; nobody else tells this batch until {@link #told}. */
  List<Ended> take() {
    telling.lock();
    synchronized (this) {
      onTheWay = ended;
      ended = new ArrayList<>();
      return onTheWay;
    }
  }

  /** The lease, if nothing is left of it once the database knows of those that are on the way. */
  synchronized @Nullable Long leaseEnding() {
    return open == onTheWay.size() ? Long.valueOf(lease) : null;
  }

  /**
   * @param owned those that were still its own
   * @param failure why the database does not know; they stay to be told again
   */
  void told(Set<Long> owned, @Nullable Throwable failure) {
    synchronized (this) {
      if (failure == null) {
        for (Ended end : onTheWay) {
          if (end.state() == JobState.COMPLETED && owned.contains(end.job().id())) {
            through(end.job());
          } else {
            open--;
            leaveBehind(end.job());
          }
        }
      } else {
        ended.addAll(0, onTheWay);
      }
      onTheWay = List.of();
      lastFailure = failure;
    }
    telling.unlock();
  }

  /** Why the ends could not be told the last time; null: they could. */
  synchronized @Nullable Throwable lastFailure() {
    return lastFailure;
  }
}
