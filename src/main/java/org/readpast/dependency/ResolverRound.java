package org.readpast.dependency;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.dependency.DependencyStore.Event;
import org.readpast.dependency.DependencyStore.EventKind;
import org.readpast.dependency.DependencyStore.Group;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.Transition;
import org.readpast.store.JobEndStore;
import org.readpast.store.Wave;

/**
 * Executes one transaction of the dependency resolver. A round reads which jobs were added and
 * which events have occurred, and checks everything that they affect: first predecessors, then
 * waves, then groups.
 */
final class ResolverRound {
  private static final int LIMIT = 1_000;

  // Ending a job takes about twice as long as releasing it.
  private static final int CANCEL_LIMIT = 500;

  private final DependencyStore store;
  private final HoldStore holdStore;
  private final JobEndStore jobEnds;
  private final Enqueues enqueues;
  private final ReceiverSignals signals;
  private final boolean all;
  private final boolean owesCheck;

  /** Contains the batches whose jobs may be ready to run, or are to be cancelled. */
  private final Set<Long> batches = new TreeSet<>();

  /** Contains the batches in which jobs have done something other than succeed. */
  private final Set<Long> changed = new TreeSet<>();

  private final Set<Group> groups = new HashSet<>();

  /** Contains the group of each RECHECK event, so a group may occur several times. */
  private final List<Group> recheckedGroups = new ArrayList<>();

  private final Holds holds = new Holds();
  private final List<AlikeJobs> releasedJobs = new ArrayList<>();
  private final List<QueueLane> callbackArrivals = new ArrayList<>();
  private final Predecessors predecessors;
  private final Waves waves;
  private boolean more;
  private boolean moreEvents;

  /**
   * @param all true to check all predecessors that may have ended unnoticed, false to check only
   *     new ones
   * @param owesCheck true if an earlier round has left new predecessors unchecked
   */
  ResolverRound(
      DependencyStore store,
      WaveStore waveStore,
      HoldStore holdStore,
      JobEndStore jobEnds,
      Enqueues enqueues,
      ReceiverSignals signals,
      Waves.OpenedWaves open,
      boolean all,
      boolean owesCheck) {
    this.store = store;
    this.holdStore = holdStore;
    this.jobEnds = jobEnds;
    this.enqueues = enqueues;
    this.signals = signals;
    this.all = all;
    this.owesCheck = owesCheck;
    this.predecessors = new Predecessors(store, jobEnds, all, LIMIT, this::recordReleased);
    this.waves = new Waves(waveStore, signals, open, LIMIT, this::recordReleased);
  }

  /** Returns true if the next round must check new predecessors even if no follower was added. */
  boolean owesCheck() {
    return more && predecessors.hasUnchecked();
  }

  /** Returns true if another round is needed. */
  boolean more() {
    return more;
  }

  /** Prepares for a repetition of the round. */
  void clear() {
    batches.clear();
    changed.clear();
    groups.clear();
    recheckedGroups.clear();
    holds.clear();
    releasedJobs.clear();
    waves.clear();
    callbackArrivals.clear();
    predecessors.clear(owesCheck);
    more = false;
  }

  /**
   * Runs the round. Call this method in the transaction, while the lock is held, and call {@link
   * #announce()} after the commit.
   *
   * @param hasUnseen true if jobs were added that no round has registered
   */
  void run(boolean hasUnseen) {
    List<AlikeJobs> added = hasUnseen ? store.takeUnseen(LIMIT) : List.of();
    added.forEach(this::added);
    DependencyStore.Events taken = store.takeEvents(LIMIT);
    List<Event> events = taken.all();
    moreEvents = taken.more();
    // A RECHECK event of a group or a wave may be renewed in each round, so it does not by itself
    // cause another round, unless releaseGroups renews fewer of them.
    more =
        moreEvents
            && events.stream()
                .anyMatch(
                    e -> e.kind() != EventKind.RECHECK || (e.group() == null && e.wave() == null));
    // Groups are processed last: if the predecessors of a job have ended, it runs before jobs that
    // were added to its group later.
    List<Long> cancelled = applyEvents(events);
    more |= predecessors.resolve(events, cancelled);
    if (AlikeJobs.jobs(added) == LIMIT) {
      // While many added jobs are not registered, the search for the lowest wave of a batch would
      // read all of them, so waves are left to a later round. Groups and followers continue.
      more = true;
      store.requestCheck(waves.leave(batches));
      releaseGroups();
      return;
    }
    cancelBatches();
    more |= waves.releaseOrOpen(batches);
    releaseGroups();
    finish();
  }

