package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AdminSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;

/** Executes operators' changes to queues, in the current transaction. */
public final class QueueAdmin {
  private final Transactions transactions;

  public QueueAdmin(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a change to a queue; a component that is null leaves the setting unchanged.
   *
   * @param paused true to pause the queue, false to resume it
   * @param concurrency the limit on each node, from 0 to 1000
   * @param globalConcurrency the limit across all nodes, from 0 to 10000
   * @param reserved the number of reserved workers on each node, from 0 to 1000
   */
  public record Change(
      @Nullable Boolean paused,
      @Nullable NewValue concurrency,
      @Nullable NewValue globalConcurrency,
      @Nullable NewValue reserved) {
    /** Returns a change that only pauses or resumes the queue. */
    public static Change paused(boolean value) {
      return new Change(value, null, null, null);
    }

    /** Returns a change that only sets the number of receivers on each node. */
    public static Change concurrency(@Nullable Integer value) {
      return new Change(null, new NewValue(value), null, null);
    }

    /** Returns a change that only sets the limit across all nodes. */
    public static Change globalConcurrency(@Nullable Integer value) {
      return new Change(null, null, new NewValue(value), null);
    }

    /** Returns a change that only sets the number of reserved workers. */
    public static Change reserved(@Nullable Integer value) {
      return new Change(null, null, null, new NewValue(value));
    }
  }

  /** Holds the new value of a setting, or null to return to the configured value. */
  public record NewValue(@Nullable Integer value) {}

  /** Holds the previous settings of a queue. */
  public record Old(
      boolean paused,
      @Nullable Integer concurrency,
      @Nullable Integer globalConcurrency,
      @Nullable Integer reserved) {}

  /** Changes a queue and returns its previous settings, or null if the queue does not exist. */
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
