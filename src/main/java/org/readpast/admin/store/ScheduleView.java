package org.readpast.admin.store;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Row;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.Schedules;

/**
 * Describes a schedule to callers outside the engine.
 *
 * @param definition the definition; {@code enabled} is the current value, which an operator may
 *     have set
 * @param nextAt the next planned time, which has no meaning while the schedule does not fire
 * @param declaration the declaration by an application, or null if the schedule was created over
 *     REST
 * @param fires true if the schedule enqueues jobs: it is enabled and, if an application declares
 *     it, a live node declares it
 * @param lastJob the job of the latest run
 * @param declaredNow true if a live node declares the schedule, even while it is disabled
 */
public record ScheduleView(
    ScheduleDefinition definition,
    Instant nextAt,
    Schedules.@Nullable Declaration declaration,
    boolean fires,
    @Nullable Long lastJob,
    Instant changedAt,
    boolean declaredNow) {

  static ScheduleView read(Row row, Encryption encryption) {
    return new ScheduleView(
        definition(row, encryption),
        row.moment(14),
        Schedules.Declaration.read(row, 15),
        row.flag(18),
        row.numberOrNull(19),
        row.moment(20),
        row.flag(21));
  }

  static ScheduleDefinition definition(Row row, Encryption encryption) {
    return Schedules.definition(
        row,
        (name, stored) ->
            Objects.requireNonNull(encryption.shownJson(EncryptionContext.schedule(name), stored)));
  }
}