  private void added(AlikeJobs job) {
    Long batch = job.batch();
    Integer wave = job.wave();
    if (batch != null && wave != null) {
      batches.add(batch);
      waves.change(batch, wave).live(job.jobs());
    }
    if ("GROUP".equals(job.waitsFor())) {
      inGroup(job);
    }
    if ("PREDECESSOR".equals(job.waitsFor())) {
      predecessors.followerAdded();
    }
  }

  private void inGroup(AlikeJobs job) {
    String group = job.group();
    if (group != null) {
      groups.add(new Group(job.queue(), group));
    }
  }

  /** Applies the events, and returns the jobs that were cancelled. */
  private List<Long> applyEvents(List<Event> events) {
    Set<Wave> recheckedWaves = new HashSet<>();
    Set<Long> discarded = new HashSet<>();
    Set<Long> sealed = new HashSet<>();
    Set<Long> cancelled = new HashSet<>();
    Set<Long> cancelledJobs = new TreeSet<>();
    Set<Long> held = new HashSet<>();
    Set<Long> released = new HashSet<>();
    for (Event event : events) {
      Long batch = event.batch();
      Group group = groupOf(event);
      if (batch != null) {
        if (event.kind() == EventKind.RECHECK && event.wave() != null) {
          recheckedWaves.add(new Wave(batch, event.wave()));
        } else if (event.kind() != EventKind.ENDED || event.state() != JobState.COMPLETED) {
          changed.add(batch);
        }
      }
      if (group != null) {
        groups.add(group);
        if (event.kind() == EventKind.RECHECK) {
          recheckedGroups.add(group);
        }
      }
      switch (event.kind()) {
        case ENDED -> {
          if (batch != null && event.state() == JobState.DISCARDED) {
            discarded.add(batch);
          }
          // A cancellation that was requested before the job ended must not cancel the job after a
          // reset.
          if (event.job() != null) {
            cancelledJobs.remove(event.job());
          }
          ended(event);
        }
        case RESET -> {
          holds.reset(event.jobId());
          if (batch != null && event.wave() != null) {
            waves.change(batch, event.wave()).ended(event.endState(), -1);
          }
        }
        case SKIP -> {
          if (event.job() != null) {
            holds.deleted(event.job());
          } else if (batch != null) {
            holds.skip(batch);
          } else if (group != null) {
            holds.skip(group);
          }
        }
        case HOLD -> {
          held.add(Objects.requireNonNull(batch));
          released.remove(batch);
        }
        case RELEASE -> {
          released.add(Objects.requireNonNull(batch));
          held.remove(batch);
        }
        case SEAL -> sealed.add(Objects.requireNonNull(batch));
        case CANCEL -> {
          if (batch != null) {
            cancelled.add(batch);
          } else {
            cancelledJobs.add(event.jobId());
          }
        }
        case RECHECK -> {}
      }
    }
    store.seal(sealed);
    store.hold(held);
    store.release(released);
    holds.store(holdStore);
    waves.count();
    batches.addAll(changed);
    waves.recheck(recheckedWaves);
    store.cancel(cancelled);
    store.cancelDiscarded(discarded);
    List<Long> ended = cancelJobs(cancelledJobs);
    more |= !ended.isEmpty();
    return ended;
  }

  private static @Nullable Group groupOf(Event event) {
    String queue = event.queue();
    String group = event.group();
    return queue == null || group == null ? null : new Group(queue, group);
  }

  private void ended(Event event) {
    Long batch = event.batch();
    Integer wave = event.wave();
    if (batch != null && wave != null) {
      WaveChange change = waves.change(batch, wave);
      change.ended(event.endState(), event.jobs());
      if (event.counted()) {
        change.live(-event.jobs());
      }
    }
    holds.ended(event);
  }

  private List<Long> cancelJobs(Set<Long> jobs) {
    List<Long> locked = jobs.isEmpty() ? List.of() : store.lockToCancel(jobs);
    return locked.isEmpty() ? locked : jobEnds.endWaiting(locked, Transition.CANCEL);
  }

