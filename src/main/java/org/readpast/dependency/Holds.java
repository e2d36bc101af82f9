package org.readpast.dependency;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.readpast.api.JobState;
import org.readpast.dependency.DependencyStore.Event;
import org.readpast.dependency.DependencyStore.Group;
import org.readpast.dependency.HoldStore.Hold;

/**
 * Collects, during one round of the resolver, which discarded jobs hold higher waves or their
 * groups, in the order of the events.
 */
final class Holds {
  private final Map<Long, Hold> newHolds = new LinkedHashMap<>();
  private final Set<Long> endedHolds = new HashSet<>();
  private final Set<Long> liveJobs = new HashSet<>();
  private final Set<Long> skippedBatches = new HashSet<>();
  private final Set<Group> skippedGroups = new HashSet<>();

  void clear() {
    newHolds.clear();
    endedHolds.clear();
    liveJobs.clear();
    skippedBatches.clear();
    skippedGroups.clear();
  }

  /** Records that a job has ended. A discarded job may hold other jobs. */
  void ended(Event event) {
    Long job = event.job();
    if (job == null) {
      return;
    }
    if (event.state() == JobState.DISCARDED && (event.batch() != null || event.holdsGroup())) {
      endedHolds.remove(job);
      newHolds.put(
          job,
          new Hold(
              job,
              event.batch(),
              event.wave(),
              event.queue(),
              event.holdsGroup() ? event.group() : null));
    } else {
      newHolds.remove(job);
      endedHolds.add(job);
    }
  }

  /**
   * Records that a discarded job is live again. The job no longer holds higher waves, because a
   * live job keeps them waiting anyway. The job continues to hold its group until it has ended.
   */
  void reset(long job) {
    liveJobs.add(job);
    Hold hold = newHolds.remove(job);
    if (hold != null && hold.group() != null) {
      newHolds.put(job, new Hold(job, null, null, hold.queue(), hold.group()));
    }
  }

  /** Records that a job is no longer stored, so that it holds no other jobs. */
  void deleted(long job) {
    newHolds.remove(job);
    endedHolds.add(job);
  }

  /** Records that the discarded jobs of a batch no longer hold higher waves. */
  void skip(long batch) {
    skippedBatches.add(batch);
    newHolds.replaceAll(
        (job, hold) ->
            hold.batch() != null && hold.batch() == batch
                ? new Hold(job, null, null, hold.queue(), hold.group())
                : hold);
  }

  /** Records that the discarded jobs of a group no longer hold it. */
  void skip(Group group) {
    skippedGroups.add(group);
    newHolds.replaceAll(
        (job, hold) ->
            group.key().equals(hold.group()) && group.queue().equals(hold.queue())
                ? new Hold(job, hold.batch(), hold.wave(), null, null)
                : hold);
  }

  /** Stores the changes: first those of earlier holds, then the new holds. */
  void store(HoldStore holdStore) {
    holdStore.endHolds(endedHolds);
    holdStore.endWaveHolds(liveJobs, skippedBatches);
    holdStore.endGroupHolds(skippedGroups);
    holdStore.hold(newHolds.values());
  }
}
