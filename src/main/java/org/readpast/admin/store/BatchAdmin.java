package org.readpast.admin.store;

import java.util.List;
import java.util.Objects;
import org.readpast.admin.sql.BatchSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.NewJob;

/** Changes batches and groups for operators and applications, in the current transaction. */
public final class BatchAdmin {
  private final Transactions transactions;
  private final Enqueues enqueues;

  public BatchAdmin(Transactions transactions) {
    this.transactions = transactions;
    this.enqueues = new Enqueues(transactions);
  }

  /** Lists the changes to a batch; they are made after the current transaction has committed. */
  public enum Action {
    /** Closes the batch to further jobs. */
    SEAL,
    /** Starts higher waves in spite of discarded jobs. */
    SKIP,
    /** Holds the jobs that wait for their wave. */
    HOLD,
    /** Ends the hold of the batch. */
    RELEASE,
    /** Cancels the jobs of a batch that have not started, and asks its running jobs to end. */
    CANCEL
  }

  /** Requests a change to a batch. */
  public void request(Action action, long batch) {
    Sql.change(transactions.entityManager(), BatchSql.recordEvent(), action.name(), batch);
  }

  /**
   * Adds a job that is enqueued at an event of a batch; only the first job of each event counts.
   */
  public void callback(long batch, String event, NewJob clear) {
    // The content is encrypted here, because any node may create the job, even one without the key.
    String key = transactions.encryption().currentKey();
    Long reserved = key == null ? null : enqueues.nextId();
    NewJob job = reserved == null ? clear : clear.sealed(transactions.encryption(), reserved, key);
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
    Sql.change(transactions.entityManager(), BatchSql.recordEvent(), "RECHECK", batch);
  }

  /**
   * Requests that a group continue although a discarded job holds it. The request takes effect once
   * the current transaction has committed.
   */
  public void skipGroup(String queue, String group) {
    Sql.change(transactions.entityManager(), BatchSql.skipGroup(), queue, group);
  }

  /** Returns some of the discarded jobs that hold a group. */
  public List<Long> holding(String queue, String group) {
    return Sql.rows(
        transactions.entityManager(), BatchSql.holding(), row -> row.number(0), queue, group);
  }

  /** Sets the concurrency of a group, and returns the previous value. */
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
