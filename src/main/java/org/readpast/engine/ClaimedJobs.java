package org.readpast.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.dependency.OpenWave;
import org.readpast.store.ClaimedJob;
import org.readpast.store.EndedJob;
import org.readpast.store.ReleaseStore.Release;

/**
 * Holds the jobs of one claim: those that have not started, those that the receiver is running, and
 * those whose end has not been acknowledged in the database yet. The receiver runs the jobs in
 * order. If one job takes a long time, the watchdog releases and acknowledges the other jobs
 * instead of the receiver.
 *
 * <p>The jobs <em>behind</em> a job are the later jobs of its group that were leased with it. The
 * jobs behind a job run after that job has succeeded.
 */
final class ClaimedJobs {
  private final Deque<ClaimedJob> waiting;
  // Jobs that are released, because the previous job of their group failed or did not run, or
  // because another job caused the rollback of their transaction.
  private final List<ClaimedJob> toRelease = new ArrayList<>();
  // The ids of jobs that had started before they were released.
  private final Set<Long> undone = new HashSet<>();
  // Jobs that a thread is releasing in the database.
  private final Set<ClaimedJob> releasing = new HashSet<>();
  private final List<ClaimedJob> current = new ArrayList<>();
  // This class has more than six mutable fields: the state of all jobs of a claim is changed by the
  // receiver and the watchdog, under one lock.
  private List<ClaimedJob> nextAfterCurrent = List.of();
  private final ReentrantLock acknowledging = new ReentrantLock();
  private List<EndedJob> ended = new ArrayList<>();
  private List<EndedJob> beingAcknowledged = List.of();
  private long oldestEnd;
  private final long claimed = System.nanoTime();
  private @Nullable Throwable lastFailure;
  private boolean receiverLeft;
  private final long lease;
  private final long firstId;
  private final int size;
  private final long bytes;
  private final Set<String> types;
  private final boolean grouped;
  private final @Nullable OpenWave wave;
  private final TypeSlots slots;
  // The number of jobs of this claim that are still recorded as leased in the database.
  private int openInDatabase;

  /**
   * @param jobs the jobs of one claim
   * @param wave the open wave from which the jobs were claimed, or null
   * @param slots the slots that the claim holds, within the limits of job types
   */
  ClaimedJobs(List<ClaimedJob> jobs, @Nullable OpenWave wave, TypeSlots slots) {
    this.wave = wave;
    this.slots = slots;
    waiting = new ArrayDeque<>(jobs);
    lease = jobs.get(0).lease();
    firstId = jobs.get(0).id();
    size = jobs.size();
    bytes = jobs.stream().mapToLong(ClaimedJob::bytes).sum();
    types = jobs.stream().map(ClaimedJob::type).collect(Collectors.toSet());
    grouped = jobs.stream().anyMatch(job -> job.group() != null);
    openInDatabase = (int) jobs.stream().flatMap(ClaimedJob::all).count();
  }

  /** Returns the lease that contains the jobs. */
  long lease() {
    return lease;
  }

  /** Returns the id of the first job, even after that job has ended. */
  long firstId() {
    return firstId;
  }

  /** Returns the number of jobs claimed, without the jobs that are behind others. */
  int size() {
    return size;
  }

  Set<String> types() {
    return types;
  }

  /** Releases the slots of limited types of which no more jobs are to run. */
  void releaseUnneededSlots() {
    slots.retain(this::typesLeft);
  }

  private synchronized Set<String> typesLeft() {
    return Stream.concat(current.stream(), unstarted())
        .map(ClaimedJob::type)
        .collect(Collectors.toSet());
  }

  /**
   * Releases the slots of all limited types.
   *
   * @param scansAgain true if the receiver scans for more jobs by itself
   */
  void releaseSlots(boolean scansAgain) {
    slots.release(scansAgain);
  }

  /** Returns true if any of the jobs is in a group. */
  boolean grouped() {
    return grouped;
  }

  /** Returns the total size of the payloads and properties of the leased jobs. */
  long bytes() {
    return bytes;
  }

  /** Returns the number of leased jobs that are still recorded as leased in the database. */
  synchronized int openInDatabase() {
    return openInDatabase;
  }

  /** Returns true if no job of the lease is still recorded as leased in the database. */
  synchronized boolean allClosed() {
    return openInDatabase == 0;
  }

  /** Records that a number of leased jobs have been ended in the database. */
  synchronized void closed(int jobs) {
    openInDatabase -= jobs;
  }

  /**
   * Records that a current job has been stored as failed or postponed in the database. The jobs
   * behind it were released in the same transaction.
   */
  synchronized void recorded(ClaimedJob job) {
    openInDatabase -= 1 + takeNextInGroup(job).size();
    current.remove(job);
  }

  /**
   * Records that a current job is not ended here, because its outcome is recorded later or it was
   * taken over.
   */
  synchronized void leaveOpen(ClaimedJob job) {
    toRelease.addAll(takeNextInGroup(job));
  }

