package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Row;

/**
 * An engine that runs or ran.
 *
 * @param state ACTIVE, STOPPING, STOPPED or DEAD
 * @param beatAt its last sign of life
 * @param receivers at work at the last heartbeat
 * @param takenOver how many jobs others took over from it
 * @param queues that it works, without those that the caller does not see; null: it works all
 * @param types that it works; none: it only enqueues and keeps house
 * @param drainRequested whether somebody wants it to take no more jobs
 * @param application that it is part of, as its server calls it; null: not on record
 * @param module part of that application; null: not on record
 */
public record NodeView(
    UUID id,
    String name,
    String version,
    String state,
    Instant startedAt,
    Instant beatAt,
    @Nullable Instant endedAt,
    int receivers,
    int takenOver,
    @Nullable List<String> queues,
    List<String> types,
    boolean drainRequested,
    @Nullable String application,
    @Nullable String module) {

  static NodeView read(Row row) {
    return new NodeView(
        UUID.fromString(row.text(0)),
        row.text(1),
        row.text(2),
        row.text(3),
        row.moment(4),
        row.moment(5),
        row.momentOrNull(6),
        row.integer(7),
        row.integer(8),
        row.isNull(9) ? null : names(row.text(9)),
        names(row.text(10)),
        row.flag(11),
        row.textOrNull(12),
        row.textOrNull(13));
  }

  private static List<String> names(String list) {
    return list.isEmpty() ? List.of() : List.of(list.split(","));
  }
}
