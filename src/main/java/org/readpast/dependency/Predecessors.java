package org.readpast.dependency;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.readpast.api.JobState;
import org.readpast.dependency.DependencyStore.Event;
import org.readpast.dependency.DependencyStore.Follower;
import org.readpast.dependency.DependencyStore.PredecessorState;
import org.readpast.model.Transition;
import org.readpast.store.JobEndStore;

/** Notifies followers, during one round of the resolver, of how their predecessors have ended. */
final class Predecessors {
  // In a chain, each level cancels only one job, by two statements. A round notifies followers
  // twice.
  private static final int MAX_LEVELS = 25;

  private final DependencyStore store;
  private final JobEndStore jobEnds;
  private final boolean all;
  private final int limit;
  private final Consumer<Collection<AlikeJobs>> released;
  private boolean hasUnchecked;
  private boolean more;

  /**
   * @param all true to check all predecessors that may have ended unnoticed, false to check only
   *     new ones
   * @param released receives the jobs whose predecessors have all ended
   */
  Predecessors(
      DependencyStore store,
      JobEndStore jobEnds,
      boolean all,
      int limit,
      Consumer<Collection<AlikeJobs>> released) {
    this.store = store;
    this.jobEnds = jobEnds;
    this.all = all;
    this.limit = limit;
    this.released = released;
  }

  /**
   * Prepares for a repetition of the round.
   *
   * @param owed true if an earlier round has left followers unchecked
   */
  void clear(boolean owed) {
    hasUnchecked = owed;
  }

  /** Records that a job with predecessors was added. */
  void followerAdded() {
    hasUnchecked = true;
  }

  /** Returns true if there are followers whose predecessors have not been checked. */
  boolean hasUnchecked() {
    return hasUnchecked;
  }

  /**
   * Notifies the followers of jobs that have ended, and searches for predecessors that have ended
   * unnoticed.
   *
   * @param cancelled jobs that this transaction has cancelled
   * @return true if another round is needed
   */
  boolean resolve(List<Event> events, Collection<Long> cancelled) {
    more = false;
    Map<Long, JobState> ends = new HashMap<>();
    Set<Long> reset = new HashSet<>();
    Set<Long> everReset = new HashSet<>();
    for (Event event : events) {
      if (event.kind() == DependencyStore.EventKind.ENDED) {
        if (event.followed() || event.endState() != JobState.COMPLETED) {
          ends.put(event.jobId(), event.endState());
        }
        reset.remove(event.job());
      } else if (event.kind() == DependencyStore.EventKind.RESET) {
        ends.remove(event.jobId());
        reset.add(event.jobId());
        everReset.add(event.jobId());
      } else if (event.kind() == DependencyStore.EventKind.RECHECK && event.state() != null) {
        ends.put(event.jobId(), event.state());
      }
    }
    cancelled.forEach(id -> ends.put(id, JobState.CANCELLED));
    // Jobs that were reset and have ended again are included, so that their followers are notified
    // of the new outcome.
    store.awaitAgain(everReset);
    Set<Long> unsuccessful = new HashSet<>(ends.keySet());
    unsuccessful.removeIf(id -> ends.get(id) == JobState.COMPLETED);
    store.stopChecking(unsuccessful);
    notifyFollowers(ends);
    hasUnchecked |= !reset.isEmpty();
    if (!all && !hasUnchecked) {
      return more;
    }
    long openAt = all ? store.checkWriters() : 0;
    List<PredecessorState> checked = store.checkPredecessors(limit, openAt, all);
    Map<Long, JobState> endedUnnoticed = new HashMap<>();
    for (PredecessorState predecessor : checked) {
      if (predecessor.ended() != null) {
        endedUnnoticed.put(predecessor.predecessor(), predecessor.ended());
      }
    }
    notifyFollowers(endedUnnoticed);
    // Each predecessor was read only once, so its other followers are left to a further
    // transaction.
    more |= checked.size() >= limit;
    if (!reset.isEmpty()) {
      // The predecessors may have ended before these jobs were visible as waiting again.
      released.accept(store.releaseAfterPredecessors(reset));
    }
    return more;
  }

  /**
   * Notifies the followers of the given jobs of how these have ended, then the followers of the
   * jobs that are cancelled as a consequence. The method stops after a number of cancellations or
   * levels, so that other ordered jobs wait only briefly; a further round continues.
   */
  private void notifyFollowers(Map<Long, JobState> ends) {
    Set<Long> touched = new HashSet<>();
    int cancelled = 0;
    Map<Long, JobState> next = ends;
    for (int level = 0; level < MAX_LEVELS && !next.isEmpty() && cancelled < limit; level++) {
      Set<Long> unwanted = notifyOnce(next, touched);
      next = new HashMap<>();
      if (!unwanted.isEmpty()) {
        for (long id : jobEnds.endWaiting(unwanted, Transition.CANCEL)) {
          next.put(id, JobState.CANCELLED);
        }
        cancelled += next.size();
        // Cancelled jobs are also stored as ended in the events, for jobs that wait for their group
        // or wave.
        more |= !next.isEmpty();
      }
    }
    if (!touched.isEmpty()) {
      released.accept(store.releaseAfterPredecessors(touched));
    }
  }

  /**
   * Returns the followers that are to be cancelled, and adds the other followers to {@code
   * touched}.
   */
  private Set<Long> notifyOnce(Map<Long, JobState> ends, Set<Long> touched) {
    Set<Long> succeeded = new HashSet<>();
    Map<Long, JobState> unsuccessful = new HashMap<>();
    ends.forEach(
        (id, state) -> {
          if (state == JobState.COMPLETED) {
            succeeded.add(id);
          } else {
            unsuccessful.put(id, state);
          }
        });
    Set<Long> unwanted = new TreeSet<>();
    if (!succeeded.isEmpty()) {
      List<Long> followers = store.notifyOfSuccess(succeeded, limit);
      touched.addAll(followers);
      more |= followers.size() == limit;
    }
    if (!unsuccessful.isEmpty()) {
      List<Follower> followers = store.notifyOfFailure(unsuccessful, limit);
      for (Follower follower : followers) {
        (follower.cancelled() ? unwanted : touched).add(follower.id());
      }
      more |= followers.size() == limit;
    }
    return unwanted;
  }
}
