package org.readpast.admin.store;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.readpast.api.JobState;
import org.readpast.store.Nodes;

/**
 * A queue, its settings and how many jobs it holds.
 *
 * @param counts for each state, 0 included
 * @param atLeast states in which there are more than were counted
 * @param oldestMillis for how long the oldest that is SCHEDULED or BLOCKED has been there, and for
 *     how long the oldest that is RUNNING runs; left out where there is none or it is not known
 */
public record QueueView(
    Nodes.QueueRow settings,
    Map<JobState, Long> counts,
    Set<JobState> atLeast,
    Map<JobState, Long> oldestMillis) {

  static QueueView empty(Nodes.QueueRow settings) {
    Map<JobState, Long> none = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      none.put(state, 0L);
    }
    return new QueueView(
        settings, none, EnumSet.noneOf(JobState.class), new EnumMap<>(JobState.class));
  }

  /** Counted one beyond the limit: there are more. */
  void count(JobState state, long number, long limit) {
    counts.put(state, Math.min(number, limit));
    if (number > limit) {
      atLeast.add(state);
    }
  }

  /** So many that are in work have kept their place among what is AVAILABLE, and count there. */
  void exceptRunning(long jobs) {
    if (!atLeast.contains(JobState.AVAILABLE)) {
      counts.compute(
          JobState.AVAILABLE, (state, both) -> Math.max(0, (both == null ? 0 : both) - jobs));
    }
  }
}
