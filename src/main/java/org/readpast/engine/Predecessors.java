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

/** What one round of the settlement tells those that come after other jobs. */
final class Predecessors {
  private final DependencyStore store;
  private final Endings endings;
  private final boolean all;
  private final int atOnce;
  private final Consumer<Collection<ReleasedJobs>> passed;
  private boolean came;
  private boolean more;

  /**
   * Of a round.
   *
   * @param all looks at all predecessors that may have ended unnoticed; else only at new ones
   * @param passed takes the jobs whose predecessors are all through
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
   * Before another try.
   *
   * @param owed whether a round before has left followers unlooked at
   */
  void clear(boolean owed) {
    came = owed;
  }

  /** A job that comes after others was added. */
  void followerCame() {
    came = true;
  }

  /** Whether there are followers whose predecessors nobody has looked at. */
  boolean came() {
    return came;
  }

  /**
   * Tells the followers of jobs that have ended, and looks for what has ended unnoticed.
   *
   * @param cancelled jobs that this transaction has cancelled
   * @return whether another round is needed
   */
  boolean settle(List<Event> events, Collection<Long> cancelled) {
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
      } else if (event.what() == DependencyStore.What.LOOK && event.state() != null) {
        ends.put(event.jobId(), event.state());
      }
    }
    cancelled.forEach(id -> ends.put(id, JobState.CANCELLED));
    // Also of those that have ended again: their followers are notified of that end.
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
    // What was new or could be decided is read once: another transaction continues with the rest.
    more |= looks.size() >= atOnce;
    if (!reset.isEmpty()) {
      // What they waited for may have ended before anybody could see that they wait again.
      passed.accept(store.passPredecessors(reset));
    }
    return more;
  }

  /**
   * Tells followers of jobs how these ended, and the followers of those that are cancelled for it,
   * so many that other ordered work waits for moments.
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
        // Their ends are also written down, for whoever waits for a turn in their group or wave.
        more |= !next.isEmpty();
      }
    }
    if (!touched.isEmpty()) {
      passed.accept(store.passPredecessors(touched));
    }
  }

  /** Returns the followers that are to be cancelled; adds the others to those touched. */
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
