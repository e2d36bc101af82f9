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
  // Behind what did not end well, or was not worked.
  private final List<ClaimedJob> leftOver = new ArrayList<>();
  private @Nullable ClaimedJob current;
  private List<ClaimedJob> behindCurrent = List.of();
  private final ReentrantLock telling = new ReentrantLock();
  private List<Ended> ended = new ArrayList<>();
  private List<Ended> onTheWay = List.of();
  private long oldestEnd;
  private final long claimed = System.nanoTime();
  private @Nullable Throwable lastFailure;
  private boolean left;
  private final long lease;
  private final @Nullable OpenWave wave;
  private int open;

  /** jobs: of one claim. */
  Batch(List<ClaimedJob> jobs) {
    this(jobs, null);
  }

  /** wave: from which they were claimed as they waited, or null. */
  Batch(List<ClaimedJob> jobs, @Nullable OpenWave wave) {
    this.wave = wave;
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

  /** These were given back, and the database knows. */
  synchronized void givenBack(List<ClaimedJob> jobs) {
    open -= jobs.size();
  }

  /**
   * The current one has failed, and the database knows: with that what is behind it has gone back.
   */
  synchronized void recorded(ClaimedJob job) {
    open -= 1 + takeBehind(job).size();
  }

  /** The current one is to be recorded later, or is not its own any more: it stays open. */
  synchronized void leaveBehind(ClaimedJob job) {
    leftOver.addAll(takeBehind(job));
  }

  /** The current one has ended well, and the database knows: what is behind it comes next. */
  synchronized void through(ClaimedJob job) {
    through(takeBehind(job));
  }

  private void through(List<ClaimedJob> behind) {
    open--;
    if (!behind.isEmpty()) {
      waiting.add(ClaimedJob.inOrder(behind));
    }
  }

  /** What is behind it still: it may have been given back meanwhile. */
  private List<ClaimedJob> takeBehind(ClaimedJob job) {
    List<ClaimedJob> behind = List.of();
    if (current != null && current.id() == job.id()) {
      behind = behindCurrent;
      behindCurrent = List.of();
    }
    return behind;
  }

  synchronized @Nullable ClaimedJob next() {
    leaveCurrent();
    current = waiting.poll();
    if (current != null) {
      behindCurrent = current.behind();
    }
    return current;
  }

  private void leaveCurrent() {
    // If it was not worked at all.
    leftOver.addAll(behindCurrent);
    behindCurrent = List.of();
    current = null;
  }

  /** Whether something is behind those that have ended, once the database knows of that. */
  synchronized boolean more() {
    return Stream.concat(ended.stream(), onTheWay.stream()).anyMatch(Ended::followed);
  }

  /** What is not begun: each one, with nothing behind it. */
  synchronized List<ClaimedJob> takeWaiting() {
    List<ClaimedJob> all = unbegun().map(ClaimedJob::alone).toList();
    waiting.clear();
    leftOver.clear();
    behindCurrent = List.of();
    return all;
  }

  private Stream<ClaimedJob> unbegun() {
    return Stream.of(
            waiting.stream().flatMap(ClaimedJob::all), behindCurrent.stream(), leftOver.stream())
        .flatMap(jobs -> jobs);
  }

  synchronized boolean waitsLongerThan(long nanos, long now) {
    return unbegun().findAny().isPresent() && now - claimed > nanos;
  }

  synchronized void ended(Ended job) {
    if (ended.isEmpty()) {
      oldestEnd = System.nanoTime();
    }
    List<ClaimedJob> behind = takeBehind(job.job());
    if (job.state() == JobState.COMPLETED && !behind.isEmpty()) {
      ended.add(job);
    } else {
      leftOver.addAll(behind);
      ended.add(job.alone());
    }
  }

  synchronized boolean untoldLongerThan(long nanos, long now) {
    return !ended.isEmpty() && now - oldestEnd > nanos;
  }

  /** The receiver has gone; what is still untold is the watch's. */
  synchronized void leave() {
    left = true;
    leaveCurrent();
  }

  /** Whether its receiver has gone. */
  synchronized boolean left() {
    return left;
  }

  /** Some have ended: whether its receiver says when that is to be seen to. */
  synchronized boolean keepQuiet(long now) {
    return !left && wave != null && wave.keepQuiet(now);
  }

  /** Has that seen to if the receiver is held up. */
  void lookAtWave(long now) {
    if (wave != null) {
      wave.look(now);
    }
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
   * @param owned those of which the database knows, and that were still its own
   * @param failure why it does not know of the others, which stay to be told again; null: they were
   *     lost
   */
  void told(Set<Long> owned, @Nullable Throwable failure) {
    synchronized (this) {
      List<Ended> again = new ArrayList<>();
      for (Ended end : onTheWay) {
        if (owned.contains(end.job().id())) {
          through(end.job().behind());
        } else if (failure == null) {
          open--;
          leftOver.addAll(end.job().behind());
        } else {
          again.add(end);
        }
      }
      ended.addAll(0, again);
      onTheWay = List.of();
      lastFailure = again.isEmpty() ? null : failure;
    }
    telling.unlock();
  }

  /** Why the ends could not be told the last time; null: they could. */
  synchronized @Nullable Throwable lastFailure() {
    return lastFailure;
  }
}
