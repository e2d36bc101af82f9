package org.readpast.admin.store;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.ReadSql;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;
import org.readpast.model.StoredType;

/**
 * Reads batches whose jobs are all visible to the caller, in the current transaction, without
 * locking them.
 */
public final class BatchReads {
  private final Transactions transactions;
  private final QueueScope seen;

  public BatchReads(Transactions transactions, QueueScope seen) {
    this.transactions = transactions;
    this.seen = seen;
  }

  /** Returns the names of the batches that have jobs or callbacks in other queues. */
  public List<String> outside(Collection<String> names, QueueScope queues) {
    return Sql.rows(
        transactions.entityManager(),
        ReadSql.batchesOutside(),
        row -> row.text(0),
        names.toArray(String[]::new),
        queues.names(),
        queues.others());
  }

  /**
   * Returns batches ordered by name.
   *
   * @param name returns only this batch; null to return all
   * @param after returns only batches whose names follow this one
   */
  public List<BatchView> views(@Nullable String name, String after, int most) {
    EntityManager em = transactions.entityManager();
    List<Row> rows =
        Sql.rows(em, ReadSql.batches(), row -> row, name, after, most, seen.names(), seen.others());
    Long[] ids = rows.stream().map(row -> row.number(0)).toArray(Long[]::new);
    if (ids.length == 0) {
      return List.of();
    }
    Map<Long, List<BatchView.Wave>> waves = new HashMap<>();
    Sql.rows(
        em,
        ReadSql.waves(),
        row -> waves.computeIfAbsent(row.number(0), batch -> new ArrayList<>()).add(wave(row)),
        (Object) ids);
    Map<Long, List<BatchView.Callback>> callbacks = new HashMap<>();
    Sql.rows(
        em,
        ReadSql.callbacks(),
        row ->
            callbacks
                .computeIfAbsent(row.number(0), batch -> new ArrayList<>())
                .add(
                    new BatchView.Callback(
                        row.text(1),
                        StoredType.nameOf(row.text(2)),
                        row.momentOrNull(3),
                        row.numberOrNull(4))),
        (Object) ids);
    return rows.stream()
        .map(
            row ->
                new BatchView(
                    row.text(1),
                    BatchFailure.valueOf(row.text(2)),
                    row.moment(3),
                    row.momentOrNull(4),
                    row.momentOrNull(5),
                    row.momentOrNull(6),
                    row.momentOrNull(7),
                    waves.getOrDefault(row.number(0), List.of()),
                    callbacks.getOrDefault(row.number(0), List.of())))
        .toList();
  }

  private static BatchView.Wave wave(Row row) {
    return new BatchView.Wave(
        row.integer(1),
        row.number(2),
        row.number(3),
        row.number(4),
        row.number(5),
        row.number(6),
        row.number(7),
        ids(row.textOrNull(8)));
  }

  private static List<Long> ids(@Nullable String list) {
    return list == null || list.isEmpty()
        ? List.of()
        : Stream.of(list.split(",")).map(Long::valueOf).toList();
  }

  /**
   * Returns the first jobs of a batch that have or are predecessors.
   *
   * @param looked the number of live jobs, and of ended jobs, to search
   * @param most the maximum number of jobs to return
   */
  public BatchGraph graph(long batch, int looked, int most) {
    EntityManager em = transactions.entityManager();
    List<BatchGraph.Node> jobs =
        Sql.rows(
            em,
            ReadSql.graph(),
            row ->
                new BatchGraph.Node(
                    row.number(0),
                    StoredType.nameOf(row.text(1)),
                    JobState.valueOf(row.text(2)),
                    row.integer(3),
                    ids(row.textOrNull(4))),
            batch,
            looked,
            most + 1,
            seen.names(),
            seen.others());
    boolean complete =
        jobs.size() <= most && Sql.first(em, ReadSql.larger(), row -> true, batch, looked) == null;
    return new BatchGraph(jobs.subList(0, Math.min(most, jobs.size())), complete);
  }
}
