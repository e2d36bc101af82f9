package org.readpast.engine;

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
import org.readpast.model.NewJob;
import org.readpast.model.Transition;
import org.readpast.store.DependencyStore;
import org.readpast.store.DependencyStore.Event;
import org.readpast.store.DependencyStore.Group;
import org.readpast.store.DependencyStore.What;
import org.readpast.store.Endings;
import org.readpast.store.Enqueues;
import org.readpast.store.Holding;
import org.readpast.store.ReleasedJobs;
import org.readpast.store.WaveChange;
import org.readpast.store.WaveStore;

/**
 * One transaction of the settlement: takes note of what was added and of what has happened, and
 * looks at everything anew that these touch: predecessors first, then waves, then groups.
 */
final class ResolverRound {
  private static final int AT_ONCE = 1_000;

  // To end a job takes about twice as long as to release it.
  private static final int CANCELLED_AT_ONCE = 500;

  private final DependencyStore store;
  private final Holding holding;
  private final Endings endings;
  private final Enqueues enqueues;
  private final WakeUps wakeUps;
  private final boolean all;
  private final boolean owesLook;

  /** Of which jobs may go on, or are to be cancelled. */
  private final Set<Long> batches = new TreeSet<>();

  /** To which more has happened than that jobs went well. */
  private final Set<Long> changed = new TreeSet<>();

  private final Set<Group> groups = new HashSet<>();
  private final Set<Group> lookedAt = new HashSet<>();
  private final Holds holds = new Holds();
  private final List<ReleasedJobs> freed = new ArrayList<>();
  private final List<NewJob> called = new ArrayList<>();
  private final Predecessors predecessors;
  private final Waves waves;
  private boolean more;

  /**
   * A round of its own transaction.
   *
   * @param all looks at all predecessors that may have ended unnoticed; else only at new ones
   * @param owesLook whether a round before has left new ones unlooked at
   */
  ResolverRound(
      DependencyStore store,
      WaveStore waveStore,
      Holding holding,
      Endings endings,
      Enqueues enqueues,
      WakeUps wakeUps,
      Waves.Open open,
      boolean all,
      boolean owesLook) {
    this.store = store;
    this.holding = holding;
    this.endings = endings;
    this.enqueues = enqueues;
    this.wakeUps = wakeUps;
    this.all = all;
    this.owesLook = owesLook;
    this.predecessors = new Predecessors(store, endings, all, AT_ONCE, this::passed);
    this.waves = new Waves(waveStore, wakeUps, open, AT_ONCE, this::passed);
  }

  /** Whether the next round is to look at new predecessors although it meets none. */
  boolean owesLook() {
    return more && predecessors.came();
  }

  /** Whether another round is needed. */
  boolean more() {
    return more;
  }

  /** Before another try. */
  void clear() {
    batches.clear();
    changed.clear();
    groups.clear();
    lookedAt.clear();
    holds.clear();
    freed.clear();
    waves.clear();
    called.clear();
    predecessors.clear(owesLook);
    more = false;
  }

  /**
   * To be called in the transaction, under the lock; {@link #tell()} after its commit.
   *
   * @param jobsCame whether there are any of which nobody has taken note
   */
  void settle(boolean jobsCame) {
    List<ReleasedJobs> added = jobsCame ? store.takeAdded(AT_ONCE) : List.of();
    added.forEach(this::added);
    if (ReleasedJobs.jobs(added) == AT_ONCE) {
      // No wave may start before all that was added is counted; but what is counted is settled.
      more = true;
      waves.count();
      store.lookAgain(batches);
      passGroups();
      return;
    }
    DependencyStore.Events taken = store.takeEvents(AT_ONCE);
    List<Event> events = taken.all();
    // A group or a wave that is to be looked at may have to be looked at again and again.
    more =
        taken.more()
            && events.stream()
                .anyMatch(e -> e.what() != What.LOOK || (e.group() == null && e.wave() == null));
    // Who goes on in a group is said last, when all else is known: a job that is through with its
    // predecessors goes before those that were added after it.
    List<Long> cancelled = happened(events);
    more |= predecessors.settle(events, cancelled);
    cancel();
    more |= waves.pass(batches);
    passGroups();
    finish();
  }