  /**
   * Records that a current job has been stored as succeeded in the database. The jobs behind the
   * current job may run now.
   */
  synchronized void succeeded(ClaimedJob job) {
    close(takeNextInGroup(job));
  }

  private void close(List<ClaimedJob> next) {
    openInDatabase--;
    if (!next.isEmpty()) {
      waiting.add(ClaimedJob.inOrder(next));
    }
  }

  /** Removes and returns the jobs behind a job; empty if they were released in the meantime. */
  private List<ClaimedJob> takeNextInGroup(ClaimedJob job) {
    List<ClaimedJob> next = List.of();
    if (!current.isEmpty() && current.get(0).id() == job.id()) {
      next = nextAfterCurrent;
      nextAfterCurrent = List.of();
    }
    return next;
  }

  /** Takes the next job to run, in place of the previous ones; returns null if no job waits. */
  synchronized @Nullable ClaimedJob next() {
    // If the previous job did not run at all, the jobs behind it have not been released yet.
    toRelease.addAll(nextAfterCurrent);
    nextAfterCurrent = List.of();
    current.clear();
    return takeNext();
  }

  /**
   * Takes another job to share the transaction, if the next job has the same type, and neither job
   * has jobs behind it or has started before; otherwise returns null. A job that fails again, such
   * as at the commit, thus fails alone on every node, and rolls back no other job.
   */
  synchronized @Nullable ClaimedJob nextAlike(ClaimedJob one) {
    ClaimedJob job = waiting.peek();
    return job != null
            && job.type().equals(one.type())
            && one.attempt() == 1
            && job.attempt() == 1
            && job.nextInGroup().isEmpty()
            && nextAfterCurrent.isEmpty()
        ? takeNext()
        : null;
  }

  private @Nullable ClaimedJob takeNext() {
    // The thread of an abandoned receiver may return, but no longer runs jobs.
    ClaimedJob job = receiverLeft ? null : waiting.poll();
    if (job != null) {
      current.add(job);
      nextAfterCurrent = job.nextInGroup();
    }
    return job;
  }

  /**
   * Makes current jobs wait again, because they were not started after all. Ignores jobs that were
   * taken from an abandoned receiver.
   */
  synchronized void putBack(List<ClaimedJob> notStarted) {
    List<ClaimedJob> jobs = notStarted.stream().filter(current::contains).toList();
    for (int i = jobs.size() - 1; i >= 0; i--) {
      ClaimedJob job = jobs.get(i);
      // The jobs behind the job follow it again, unless they were released in the meantime.
      List<ClaimedJob> all = new ArrayList<>(List.of(job.withoutNext()));
      all.addAll(takeNextInGroup(job));
      waiting.addFirst(ClaimedJob.inOrder(all));
    }
    current.removeAll(jobs);
  }

  /**
   * Returns true if there are jobs that may run after the end of another job has been acknowledged.
   */
  synchronized boolean hasJobsAfterPendingEnds() {
    return Stream.concat(ended.stream(), beingAcknowledged.stream())
        .anyMatch(EndedJob::continuesGroup);
  }

  /**
   * Takes the jobs that have not started or were rolled back because of another job, each without
   * the jobs behind it. The caller releases the jobs, and then calls {@link #released}.
   */
  synchronized List<ClaimedJob> takeWaiting() {
    List<ClaimedJob> all = unstarted().map(ClaimedJob::withoutNext).toList();
    waiting.clear();
    toRelease.clear();
    nextAfterCurrent = List.of();
    releasing.addAll(all);
    return all;
  }

  /** Records whether the taken jobs have been released. If not, they are taken again. */
  synchronized void released(List<ClaimedJob> taken, boolean done) {
    taken.forEach(releasing::remove);
    toRelease.addAll(done ? List.of() : taken);
    openInDatabase -= done ? taken.size() : 0;
  }

  private Stream<ClaimedJob> unstarted() {
    return Stream.of(
            waiting.stream().flatMap(ClaimedJob::all),
            nextAfterCurrent.stream(),
            toRelease.stream())
        .flatMap(jobs -> jobs);
  }

  /**
   * Returns true if jobs have waited to start for longer than the given time, or if their receiver
   * has left.
   */
  synchronized boolean waitsLongerThan(long nanos, long now) {
    return (receiverLeft || now - claimed > nanos) && unstarted().findAny().isPresent();
  }

  /** Records that a current job has ended. The end has not been recorded in the database yet. */
  synchronized void ended(EndedJob job) {
    if (ended.isEmpty()) {
      oldestEnd = System.nanoTime();
    }
    List<ClaimedJob> nextInGroup = takeNextInGroup(job.job());
    if (job.state() == JobState.COMPLETED && !nextInGroup.isEmpty()) {
      ended.add(job);
    } else {
      toRelease.addAll(nextInGroup);
      ended.add(job.withoutNext());
    }
  }

