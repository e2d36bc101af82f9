package org.readpast.enqueue;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;
import org.readpast.api.BatchSealedException;
import org.readpast.api.ReadpastException;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;

/** Finds and creates batches, which are named sets of jobs. */
public final class Batches {
  private final Transactions transactions;

  public Batches(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Holds a batch in its current state. */
  public record BatchRow(
      long id, BatchFailure failurePolicy, boolean sealed, boolean cancelled, boolean finished) {}

  /** Returns the batch with this name, or null if there is none. */
  public @Nullable BatchRow find(String name) {
    return Sql.first(
        transactions.entityManager(),
        EnqueueSql.batch(),
        row ->
            new BatchRow(
                row.number(0),
                BatchFailure.valueOf(row.text(1)),
                row.flag(2),
                row.flag(3),
                row.flag(4)),
        name);
  }

  /** Returns the name of a batch, or null if the batch was deleted. */
  public @Nullable String name(long id) {
    return Sql.first(transactions.entityManager(), EnqueueSql.batchName(), row -> row.text(0), id);
  }

  /**
   * Creates a batch unless it exists, in a separate transaction, so that other transactions that
   * add jobs to the batch do not wait for the caller's transaction.
   *
   * @param also an action that runs in the transaction that creates the batch; it does not run if
   *     the batch exists
   */
  public void create(String name, BatchFailure failurePolicy, Runnable also) {
    transactions.requiresNew(
        () -> {
          int created =
              Sql.change(
                  transactions.entityManager(),
                  EnqueueSql.createBatch(),
                  name,
                  failurePolicy.name());
          if (created > 0) {
            also.run();
          }
          return created;
        });
  }

  /**
   * Returns an exception that explains why the current transaction does not find a batch that it
   * has just created or found.
   */
  public ReadpastException notOpen(String name) {
    Optional<BatchRow> now = transactions.requiresNew(() -> Optional.ofNullable(find(name)));
    return now.isEmpty() || now.get().sealed()
        ? new BatchSealedException(name)
        : new ReadpastException(
            "batch '"
                + name
                + "' was created after this transaction had begun, and the isolation"
                + " level of the transaction (REPEATABLE READ or higher) hides it;"
                + " add jobs to it in the next transaction, or in a transaction"
                + " with READ COMMITTED");
  }
}
