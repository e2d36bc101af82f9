package org.readpast.store;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.model.StoredType;

/**
 * Holds a claimed job and its final state.
 *
 * @param result the handler's result as JSON, or null if there is none
 * @param failure the failure with which the job ended, or null if there is none
 */
public record EndedJob(
    ClaimedJob job, JobState state, @Nullable String result, @Nullable Failure failure) {
  /** Creates an end without a result or a failure. */
  public static EndedJob of(ClaimedJob job, JobState state) {
    return new EndedJob(job, state, null, null);
  }

  /** Creates the end of a job that succeeded. */
  public static EndedJob succeeded(ClaimedJob job, @Nullable String result) {
    return new EndedJob(job, JobState.COMPLETED, result, null);
  }

  /** Returns this end without the jobs behind the job. */
  public EndedJob withoutNext() {
    return job.nextInGroup().isEmpty()
        ? this
        : new EndedJob(job.withoutNext(), state, result, failure);
  }

  /** Returns true if the claim made an attempt. A job that expires at its claim makes none. */
  boolean started() {
    return state != JobState.EXPIRED;
  }

  /** Returns true if the jobs behind this job run next. */
  public boolean continuesGroup() {
    return state == JobState.COMPLETED && !job.nextInGroup().isEmpty();
  }

  /** Returns true if the job succeeded without a result and is in no group. */
  public boolean isSimpleSuccess() {
    return state == JobState.COMPLETED && result == null && job.group() == null;
  }

  /**
   * Returns the elements whose jobs do not have the given ids. Each id must belong to one of the
   * jobs.
   */
  public static List<EndedJob> without(List<EndedJob> ended, Set<Long> ids) {
    // Usually no job is left: jobs are acknowledged in batches, and each batch calls the method
    // twice.
    return ids.size() == ended.size()
        ? List.of()
        : ended.stream().filter(one -> !ids.contains(one.job().id())).toList();
  }

  /** Returns the description of the end that observers receive. */
  JobEnd end() {
    return new JobEnd(
        job.id(),
        job.queue(),
        StoredType.nameOf(job.type()),
        state,
        started() ? job.attempt() : job.attempt() - 1,
        job.uniqueKey(),
        job.correlationId(),
        job.enqueuedBy().name(),
        failure == null ? null : failure.text(),
        job.group(),
        job.batch(),
        job.properties());
  }
}
