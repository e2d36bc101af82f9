package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;
import org.readpast.api.BatchSealedException;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.model.NewJob;
import org.readpast.sql.OrderSql;
import org.readpast.sql.ReadSql;

/** Named sets of jobs. */
public final class Batches {
  private final Transactions transactions;

  public Batches(Transactions transactions) {
    this.transactions = transactions;
  }

  /** A batch as it stands. */
  public record Batch(
      long id, BatchFailure onFailure, boolean sealed, boolean cancelled, boolean finished) {}

  /** Null: none has this name. */
  public @Nullable Batch find(String name) {
    return Sql.first(
        transactions.entityManager(),
        OrderSql.batch(),
        row ->
            new Batch(
                row.number(0),
                BatchFailure.valueOf(row.text(1)),
                row.flag(2),
                row.flag(3),
                row.flag(4)),
        name);
  }

  /**
   * Batches by name.
   *
   * @param name null: all
   * @param after names after this one
   */
  public List<BatchView> views(@Nullable String name, String after, int most) {
    EntityManager em = transactions.entityManager();
    List<Row> rows = Sql.rows(em, ReadSql.batches(), row -> row, name, after, most);
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
                        row.text(1), row.text(2), row.momentOrNull(3), row.numberOrNull(4))),
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
   * What waits for what in a batch: the first of its jobs that have or are predecessors.
   *
   * @param looked of so many jobs that are live, and so many that have ended
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
                    row.text(1),
                    JobState.valueOf(row.text(2)),
                    row.integer(3),
                    ids(row.textOrNull(4))),
            batch,
            looked,
            most + 1);
    boolean complete =
        jobs.size() <= most && Sql.first(em, ReadSql.larger(), row -> true, batch, looked) == null;
    return new BatchGraph(jobs.subList(0, Math.min(most, jobs.size())), complete);
  }

  /**
   * Has a group go on in spite of its discarded job, once the current transaction has committed.
   */
  public void skipGroup(String queue, String group) {
    Sql.change(transactions.entityManager(), OrderSql.skipGroup(), queue, group);
  }

  /** Some of the discarded jobs that hold a group. */
  public List<Long> holding(String queue, String group) {
    return Sql.rows(
        transactions.entityManager(), OrderSql.holding(), row -> row.number(0), queue, group);
  }

  /** Sets how many jobs of a group may run at a time; gives how many might before. */
  public int limitGroup(String queue, String group, int concurrency) {
    Integer before =
        Sql.first(
            transactions.entityManager(),
            OrderSql.limitGroup(),
            row -> row.integer(0),
            queue,
            group,
            concurrency);
    Sql.change(transactions.entityManager(), OrderSql.lookAtGroup(), queue, group);
    return Objects.requireNonNull(before);
  }

  /**
   * Creates a batch unless it exists, in a transaction of its own: others that add to it do not
   * wait for the caller's.
   *
   * @param also done in that transaction, where it did not exist
   */
  public void create(String name, BatchFailure onFailure, Runnable also) {
    transactions.fresh(
        () -> {
          int created =
              Sql.change(
                  transactions.entityManager(), OrderSql.createBatch(), name, onFailure.name());
          if (created > 0) {
            also.run();
          }
          return created;
        });
  }

  /** Why the current transaction does not find a batch that was created, or found, before. */
  public ReadpastException notOpen(String name) {
    Optional<Batch> now = transactions.fresh(() -> Optional.ofNullable(find(name)));
    return now.isEmpty() || now.get().sealed()
        ? new BatchSealedException(name)
        : new ReadpastException(
            "batch '"
                + name
                + "' came to be after the transaction had begun, whose isolation level (REPEATABLE"
                + " READ or higher) keeps it from seeing that; add to it in the next transaction, or"
                + " in one of READ COMMITTED");
  }

  /** What may be asked of a batch, to be done once the current transaction has committed. */
  public enum Wish {
    /** To close it to additions. */
    SEAL,
    /** To let higher waves start in spite of discarded jobs. */
    SKIP,
    /** To let no more of its jobs go on that wait for their wave. */
    HOLD,
    /** To let them go on again. */
    RELEASE,
    /** To cancel what has not started, and ask what has to end. */
    CANCEL
  }

  /** Asks something of a batch. */
  public void ask(Wish wish, long batch) {
    Sql.change(transactions.entityManager(), OrderSql.tellOfBatch(), wish.name(), batch);
  }

  /** Adds a job to be enqueued at an event of a batch; the first one of each event counts. */
  public void callback(long batch, String event, NewJob job) {
    Sql.change(
        transactions.entityManager(),
        OrderSql.callback(),
        batch,
        event,
        job.queue(),
        job.type(),
        job.priority(),
        job.maxAttempts(),
        job.correlationId(),
        job.properties(),
        job.payload(),
        job.enqueuedBy().name(),
        job.enqueuedBy().roleLines());
    Sql.change(transactions.entityManager(), OrderSql.tellOfBatch(), "LOOK", batch);
  }
}
