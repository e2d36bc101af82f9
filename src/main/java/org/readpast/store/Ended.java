package org.readpast.store;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.model.StoredType;

/**
 * A claimed job and the final state that it reached.
 *
 * @param result what the handler returned, as JSON, or null for no result
 * @param failure the failure that the job ended with, or null if there is none
 */
public record Ended(
    ClaimedJob job, JobState state, @Nullable String result, @Nullable Failure failure) {
  /** Creates an end without a result or a failure. */
  public static Ended of(ClaimedJob job, JobState state) {
    return new Ended(job, state, null, null);
  }

  /** Creates the end of a job that succeeded. */
  public static Ended succeeded(ClaimedJob job, @Nullable String result) {
    return new Ended(job, JobState.COMPLETED, result, null);
  }

  /** Returns this end with no jobs behind the job. */
  public Ended withoutNext() {
    return job.nextInGroup().isEmpty()
        ? this
        : new Ended(job.withoutNext(), state, result, failure);
  }

  /** Returns true if the jobs behind this one run next. */
  public boolean continuesGroup() {
    return state == JobState.COMPLETED && !job.nextInGroup().isEmpty();
  }

  /** Returns true if the job succeeded without a result and is in no group. */
  public boolean isSimpleSuccess() {
    return state == JobState.COMPLETED && result == null && job.group() == null;
  }

  /**
   * Returns the elements that do not have one of these ids. Each id must belong to one of the
   * elements.
   */
  public static List<Ended> without(List<Ended> ended, Set<Long> ids) {
    // Usually no job is left: jobs are acknowledged in batches, and each batch calls this method
    // twice.
    return ids.size() == ended.size()
        ? List.of()
        : ended.stream().filter(one -> !ids.contains(one.job().id())).toList();
  }

  /** Returns what watchers are notified of. */
  JobEnd end() {
    return new JobEnd(
        job.id(),
        job.queue(),
        StoredType.nameOf(job.type()),
        state,
        job.attempt(),
        job.uniqueKey(),
        job.correlationId(),
        job.enqueuedBy().name(),
        failure == null ? null : failure.text(),
        job.group(),
        job.batch(),
        job.properties());
  }
}
