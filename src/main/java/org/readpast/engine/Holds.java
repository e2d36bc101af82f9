package org.readpast.engine;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.readpast.api.JobState;
import org.readpast.store.DependencyStore.Event;
import org.readpast.store.DependencyStore.Group;
import org.readpast.store.Holding;
import org.readpast.store.Holding.Hold;

/**
 * Which discarded jobs hold higher waves and their groups, as one round of the settlement learns of
 * it: in the order in which it happened.
 */
final class Holds {
  private final Map<Long, Hold> begun = new LinkedHashMap<>();
  private final Set<Long> over = new HashSet<>();
  private final Set<Long> live = new HashSet<>();
  private final Set<Long> skippedBatches = new HashSet<>();
  private final Set<Group> skippedGroups = new HashSet<>();

  void clear() {
    begun.clear();
    over.clear();
    live.clear();
    skippedBatches.clear();
    skippedGroups.clear();
  }

  /** A job has ended; discarded, it may hold others. */
  void ended(Event event) {
    Long job = event.job();
    if (job == null) {
      return;
    }
    if (event.state() == JobState.DISCARDED && (event.batch() != null || event.holdsGroup())) {
      over.remove(job);
      begun.put(
          job,
          new Hold(
              job,
              event.batch(),
              event.wave(),
              event.queue(),
              event.holdsGroup() ? event.group() : null));
    } else {
      begun.remove(job);
      over.add(job);
    }
  }

  /** A job is live again: as such it holds its wave; its group it holds until it has ended. */
  void reset(long job) {
    live.add(job);
    Hold hold = begun.remove(job);
    if (hold != null && hold.group() != null) {
      begun.put(job, new Hold(job, null, null, hold.queue(), hold.group()));
    }
  }

  /** A job is stored no more, and holds nothing. */
  void gone(long job) {
    begun.remove(job);
    over.add(job);
  }

  /** The discarded jobs of a batch hold nothing. */
  void skip(long batch) {
    skippedBatches.add(batch);
    begun.replaceAll(
        (job, hold) ->
            hold.batch() != null && hold.batch() == batch
                ? new Hold(job, null, null, hold.queue(), hold.group())
                : hold);
  }

  /** The discarded jobs of a group hold it no more. */
  void skip(Group group) {
    skippedGroups.add(group);
    begun.replaceAll(
        (job, hold) ->
            group.key().equals(hold.group()) && group.queue().equals(hold.queue())
                ? new Hold(job, hold.batch(), hold.wave(), null, null)
                : hold);
  }

  /** Keeps it: first what was before this round, then what is new. */
  void store(Holding holding) {
    holding.letGo(over);
    holding.letWavesGo(live, skippedBatches);
    holding.letGroupsGo(skippedGroups);
    holding.hold(begun.values());
  }
}