  /**
   * Returns true if ended jobs have waited to be acknowledged for longer than the given time, or if
   * their receiver has left.
   */
  synchronized boolean pendingLongerThan(long nanos, long now) {
    return !ended.isEmpty() && (receiverLeft || now - oldestEnd > nanos);
  }

  /** Records that the receiver has left. The watchdog acknowledges the jobs that have ended. */
  synchronized void leave() {
    receiverLeft = true;
    toRelease.addAll(nextAfterCurrent);
    nextAfterCurrent = List.of();
    current.clear();
  }

  /**
   * Records that the receiver was abandoned while it ran a job, whose outcome is recorded
   * separately. The watchdog releases the other current jobs, whose transaction is rolled back.
   * Ignored if the receiver has finished with the job in the meantime.
   */
  synchronized void abandon(ClaimedJob job) {
    int running = current.indexOf(job);
    if (running >= 0) {
      // The jobs before the job have started, except those that had expired.
      undo(current.subList(0, running).stream().filter(one -> !one.expired()).toList());
      current.remove(job);
      toRelease.addAll(current);
      leave();
    }
  }

  /**
   * Records that current jobs have started, and that their transaction was rolled back because of
   * another job. Ignores jobs that were taken from an abandoned receiver.
   */
  synchronized void undo(List<ClaimedJob> started) {
    for (ClaimedJob job : started) {
      if (current.remove(job)) {
        toRelease.add(job);
        undone.add(job.id());
      }
    }
  }

  /** Returns how a job that was taken is released. */
  synchronized Release releaseOf(ClaimedJob job) {
    return undone.contains(job.id()) ? Release.undone(job) : Release.unstarted(job);
  }

  /**
   * Returns true if the resolver need not be notified now that the jobs have ended, because it is
   * notified when all receivers have finished with the wave.
   */
  synchronized boolean deferResolverWakeUp(long now) {
    return !receiverLeft && wave != null && wave.deferResolverWakeUp(now);
  }

  /** Records that the receiver has run all jobs that it claimed from a wave. */
  void waveJobsFinished() {
    if (wave != null) {
      wave.release();
    }
  }

  /** If the receiver is delayed, notifies the resolver of the wave. */
  void wakeResolverIfLate(long now) {
    if (wave != null) {
      wave.wakeResolverIfLate(now);
    }
  }

  /** Returns true if neither the receiver nor the watchdog has anything left to do. */
  synchronized boolean finished() {
    return receiverLeft
        && unstarted().findAny().isEmpty()
        && releasing.isEmpty()
        && ended.isEmpty()
        && beingAcknowledged.isEmpty();
  }

  /** Returns true if the leased jobs include the given job with the given claim number. */
  synchronized boolean holds(long id, int claimNo) {
    return Stream.of(
            current.stream(),
            unstarted(),
            releasing.stream(),
            ended.stream().flatMap(end -> end.job().all()),
            beingAcknowledged.stream().flatMap(end -> end.job().all()))
        .flatMap(jobs -> jobs)
        .anyMatch(job -> job.id() == id && job.claimNo() == claimNo);
  }

  /** Returns the number of ended jobs that have not been acknowledged. */
  synchronized int pending() {
    return ended.size();
  }

  /**
   * Takes the ended jobs to acknowledge. No other thread can take them until {@link #acknowledged}
   * is called.
   */
  List<EndedJob> take() {
    acknowledging.lock();
    synchronized (this) {
      beingAcknowledged = ended;
      ended = new ArrayList<>();
      return beingAcknowledged;
    }
  }

  /** Returns the lease if it has no jobs left after the current acknowledgement; otherwise null. */
  synchronized @Nullable Long leaseEnding() {
    return openInDatabase == beingAcknowledged.size() ? Long.valueOf(lease) : null;
  }

  /**
   * Applies the result of an acknowledgement.
   *
   * @param owned the ids of the jobs that have been ended in the database and were still leased
   *     here
   * @param failure the cause if the other ends could not be acknowledged; these ends are kept and
   *     retried. If null, the jobs of these ends were lost
   */
  void acknowledged(Set<Long> owned, @Nullable Throwable failure) {
    synchronized (this) {
      List<EndedJob> again = new ArrayList<>();
      for (EndedJob end : beingAcknowledged) {
        if (owned.contains(end.job().id())) {
          close(end.job().nextInGroup());
        } else if (failure == null) {
          openInDatabase--;
          toRelease.addAll(end.job().nextInGroup());
        } else {
          again.add(end);
        }
      }
      ended.addAll(0, again);
      beingAcknowledged = List.of();
      lastFailure = again.isEmpty() ? null : failure;
    }
    acknowledging.unlock();
  }

  /** Returns the failure of the last acknowledgement; null if it succeeded. */
  synchronized @Nullable Throwable lastFailure() {
    return lastFailure;
  }
}
