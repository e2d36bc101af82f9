package org.readpast.rest.schedules;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.ScheduleRunView;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.model.Firing;
import org.readpast.rest.jobs.AttemptAnswer;

/** Represents the outcome of a planned run as JSON; absent values are omitted. */
@JsonbPropertyOrder({
  "plannedAt",
  "manual",
  "decidedAt",
  "skipped",
  "moments",
  "job",
  "state",
  "startedAt",
  "endedAt",
  "attempts",
  "failed",
  "ownersLost",
  "lastError"
})
public record ScheduleRunAnswer(
    Instant plannedAt,
    boolean manual,
    Instant decidedAt,
    Firing.@Nullable Reason skipped,
    @Nullable Integer moments,
    @Nullable Long job,
    @Nullable JobState state,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Integer attempts,
    @Nullable Integer failed,
    @Nullable Integer ownersLost,
    AttemptAnswer.@Nullable Error lastError) {

  static ScheduleRunAnswer of(ScheduleRunView run) {
    Failure last = run.lastFailure();
    boolean skipped = run.skipped() != null;
    return new ScheduleRunAnswer(
        run.plannedAt(),
        run.manual(),
        run.decidedAt(),
        run.skipped(),
        skipped ? run.moments() : null,
        run.job(),
        run.state(),
        run.startedAt(),
        run.endedAt(),
        run.attempts(),
        skipped ? null : run.failed(),
        skipped ? null : run.ownersLost(),
        last == null
            ? null
            : new AttemptAnswer.Error(last.kind(), last.exception(), last.message(), null));
  }
}
