package org.readpast.admin.store;

import java.util.List;
import java.util.UUID;
import org.readpast.database.Row;
import org.readpast.store.QueueCounters;

/**
 * Describes how one node serves its queues.
 *
 * @param state ACTIVE, STOPPING, STOPPED or DEAD
 * @param queues the queues that the node has served, as of its last heartbeat
 */
public record ListenerView(UUID node, String name, String state, List<QueueCounters> queues) {

  static QueueCounters read(Row row) {
    return new QueueCounters(
        row.text(3),
        row.integer(4),
        row.number(5),
        row.number(6),
        row.number(7),
        row.number(8),
        row.number(9),
        row.number(10),
        row.number(11));
  }
}
