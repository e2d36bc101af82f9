package org.readpast.admin.store;

import java.util.List;
import org.readpast.api.JobState;

/**
 * Jobs of a batch that wait for others, or that others wait for, by id.
 *
 * @param complete whether these are all
 */
public record BatchGraph(List<Node> jobs, boolean complete) {
  /**
   * One of them.
   *
   * @param after jobs that it still waits for, or that have ended badly; not only of this batch;
   *     without those of queues that the caller does not see
   */
  public record Node(long id, String type, JobState state, int wave, List<Long> after) {}
}
