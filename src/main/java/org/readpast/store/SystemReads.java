package org.readpast.store;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.readpast.api.JobState;
import org.readpast.sql.NodeSql;
import org.readpast.sql.ReadSql;

/** Looks at queues and nodes, in the current transaction, without locking anything. */
public final class SystemReads {
  private final Transactions transactions;

  public SystemReads(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Every queue, by name. */
  public List<QueueView> queues() {
    Map<String, Map<JobState, Long>> counts = counts();
    return Sql.rows(
        transactions.entityManager(),
        NodeSql.queues(),
        row -> new QueueView(Nodes.QueueRow.read(row), counts.getOrDefault(row.text(0), none())));
  }

  /** The name of every queue. */
  public List<String> queueNames() {
    return Sql.rows(transactions.entityManager(), NodeSql.queues(), row -> row.text(0));
  }

  /** Every node that is still on record, the newest first. */
  public List<NodeView> nodes() {
    return Sql.rows(transactions.entityManager(), ReadSql.nodes(), NodeView::read);
  }

  /** How each node serves each queue, the newest node first. */
  public List<ListenerView> listening() {
    List<ListenerView> nodes = new ArrayList<>();
    Sql.rows(
        transactions.entityManager(),
        ReadSql.listening(),
        row -> {
          UUID id = UUID.fromString(row.text(0));
          if (nodes.isEmpty() || !nodes.get(nodes.size() - 1).node().equals(id)) {
            nodes.add(new ListenerView(id, row.text(1), row.text(2), new ArrayList<>()));
          }
          return nodes.get(nodes.size() - 1).queues().add(ListenerView.read(row));
        });
    return nodes;
  }

  private Map<String, Map<JobState, Long>> counts() {
    Map<String, Map<JobState, Long>> counts = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        ReadSql.counts(),
        row ->
            counts
                .computeIfAbsent(row.text(0), queue -> none())
                .put(JobState.valueOf(row.text(1)), row.number(2)));
    return counts;
  }

  private static Map<JobState, Long> none() {
    Map<JobState, Long> none = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      none.put(state, 0L);
    }
    return none;
  }
}
