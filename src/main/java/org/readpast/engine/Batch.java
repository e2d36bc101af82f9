package org.readpast.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Ended;

/**
 * The leases of one claim: jobs not yet started, and ends not yet told to the database. The
 * receiver goes through it; the watch gives back and tells in its place when one job takes long.
 */
final class Batch {
  private final Deque<ClaimedJob> waiting;
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
    open = jobs.size();
  }

  /** The lease that names its jobs. */
  long lease() {
    return lease;
  }

  /** Whether the database knows of each of its jobs that it is not its own any more. */
  synchronized boolean through() {
    return open == 0;
  }

  /** So many of its jobs are not its own any more, and the database knows. */
  synchronized void gone(int jobs) {
    open -= jobs;
  }

  synchronized @Nullable ClaimedJob next() {
    current = waiting.poll();
    return current;
  }

  synchronized List<ClaimedJob> takeWaiting() {
    List<ClaimedJob> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  synchronized boolean waitsLongerThan(long nanos, long now) {
    return !waiting.isEmpty() && now - claimed > nanos;
  }

  synchronized void ended(Ended job) {
    if (ended.isEmpty()) {
      oldestEnd = System.nanoTime();
    }
    ended.add(job);
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
    return left && waiting.isEmpty() && ended.isEmpty() && onTheWay.isEmpty();
  }

  synchronized boolean holds(long id, int claimNo) {
    // The current one may still wait for its turn.
    return Stream.of(
            Stream.ofNullable(current),
            waiting.stream(),
            ended.stream().map(Ended::job),
            onTheWay.stream().map(Ended::job))
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

  /** failure: why the database does not know; they stay to be told again. */
  void told(@Nullable Throwable failure) {
    synchronized (this) {
      if (failure == null) {
        open -= onTheWay.size();
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
