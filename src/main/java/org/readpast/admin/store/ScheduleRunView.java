package org.readpast.admin.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Failure;
import org.readpast.model.Firing;

/**
 * Describes the outcome of a planned run of a schedule.
 *
 * @param manual true if an operator has started the run
 * @param decidedAt when a node started or skipped the run
 * @param skipped why the run has no job, or null if it has one
 * @param moments the number of planned times that the run covers; more than 1 only if runs were
 *     missed
 * @param state the state of the job, or null if the job is no longer stored
 * @param startedAt when the first attempt of the job began
 * @param attempts the number of deliveries so far
 * @param failed the number of failed deliveries
 * @param ownersLost the number of deliveries that failed because their node was lost
 */
public record ScheduleRunView(
    Instant plannedAt,
    boolean manual,
    Instant decidedAt,
    Firing.@Nullable Reason skipped,
    int moments,
    @Nullable Long job,
    @Nullable JobState state,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Integer attempts,
    int failed,
    int ownersLost,
    @Nullable Failure lastFailure) {

  static ScheduleRunView read(Row row, Encryption encryption) {
    String skipped = row.textOrNull(3);
    String state = row.textOrNull(6);
    String kind = row.textOrNull(12);
    return new ScheduleRunView(
        row.moment(0),
        row.flag(1),
        row.moment(2),
        skipped == null ? null : Firing.Reason.valueOf(skipped),
        row.integer(4),
        row.numberOrNull(5),
        state == null ? null : JobState.valueOf(state),
        row.momentOrNull(7),
        row.momentOrNull(8),
        row.integerOrNull(9),
        row.integer(10),
        row.integer(11),
        kind == null
            ? null
            : new Failure(
                Failure.Kind.valueOf(kind),
                row.textOrNull(13),
                encryption.shownText(EncryptionContext.failure(row.number(5)), row.textOrNull(14)),
                null));
  }
}
