package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AdminSql;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** Executes operators' changes of queues, in the current transaction. */
public final class QueueAdmin {
  private final Transactions transactions;

  public QueueAdmin(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a change of a queue; a null component stays as it is.
   *
   * @param paused true: pause, false: resume
   * @param concurrency 0 to 1000, on each node
   * @param globalConcurrency 0 to 10000, over all nodes
   * @param reserved 0 to 1000, of the workers of each node
   */
  public record Change(
      @Nullable Boolean paused,
      @Nullable NewValue concurrency,
      @Nullable NewValue globalConcurrency,
      @Nullable NewValue reserved) {
    /** Pauses or resumes the queue and changes nothing else. */
    public static Change paused(boolean value) {
      return new Change(value, null, null, null);
    }

    /** Sets the number of receivers on each node and changes nothing else. */
    public static Change concurrency(@Nullable Integer value) {
      return new Change(null, new NewValue(value), null, null);
    }

    /** Sets the limit over all nodes and changes nothing else. */
    public static Change globalConcurrency(@Nullable Integer value) {
      return new Change(null, null, new NewValue(value), null);
    }

    /** Sets the number of reserved workers and changes nothing else. */
    public static Change reserved(@Nullable Integer value) {
      return new Change(null, null, null, new NewValue(value));
    }
  }

  /** Holds a new value; null: the configured value applies. */
  public record NewValue(@Nullable Integer value) {}

  /** Holds the previous settings of a queue. */
  public record Old(
      boolean paused,
      @Nullable Integer concurrency,
      @Nullable Integer globalConcurrency,
      @Nullable Integer reserved) {}

  /** Changes a queue and returns its previous settings; null if the queue does not exist. */
  public @Nullable Old change(String queue, Change change) {
    return Sql.first(
        transactions.entityManager(),
        AdminSql.changeQueue(),
        row ->
            new Old(row.flag(0), row.integerOrNull(1), row.integerOrNull(2), row.integerOrNull(3)),
        queue,
        change.paused(),
        change.concurrency() != null,
        value(change.concurrency()),
        change.globalConcurrency() != null,
        value(change.globalConcurrency()),
        change.reserved() != null,
        value(change.reserved()));
  }

  private static @Nullable Integer value(@Nullable NewValue number) {
    return number == null ? null : number.value();
  }
}
