package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Row;

/**
 * Describes a running or ended engine.
 *
 * @param state ACTIVE, STOPPING, STOPPED or DEAD
 * @param beatAt the time of the last heartbeat
 * @param receivers the number of busy receivers at the time of the last heartbeat
 * @param takenOver the number of jobs that other nodes have taken over from this node
 * @param queues the visible queues that the node serves, or null if it serves all queues
 * @param types the job types that the node handles; empty if it only enqueues jobs and runs
 *     maintenance
 * @param drainRequested true if an operator has asked it to claim no more jobs
 * @param application the name of the node's application on its server, or null if it was not
 *     recorded
 * @param module the module of the application, or null if it was not recorded
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
