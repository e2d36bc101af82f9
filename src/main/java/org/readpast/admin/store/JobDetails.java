package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * Describes a job with everything stored about it.
 *
 * @param attempts oldest first, including the running and the successful attempt
 * @param cancellationRequested true if it was asked to end while running
 * @param predecessors the jobs that it waits for
 * @param log the last lines, oldest first
 * @param reasons sentences that explain why it is not running; empty if it is running or has ended
 */
public record JobDetails(
    JobView job,
    List<AttemptView> attempts,
    boolean cancellationRequested,
    @Nullable Progress progress,
    List<Predecessor> predecessors,
    List<LogLine> log,
    List<String> reasons) {

  /** Returns these details with reasons. */
  public JobDetails because(List<String> why) {
    return new JobDetails(job, attempts, cancellationRequested, progress, predecessors, log, why);
  }

  /**
   * Describes a job after which another job runs.
   *
   * @param endedAs null: it is live; otherwise the state in which it has failed
   */
  public record Predecessor(long id, @Nullable JobState endedAs) {}

  /** Holds the progress that the handler has reported. */
  public record Progress(long done, long total, Instant updatedAt) {}

  /** Holds a line that the handler has written to the job's log. */
  public record LogLine(int attempt, Instant at, String line) {}
}
