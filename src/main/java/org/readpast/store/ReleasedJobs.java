package org.readpast.store;

import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * Jobs that were added or released and have the same values in these fields.
 *
 * @param group the group in which they wait for their turn
 * @param availableAt the earliest of their times
 * @param waitsFor null if they wait for nothing any more
 * @param jobs the number of jobs
 */
public record ReleasedJobs(
    String queue,
    String type,
    int priority,
    JobState state,
    @Nullable Long batch,
    @Nullable Integer wave,
    @Nullable String group,
    Instant availableAt,
    @Nullable String waitsFor,
    int jobs) {

  static ReleasedJobs of(Row row) {
    return new ReleasedJobs(
        row.text(0),
        row.text(1),
        row.integer(2),
        JobState.valueOf(row.text(3)),
        row.numberOrNull(4),
        row.integerOrNull(5),
        row.textOrNull(6),
        row.moment(7),
        row.textOrNull(8),
        row.integer(9));
  }

  /** Returns the total number of jobs. */
  public static int jobs(Collection<ReleasedJobs> all) {
    return all.stream().mapToInt(ReleasedJobs::jobs).sum();
  }
}