  /** Records jobs that now wait for something else, or no longer wait. */
  private void recordReleased(Collection<AlikeJobs> jobs) {
    for (AlikeJobs job : jobs) {
      if (job.waitsFor() == null) {
        releasedJobs.add(job);
      } else if (job.waitsFor().equals("GROUP")) {
        inGroup(job);
      } else if (job.batch() != null) {
        batches.add(job.batch());
      }
    }
  }

  private void cancelBatches() {
    if (batches.isEmpty()) {
      return;
    }
    List<Long> cancelling = store.cancelling(batches);
    if (cancelling.isEmpty()) {
      return;
    }
    List<DependencyStore.Member> members = store.toCancel(cancelling, CANCEL_LIMIT);
    if (!members.isEmpty()) {
      jobEnds.endWaiting(
          members.stream().map(DependencyStore.Member::id).toList(), Transition.CANCEL);
      // The batch is checked again, because this round may not have reached all of its jobs.
      store.requestCheck(cancelling);
      // Receivers may have claimed some of the jobs since the previous round.
      store.requestCancellationOfLeased(cancelling);
      more = true;
    } else {
      // Other transactions have locked the remaining rows. The remaining jobs need no immediate
      // retry, but must be checked again later. Jobs that were claimed directly from an open wave
      // in the meantime must also be checked again later.
      store.requestCheck(store.stillToCancel(cancelling));
      store.requestCancellation(cancelling);
    }
  }

  private void releaseGroups() {
    if (!recheckedGroups.isEmpty()) {
      // A receiver that continues with the next job of its group sends no event, although the
      // resolver may have released that job in the meantime. A check is therefore requested before
      // the release, which then sees every job that ended before it.
      // If fewer events are requested than were taken, the rounds reach the end of the events.
      int renewed = store.requestGroupCheck(recheckedGroups);
      more |= moreEvents && renewed < recheckedGroups.size();
    }
    if (!groups.isEmpty()) {
      recordReleased(store.releaseGroups(groups));
    }
  }

  private void finish() {
    if (!changed.isEmpty()) {
      enqueueCallbacks(store.withDiscarded(changed), "DISCARD");
    }
    Set<Long> ended = waves.maybeFinished(changed);
    if (ended.isEmpty() && !all) {
      return;
    }
    List<Long> closed = store.lockFinishable(ended);
    if (!closed.isEmpty()) {
      List<DependencyStore.FinishedBatch> finished = store.finish(closed);
      enqueueCallbacks(
          finished.stream().map(DependencyStore.FinishedBatch::batch).toList(), "FINISH");
      enqueueCallbacks(
          finished.stream()
              .filter(DependencyStore.FinishedBatch::succeeded)
              .map(DependencyStore.FinishedBatch::batch)
              .toList(),
          "SUCCESS");
    }
  }

  private void enqueueCallbacks(Collection<Long> of, String event) {
    DependencyStore.DueCallbacks due;
    do {
      due = store.takeCallbacks(of, event);
      for (DependencyStore.DueCallback callback : due.some()) {
        store.recordCallbackJob(callback.id(), enqueue(callback));
        callbackArrivals.add(QueueLane.of(callback.job()));
      }
    } while (due.more());
  }

  private long enqueue(DependencyStore.DueCallback callback) {
    Long reserved = callback.reserved();
    if (reserved == null) {
      return enqueues.insert(List.of(callback.job())).get(0).id();
    }
    enqueues.insertAsStored(callback.job(), reserved);
    return reserved;
  }

  /** Wakes receivers for the jobs that were released. */
  void announce() {
    waves.announce();
    QueueLane.ArrivalCounts arrivals = new QueueLane.ArrivalCounts();
    for (AlikeJobs job : releasedJobs) {
      if (job.state() == JobState.AVAILABLE) {
        arrivals.add(new QueueLane(job.queue(), job.type(), job.priority()), job.jobs());
      } else {
        signals.dueIn(Duration.between(Instant.now(), job.availableAt()));
      }
    }
    callbackArrivals.forEach(lane -> arrivals.add(lane, 1));
    arrivals.announce(signals::jobsAvailable);
  }
}
