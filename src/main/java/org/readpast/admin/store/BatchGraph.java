package org.readpast.admin.store;

import java.util.List;
import org.readpast.api.JobState;

/**
 * Holds the jobs of a batch that wait for others or for which others wait, ordered by id.
 *
 * @param complete true if all such jobs are included
 */
public record BatchGraph(List<Node> jobs, boolean complete) {
  /**
   * Describes one job of the graph.
   *
   * @param after the jobs that it still waits for, or that have failed; they may be outside this
   *     batch; jobs of queues that the caller does not see are left out
   */
  public record Node(long id, String type, JobState state, int wave, List<Long> after) {}
}
