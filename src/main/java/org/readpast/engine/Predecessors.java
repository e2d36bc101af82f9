package org.readpast.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.readpast.api.JobState;
import org.readpast.model.Transition;
import org.readpast.store.DependencyStore;
import org.readpast.store.DependencyStore.Event;
import org.readpast.store.DependencyStore.Follower;
import org.readpast.store.DependencyStore.Undecided;
import org.readpast.store.Endings;
import org.readpast.store.ReleasedJobs;

/** Notifies followers, within one round of the resolver, of how their predecessors have ended. */
final class Predecessors {
  private final DependencyStore store;
  private final Endings endings;
  private final boolean all;
  private final int atOnce;
  private final Consumer<Collection<ReleasedJobs>> passed;
  private boolean came;
  private boolean more;

  /**
   * @param all true: check all predecessors that may have ended unnoticed; false: only new ones
   * @param passed receives the jobs whose predecessors have all ended
   */
  Predecessors(
      DependencyStore store,
      Endings endings,
      boolean all,
      int atOnce,
      Consumer<Collection<ReleasedJobs>> passed) {
    this.store = store;
    this.endings = endings;
    this.all = all;
    this.atOnce = atOnce;
    this.passed = passed;
  }

  /**
   * Prepares for another try.
   *
   * @param owed true if an earlier round has left followers unchecked
   */
  void clear(boolean owed) {
    came = owed;
  }

  /** Records that a job with predecessors was added. */
  void followerCame() {
    came = true;
  }

  /** Returns true if there are followers whose predecessors have not been checked. */
  boolean came() {
    return came;
  }

  /**
   * Notifies the followers of jobs that have ended, and looks for predecessors that have ended
   * unnoticed.
   *
   * @param cancelled jobs that this transaction has cancelled
   * @return true if another round is needed
   */
  boolean resolve(List<Event> events, Collection<Long> cancelled) {
    more = false;
    Map<Long, JobState> ends = new HashMap<>();
    Set<Long> reset = new HashSet<>();
    Set<Long> begun = new HashSet<>();
    for (Event event : events) {
      if (event.what() == DependencyStore.What.ENDED) {
        if (event.followed() || event.endState() != JobState.COMPLETED) {
          ends.put(event.jobId(), event.endState());
        }
        reset.remove(event.job());
      } else if (event.what() == DependencyStore.What.RESET) {
        ends.remove(event.jobId());
        reset.add(event.jobId());
        begun.add(event.jobId());
      } else if (event.what() == DependencyStore.What.RECHECK && event.state() != null) {
        ends.put(event.jobId(), event.state());
      }
    }
    cancelled.forEach(id -> ends.put(id, JobState.CANCELLED));
    // This includes jobs that have ended again: their followers are notified of the new end.
    store.awaitAgain(begun);
    Set<Long> bad = new HashSet<>(ends.keySet());
    bad.removeIf(id -> ends.get(id) == JobState.COMPLETED);
    store.rest(bad);
    answer(ends);
    came |= !reset.isEmpty();
    if (!all && !came) {
      return more;
    }
    long openAt = all ? store.checkWriters() : 0;
    List<Undecided> looks = store.lookAtPredecessors(atOnce, openAt, all);
    Map<Long, JobState> seen = new HashMap<>();
    for (Undecided look : looks) {
      if (look.ended() != null) {
        seen.put(look.predecessor(), look.ended());
      }
    }
    answer(seen);
    // A predecessor that was new or could be decided is read once, so another transaction continues
    // with the rest.
    more |= looks.size() >= atOnce;
    if (!reset.isEmpty()) {
      // The predecessors may have ended before it was visible that these jobs wait again.
      passed.accept(store.passPredecessors(reset));
    }
    return more;
  }

  /**
   * Notifies followers of how these jobs have ended, then the followers of the jobs that are
   * cancelled as a consequence. It stops after a number of cancellations, so that other ordered
   * work waits only briefly.
   */
  private void answer(Map<Long, JobState> ends) {
    Set<Long> touched = new HashSet<>();
    int cancelled = 0;
    Map<Long, JobState> next = ends;
    while (!next.isEmpty() && cancelled < atOnce) {
      Set<Long> unwanted = tell(next, touched);
      next = new HashMap<>();
      if (!unwanted.isEmpty()) {
        for (long id : endings.endWaiting(unwanted, Transition.CANCEL)) {
          next.put(id, JobState.CANCELLED);
        }
        cancelled += next.size();
        // The ends of these jobs are also stored as events, for the jobs that wait for a turn in
        // their group or wave.
        more |= !next.isEmpty();
      }
    }
    if (!touched.isEmpty()) {
      passed.accept(store.passPredecessors(touched));
    }
  }

  /** Returns the followers that are to be cancelled, and adds the other ones to {@code touched}. */
  private Set<Long> tell(Map<Long, JobState> ends, Set<Long> touched) {
    Set<Long> well = new HashSet<>();
    Map<Long, JobState> badly = new HashMap<>();
    ends.forEach(
        (id, state) -> {
          if (state == JobState.COMPLETED) {
            well.add(id);
          } else {
            badly.put(id, state);
          }
        });
    Set<Long> unwanted = new TreeSet<>();
    if (!well.isEmpty()) {
      List<Long> followers = store.endedWell(well, atOnce);
      touched.addAll(followers);
      more |= followers.size() == atOnce;
    }
    if (!badly.isEmpty()) {
      List<Follower> followers = store.endedBadly(badly, atOnce);
      for (Follower follower : followers) {
        (follower.cancelled() ? unwanted : touched).add(follower.id());
      }
      more |= followers.size() == atOnce;
    }
    return unwanted;
  }
}
