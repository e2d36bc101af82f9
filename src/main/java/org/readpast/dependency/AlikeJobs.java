package org.readpast.dependency;

import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.store.Wave;

/**
 * Describes jobs that were added or released and have the same values in all fields of this record.
 *
 * @param group the group that the jobs wait for
 * @param availableAt the earliest due time of the jobs
 * @param waitsFor what the jobs wait for, or null if they no longer wait
 * @param jobs the number of jobs
 */
public record AlikeJobs(
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

  static AlikeJobs of(Row row) {
    return new AlikeJobs(
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

  /** Returns the wave of the jobs, which must belong to a batch. */
  public Wave ofWave() {
    return new Wave(Objects.requireNonNull(batch), Objects.requireNonNull(wave));
  }

  /** Returns the total number of jobs. */
  public static int jobs(Collection<AlikeJobs> all) {
    return all.stream().mapToInt(AlikeJobs::jobs).sum();
  }
}
