package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;
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
    return Sql.rows(
        em,
        ReadSql.batches(),
        row ->
            new BatchView(
                row.text(1),
                BatchFailure.valueOf(row.text(2)),
                row.moment(3),
                row.momentOrNull(4),
                row.momentOrNull(5),
                row.momentOrNull(6),
                Sql.rows(em, ReadSql.waves(), Batches::wave, row.number(0)),
                Sql.rows(
                    em,
                    ReadSql.callbacks(),
                    call ->
                        new BatchView.Callback(
                            call.text(0), call.text(1), call.momentOrNull(2), call.numberOrNull(3)),
                    row.number(0))),
        name,
        after,
        most);
  }

  private static BatchView.Wave wave(Row row) {
    String holding = row.textOrNull(7);
    return new BatchView.Wave(
        row.integer(0),
        row.number(1),
        row.number(2),
        row.number(3),
        row.number(4),
        row.number(5),
        row.number(6),
        holding == null || holding.isEmpty()
            ? List.of()
            : Stream.of(holding.split(",")).map(Long::valueOf).toList());
  }

  /**
   * Has a group go on in spite of its discarded job, once the current transaction has committed.
   */
  public void skipGroup(String queue, String group) {
    Sql.change(transactions.entityManager(), OrderSql.skipGroup(), queue, group);
  }

  /** Sets how many jobs of a group may run at a time. */
  public void limitGroup(String queue, String group, int concurrency) {
    Sql.change(transactions.entityManager(), OrderSql.limitGroup(), queue, group, concurrency);
    Sql.change(transactions.entityManager(), OrderSql.lookAtGroup(), queue, group);
  }

  /**
   * Creates a batch unless it exists, in a transaction of its own: others that add to it do not
   * wait for the caller's.
   */
  public void create(String name, BatchFailure onFailure) {
    transactions.fresh(
        () ->
            Sql.change(
                transactions.entityManager(), OrderSql.createBatch(), name, onFailure.name()));
  }

  /** What may be asked of a batch, to be done once the current transaction has committed. */
  public enum Wish {
    /** To close it to additions. */
    SEAL,
    /** To let higher waves start in spite of discarded jobs. */
    SKIP,
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
        job.payload());
    Sql.change(transactions.entityManager(), OrderSql.tellOfBatch(), "LOOK", batch);
  }
}
