package org.readpast.store;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;
import org.readpast.api.BatchSealedException;
import org.readpast.api.ReadpastException;
import org.readpast.sql.OrderSql;

/** Named sets of jobs: finds and creates them. */
public final class Batches {
  private final Transactions transactions;

  public Batches(Transactions transactions) {
    this.transactions = transactions;
  }

  /** A batch as it stands. */
  public record Batch(
      long id, BatchFailure failurePolicy, boolean sealed, boolean cancelled, boolean finished) {}

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

  /** The name of a batch; null: it was deleted. */
  public @Nullable String name(long id) {
    return Sql.first(transactions.entityManager(), OrderSql.batchName(), row -> row.text(0), id);
  }

  /**
   * Creates a batch unless it exists, in a transaction of its own: others that add to it do not
   * wait for the caller's.
   *
   * @param also done in that transaction, where it did not exist
   */
  public void create(String name, BatchFailure failurePolicy, Runnable also) {
    transactions.requiresNew(
        () -> {
          int created =
              Sql.change(
                  transactions.entityManager(), OrderSql.createBatch(), name, failurePolicy.name());
          if (created > 0) {
            also.run();
          }
          return created;
        });
  }

  /** Why the current transaction does not find a batch that was created, or found, before. */
  public ReadpastException notOpen(String name) {
    Optional<Batch> now = transactions.requiresNew(() -> Optional.ofNullable(find(name)));
    return now.isEmpty() || now.get().sealed()
        ? new BatchSealedException(name)
        : new ReadpastException(
            "batch '"
                + name
                + "' came to be after the transaction had begun, whose isolation level (REPEATABLE"
                + " READ or higher) keeps it from seeing that; add to it in the next transaction, or"
                + " in one of READ COMMITTED");
  }
}
