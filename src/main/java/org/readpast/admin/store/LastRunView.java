package org.readpast.admin.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.model.Firing;

/**
 * Describes a run of a schedule in a list of schedules.
 *
 * @param manual true if an operator has started the run
 * @param skipped why the run has no job, or null if it has one
 * @param state the state of the job, or null if the job is no longer stored
 */
public record LastRunView(
    Instant plannedAt,
    boolean manual,
    Firing.@Nullable Reason skipped,
    @Nullable Long job,
    @Nullable JobState state) {

  static LastRunView read(Row row) {
    String skipped = row.textOrNull(3);
    String state = row.textOrNull(5);
    return new LastRunView(
        row.moment(1),
        row.flag(2),
        skipped == null ? null : Firing.Reason.valueOf(skipped),
        row.numberOrNull(4),
        state == null ? null : JobState.valueOf(state));
  }
}
