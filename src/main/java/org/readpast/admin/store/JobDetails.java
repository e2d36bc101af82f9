package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * Describes a job and what is stored about it.
 *
 * @param attempts the last 100 failed attempts, oldest first, and the running or successful attempt
 * @param cancellationRequested true if the job was asked to end while it was running
 * @param predecessors the jobs that this job waits for
 * @param log the last lines of the job's log, oldest first
 * @param reasons sentences that explain why the job does not run; empty if it is running or has
 *     ended
 */
public record JobDetails(
    JobView job,
    List<AttemptView> attempts,
    boolean cancellationRequested,
    @Nullable Progress progress,
    List<Predecessor> predecessors,
    List<LogLine> log,
    List<String> reasons) {

  /** Returns a copy of the details that contains reasons. */
  public JobDetails because(List<String> why) {
    return new JobDetails(job, attempts, cancellationRequested, progress, predecessors, log, why);
  }

  /**
   * Describes a predecessor of a job.
   *
   * @param endedAs the state in which the predecessor has failed, or null if it is live
   */
  public record Predecessor(long id, @Nullable JobState endedAs) {}

  /** Holds the progress that the handler has reported. */
  public record Progress(long done, long total, Instant updatedAt) {}

  /** Holds a line that the handler has written to the job's log. */
  public record LogLine(int attempt, Instant at, String line) {}
}
