package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * A job with all that is kept about it.
 *
 * @param attempts oldest first, the running and the successful one included
 * @param cancellationRequested whether it was asked to end while in work
 * @param predecessors those that it waits for
 * @param log the last lines, oldest first
 * @param reasons sentences that say why it is not running; none if it is, or has ended
 */
public record JobDetails(
    JobView job,
    List<AttemptView> attempts,
    boolean cancellationRequested,
    @Nullable Progress progress,
    List<Predecessor> predecessors,
    List<LogLine> log,
    List<String> reasons) {

  /** The same, with reasons. */
  public JobDetails because(List<String> why) {
    return new JobDetails(job, attempts, cancellationRequested, progress, predecessors, log, why);
  }

  /**
   * A job that it comes after.
   *
   * @param endedAs null: it is live; otherwise how it ended badly
   */
  public record Predecessor(long id, @Nullable JobState endedAs) {}

  /** How far its handler says it is. */
  public record Progress(long done, long total, Instant updatedAt) {}

  /** What its handler wrote into its log. */
  public record LogLine(int attempt, Instant at, String line) {}
}
