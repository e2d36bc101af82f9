package org.readpast.admin.store;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.Schedules;
import org.readpast.store.Row;

/**
 * A schedule as it is seen from outside.
 *
 * @param definition enabled as it is now, whoever has said so
 * @param nextAt the next planned moment; without meaning while it does not fire
 * @param declaration what an application declares; null: it was made over REST
 * @param fires whether its moments become jobs: it is enabled, and a live node declares it if one
 *     has declared it
 * @param lastJob of its latest run
 * @param declaredNow whether a live node declares it, also while it is disabled
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
