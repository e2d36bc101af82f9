package org.readpast.admin.store;

import java.util.List;
import java.util.Objects;
import org.readpast.admin.sql.BatchSql;
import org.readpast.model.NewJob;
import org.readpast.store.Enqueues;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** Changes batches and groups for operators and applications, in the current transaction. */
public final class BatchAdmin {
  private final Transactions transactions;
  private final Enqueues enqueues;

  public BatchAdmin(Transactions transactions) {
    this.transactions = transactions;
    this.enqueues = new Enqueues(transactions);
  }

  /** A change of a batch, which follows once the current transaction has committed. */
  public enum Wish {
    /** Close it to additions. */
    SEAL,
    /** Start higher waves in spite of discarded jobs. */
    SKIP,
    /** Keep its jobs waiting that wait for their wave. */
    HOLD,
    /** End the hold. */
    RELEASE,
    /** Cancel the jobs that have not started, and ask running jobs to end. */
    CANCEL
  }

  /** Requests a change of a batch. */
  public void ask(Wish wish, long batch) {
    Sql.change(transactions.entityManager(), BatchSql.tellOfBatch(), wish.name(), batch);
  }

  /** Adds a job to be enqueued at an event of a batch; the first one of each event counts. */
  public void callback(long batch, String event, NewJob clear) {
    // Any node makes the job, also one without the key: what is encrypted is already the job's.
    String key = transactions.encryption().currentKey();
    Long reserved = key == null ? null : enqueues.nextId();
    NewJob job = reserved == null ? clear : enqueues.sealed(clear, reserved, key);
    Sql.change(
        transactions.entityManager(),
        BatchSql.callback(),
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
        job.enqueuedBy().roleLines(),
        reserved);
    Sql.change(transactions.entityManager(), BatchSql.tellOfBatch(), "LOOK", batch);
  }

  /**
   * Requests that a group continues in spite of its discarded job once the current transaction has
   * committed.
   */
  public void skipGroup(String queue, String group) {
    Sql.change(transactions.entityManager(), BatchSql.skipGroup(), queue, group);
  }

  /** Returns some of the discarded jobs that hold a group. */
  public List<Long> holding(String queue, String group) {
    return Sql.rows(
        transactions.entityManager(), BatchSql.holding(), row -> row.number(0), queue, group);
  }

  /** Sets the concurrency of a group, and returns what it was before. */
  public int limitGroup(String queue, String group, int concurrency) {
    Integer before =
        Sql.first(
            transactions.entityManager(),
            BatchSql.limitGroup(),
            row -> row.integer(0),
            queue,
            group,
            concurrency);
    Sql.change(transactions.entityManager(), BatchSql.lookAtGroup(), queue, group);
    return Objects.requireNonNull(before);
  }
}
