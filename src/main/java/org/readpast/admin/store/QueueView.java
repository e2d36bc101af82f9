package org.readpast.admin.store;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.readpast.api.JobState;
import org.readpast.store.Nodes;

/**
 * Describes a queue, its settings and its numbers of jobs.
 *
 * @param counts the number of jobs in each state, including 0
 * @param atLeast the states that have more jobs than were counted
 * @param oldestMillis how long the oldest SCHEDULED or BLOCKED job has been waiting, and the oldest
 *     RUNNING job has been running; states without such a job, or whose time is not known, are
 *     omitted
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

  /**
   * Sets the number of jobs in a state. Jobs are counted up to one more than the limit, which means
   * that there are more.
   */
  void count(JobState state, long number, long limit) {
    counts.put(state, Math.min(number, limit));
    if (number > limit) {
      atLeast.add(state);
    }
  }

  /**
   * Subtracts running jobs that have kept their position, because they were counted as AVAILABLE.
   */
  void exceptRunning(long jobs) {
    if (!atLeast.contains(JobState.AVAILABLE)) {
      counts.compute(
          JobState.AVAILABLE, (state, both) -> Math.max(0, (both == null ? 0 : both) - jobs));
    }
  }
}