  private void added(ReleasedJobs job) {
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
      predecessors.followerCame();
    }
  }

  private void inGroup(ReleasedJobs job) {
    String group = job.group();
    if (group != null) {
      groups.add(new Group(job.queue(), group));
    }
  }

  /** Returns the jobs that it has cancelled. */
  private List<Long> happened(List<Event> events) {
    Set<Long> looked = new HashSet<>();
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
        if (event.what() == What.LOOK && event.wave() != null) {
          looked.add(batch);
        } else if (event.what() != What.ENDED || event.state() != JobState.COMPLETED) {
          changed.add(batch);
        }
      }
      if (group != null) {
        groups.add(group);
        if (event.what() == What.LOOK) {
          lookedAt.add(group);
        }
      }
      switch (event.what()) {
        case ENDED -> {
          if (batch != null && event.state() == JobState.DISCARDED) {
            discarded.add(batch);
          }
          // A wish from before it ended must not end its next life.
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
            holds.gone(event.job());
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
        case LOOK -> {}
      }
    }
    store.seal(sealed);
    store.hold(held);
    store.release(released);
    holds.store(holding);
    waves.count();
    batches.addAll(changed);
    waves.lookAt(looked);
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
    return locked.isEmpty() ? locked : endings.endWaiting(locked, Transition.CANCEL);
  }

  /** These wait for something else now, or for nothing any more. */
  private void passed(Collection<ReleasedJobs> jobs) {
    for (ReleasedJobs job : jobs) {
      if (job.waitsFor() == null) {
        freed.add(job);
      } else if (job.waitsFor().equals("GROUP")) {
        inGroup(job);
      } else if (job.batch() != null) {
        batches.add(job.batch());
      }
    }
  }

  private void cancel() {
    if (batches.isEmpty()) {
      return;
    }
    List<Long> cancelling = store.cancelling(batches);
    if (cancelling.isEmpty()) {
      return;
    }
    List<DependencyStore.Member> members = store.toCancel(cancelling, CANCELLED_AT_ONCE);
    if (!members.isEmpty()) {
      endings.endWaiting(
          members.stream().map(DependencyStore.Member::id).toList(), Transition.CANCEL);
      // What was not reached this time must not be forgotten; of some batches that is all.
      store.lookAgain(cancelling);
      // Receivers may have claimed some since the piece before.
      store.askLeasedToEnd(cancelling);
      more = true;
    } else {
      // Somebody holds their rows: not at once, but they must not be forgotten. Nor what was
      // claimed straight from its wave while that was said.
      store.lookAgain(store.stillToCancel(cancelling));
      store.askToEnd(cancelling);
    }
  }

  private void passGroups() {
    if (!lookedAt.isEmpty()) {
      // Who goes on in one by himself tells nobody, although what he goes on with may have been
      // given back meanwhile. First: what ends after this is seen by the next statement.
      store.lookAgainAtGroups(lookedAt);
    }
    if (!groups.isEmpty()) {
      passed(store.passGroups(groups));
    }
  }

  private void finish() {
    if (!changed.isEmpty()) {
      call(store.withDiscarded(changed), "DISCARD");
    }
    Set<Long> ended = waves.perhapsThrough(changed);
    if (ended.isEmpty() && !all) {
      return;
    }
    List<Long> closed = store.sealedAndClosed(ended);
    if (!closed.isEmpty()) {
      List<DependencyStore.Through> through = store.through(closed);
      call(through.stream().map(DependencyStore.Through::batch).toList(), "FINISH");
      call(
          through.stream()
              .filter(DependencyStore.Through::well)
              .map(DependencyStore.Through::batch)
              .toList(),
          "SUCCESS");
    }
  }

  private void call(Collection<Long> of, String event) {
    for (DependencyStore.Call call : store.call(of, event)) {
      long id = enqueued(call);
      store.called(call.id(), id);
      called.add(call.job());
    }
  }

  private long enqueued(DependencyStore.Call call) {
    Long reserved = call.reserved();
    if (reserved == null) {
      return enqueues.insert(List.of(call.job())).get(0).id();
    }
    enqueues.insertAsStored(call.job(), reserved);
    return reserved;
  }

  /** Wakes who can work what was let go. */
  void tell() {
    waves.tell();
    Arrival.Count arrivals = new Arrival.Count();
    for (ReleasedJobs job : freed) {
      if (job.state() == JobState.AVAILABLE) {
        arrivals.add(new Arrival(job.queue(), job.type(), job.priority()), job.jobs());
      } else {
        wakeUps.dueIn(Duration.between(Instant.now(), job.availableAt()));
      }
    }
    called.forEach(job -> arrivals.add(Arrival.of(job), 1));
    arrivals.tell(wakeUps::jobsCame);
  }
}
