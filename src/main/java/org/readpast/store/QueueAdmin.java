package org.readpast.store;

import org.jspecify.annotations.Nullable;
import org.readpast.sql.AdminSql;

/** What operators do to queues, in the current transaction. */
public final class QueueAdmin {
  private final Transactions transactions;

  public QueueAdmin(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * What to change of a queue.
   *
   * @param paused null: leave it
   * @param setConcurrency whether to set the concurrency
   * @param concurrency 0 to 1000; null: what the configuration says
   */
  public record Change(
      @Nullable Boolean paused, boolean setConcurrency, @Nullable Integer concurrency) {}

  /** Whether there is such a queue. */
  public boolean change(String queue, Change change) {
    return Sql.first(
            transactions.entityManager(),
            AdminSql.changeQueue(),
            row -> true,
            queue,
            change.paused(),
            change.setConcurrency(),
            change.concurrency())
        != null;
  }
}
