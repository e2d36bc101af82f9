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
 * @param result what the handler gave, as JSON; null: nothing
 * @param failure what it ended badly with; null: nothing
 */
public record Ended(
    ClaimedJob job, JobState state, @Nullable String result, @Nullable Failure failure) {
  /** Without a result. */
  public static Ended of(ClaimedJob job, JobState state) {
    return new Ended(job, state, null, null);
  }

  /** Well. */
  public static Ended well(ClaimedJob job, @Nullable String result) {
    return new Ended(job, JobState.COMPLETED, result, null);
  }

  /** The same, with nothing behind the job. */
  public Ended alone() {
    return job.behind().isEmpty() ? this : new Ended(job.alone(), state, result, failure);
  }

  /** Whether what is behind it is worked next. */
  public boolean followed() {
    return state == JobState.COMPLETED && !job.behind().isEmpty();
  }

  /** Whether it went well, nothing is known of it but that, and nothing of its group can follow. */
  public boolean plain() {
    return state == JobState.COMPLETED && result == null && job.group() == null;
  }

  /** All but those of them that have these ids, which are ids of theirs. */
  public static List<Ended> without(List<Ended> ended, Set<Long> ids) {
    // Mostly nothing is left: whoever tells the ends of jobs asks this twice for each batch.
    return ids.size() == ended.size()
        ? List.of()
        : ended.stream().filter(one -> !ids.contains(one.job().id())).toList();
  }

  /** What watchers are notified of. */
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
