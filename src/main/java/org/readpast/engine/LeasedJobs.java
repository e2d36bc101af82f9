package org.readpast.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Ended;

/**
 * The jobs of one claim: those not yet started, those that the receiver works now, and ends not yet
 * acknowledged to the database. The receiver goes through them; the watch releases and acknowledges
 * in its place when one job takes long.
 */
final class LeasedJobs {
  private final Deque<ClaimedJob> waiting;
  // Behind a job that failed, or was not worked.
  private final List<ClaimedJob> leftOver = new ArrayList<>();
  private final List<ClaimedJob> current = new ArrayList<>();
  // More than six fields change: all that is known of the jobs of one claim, under one lock, as the
  // receiver and the watch both change it.
  private List<ClaimedJob> behindCurrent = List.of();
  private final ReentrantLock acknowledging = new ReentrantLock();
  private List<Ended> ended = new ArrayList<>();
  private List<Ended> onTheWay = List.of();
  private long oldestEnd;
  private final long claimed = System.nanoTime();
  private @Nullable Throwable lastFailure;
  private boolean left;
  private final long lease;
  private final int size;
  private final long bytes;
  private final Set<String> types;
  private final boolean grouped;
  private final @Nullable OpenWave wave;
  private final TypePlaces places;
  // Of which the database still says that they are leased here.
  private int open;

  /**
   * @param jobs of one claim
   * @param wave from which they were claimed as they waited, or null
   */
  LeasedJobs(List<ClaimedJob> jobs, @Nullable OpenWave wave) {
    this(jobs, wave, TypePlaces.NONE);
  }

  /**
   * @param places of the claim among those of limited types
   */
  LeasedJobs(List<ClaimedJob> jobs, @Nullable OpenWave wave, TypePlaces places) {
    this.wave = wave;
    this.places = places;
    waiting = new ArrayDeque<>(jobs);
    lease = jobs.get(0).lease();
    size = jobs.size();
    bytes = bytesOf(jobs);
    types = jobs.stream().map(ClaimedJob::type).collect(Collectors.toSet());
    grouped = jobs.stream().anyMatch(job -> job.group() != null);
    open = (int) jobs.stream().flatMap(ClaimedJob::all).count();
  }

  /** What the payloads of jobs take. */
  static long bytesOf(List<ClaimedJob> jobs) {
    return jobs.stream().flatMap(ClaimedJob::all).mapToLong(job -> job.payload().length()).sum();
  }

  /** The lease that names its jobs. */
  long lease() {
    return lease;
  }

  /** How many were claimed, without those behind others of their group. */
  int size() {
    return size;
  }

  /** The types of its jobs. */
  Set<String> types() {
    return types;
  }

  /** Gives up the places of limited types of which it has no job any more to work. */
  void keepPlaces() {
    places.keep(this::typesLeft);
  }

  private synchronized Set<String> typesLeft() {
    return Stream.concat(current.stream(), unbegun())
        .map(ClaimedJob::type)
        .collect(Collectors.toSet());
  }

  /**
   * Gives up the places of all limited types.
   *
   * @param looking its receiver looks for more by itself
   */
  void releasePlaces(boolean looking) {
    places.release(looking);
  }

  /** Returns true if some are in groups. */
  boolean grouped() {
    return grouped;
  }

  /** What the payloads of all its jobs take. */
  long bytes() {
    return bytes;
  }

  /** The number of jobs of which the database still says that they are leased here. */
  synchronized int open() {
    return open;
  }

  /** Returns true if the database knows that none of its jobs is leased here any more. */
  synchronized boolean through() {
    return open == 0;
  }

  /** So many have ended or were released, and the database knows. */
  synchronized void released(int jobs) {
    open -= jobs;
  }

  /**
   * A current one was recorded as failed or put off, and the database knows: with that the jobs
   * behind it were released, too.
   */
  synchronized void recorded(ClaimedJob job) {
    open -= 1 + takeBehind(job).size();
  }

  /** A current one is to be recorded later, or was taken over: it stays open. */
  synchronized void leaveBehind(ClaimedJob job) {
    leftOver.addAll(takeBehind(job));
  }

  /** A current one has succeeded, and the database knows: what is behind it comes next. */
  synchronized void through(ClaimedJob job) {
    through(takeBehind(job));
  }

  private void through(List<ClaimedJob> behind) {
    open--;
    if (!behind.isEmpty()) {
      waiting.add(ClaimedJob.inOrder(behind));
    }
  }

