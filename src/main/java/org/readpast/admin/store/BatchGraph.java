package org.readpast.admin.store;

import java.util.List;
import org.readpast.api.JobState;

/**
 * Holds the jobs of a batch that wait for other jobs or that other jobs wait for, ordered by id.
 *
 * @param complete true if the graph contains all such jobs of the batch
 */
public record BatchGraph(List<Node> jobs, boolean complete) {
  /**
   * Describes one job of the graph.
   *
   * @param after the predecessors that the job still waits for, or that have failed; they may be
   *     outside this batch, and hidden jobs are omitted
   */
  public record Node(long id, String type, JobState state, int wave, List<Long> after) {}
}