  /** What is still behind it: it may have been released meanwhile. */
  private List<ClaimedJob> takeBehind(ClaimedJob job) {
    List<ClaimedJob> behind = List.of();
    if (!current.isEmpty() && current.get(0).id() == job.id()) {
      behind = behindCurrent;
      behindCurrent = List.of();
    }
    return behind;
  }

  /** Takes the next job to work, in place of those before; null: none waits. */
  synchronized @Nullable ClaimedJob next() {
    // If the one before was not worked at all.
    leftOver.addAll(behindCurrent);
    behindCurrent = List.of();
    current.clear();
    return takeNext();
  }

  /** Takes the next job too if it is of the same type and nothing is behind it; null: it is not. */
  synchronized @Nullable ClaimedJob nextAlike(ClaimedJob one) {
    ClaimedJob job = waiting.peek();
    return job != null && job.type().equals(one.type()) && job.behind().isEmpty()
        ? takeNext()
        : null;
  }

  private @Nullable ClaimedJob takeNext() {
    ClaimedJob job = waiting.poll();
    if (job != null) {
      current.add(job);
      behindCurrent = job.behind();
    }
    return job;
  }

  /** Puts current jobs back that were not started after all. */
  synchronized void putBack(List<ClaimedJob> jobs) {
    current.removeAll(jobs);
    for (int i = jobs.size() - 1; i >= 0; i--) {
      waiting.addFirst(jobs.get(i));
    }
  }

  /** Returns true if what is behind an end that is not acknowledged comes next. */
  synchronized boolean more() {
    return Stream.concat(ended.stream(), onTheWay.stream()).anyMatch(Ended::followed);
  }

  /** Takes what has not started: each job with nothing behind it. */
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

  /** Returns true if jobs wait to be started for longer, or their receiver has left them. */
  synchronized boolean waitsLongerThan(long nanos, long now) {
    return (left || now - claimed > nanos) && unbegun().findAny().isPresent();
  }

  /** A current one has ended; the database does not know yet. */
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

  /** Returns true if ends wait to be acknowledged for longer, or their receiver has left them. */
  synchronized boolean pendingLongerThan(long nanos, long now) {
    return !ended.isEmpty() && (left || now - oldestEnd > nanos);
  }

  /** The receiver has gone; what is not acknowledged yet is left to the watch. */
  synchronized void leave() {
    left = true;
    leftOver.addAll(behindCurrent);
    behindCurrent = List.of();
    current.clear();
  }

  /** Returns true if the receiver itself has the settlement look at what has ended. */
  synchronized boolean keepQuiet(long now) {
    return !left && wave != null && wave.keepQuiet(now);
  }

  /** The receiver has worked what it claimed of a wave. */
  void putDown() {
    if (wave != null) {
      wave.putDown();
    }
  }

  /** Has the settlement look at the wave if the receiver is held up. */
  void lookAtWave(long now) {
    if (wave != null) {
      wave.look(now);
    }
  }

  /** Returns true if nothing is left to do for the receiver or the watch. */
  synchronized boolean finished() {
    return left && unbegun().findAny().isEmpty() && ended.isEmpty() && onTheWay.isEmpty();
  }

  /** Returns true if this claim of the job is held here. */
  synchronized boolean holds(long id, int claimNo) {
    return Stream.of(
            current.stream(),
            unbegun(),
            ended.stream().flatMap(end -> end.job().all()),
            onTheWay.stream().flatMap(end -> end.job().all()))
        .flatMap(jobs -> jobs)
        .anyMatch(job -> job.id() == id && job.claimNo() == claimNo);
  }

  /** The number of ends that are not acknowledged. */
  synchronized int pending() {
    return ended.size();
  }

  /** Takes ends to be acknowledged; no other thread does so until {@link #acknowledged}. */
  List<Ended> take() {
    acknowledging.lock();
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
   * Takes note of what the database knows now.
   *
   * @param owned those that it knows to have ended, and that were still leased here
   * @param failure why it does not know of the others, which stay to be acknowledged; null: they
   *     were lost
   */
  void acknowledged(Set<Long> owned, @Nullable Throwable failure) {
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
    acknowledging.unlock();
  }

  /** Why the ends could not be acknowledged the last time; null: they could. */
  synchronized @Nullable Throwable lastFailure() {
    return lastFailure;
  }
}
