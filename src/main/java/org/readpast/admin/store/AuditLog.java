package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AuditSql;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** What people have done, in the current transaction. */
public final class AuditLog {
  private final Transactions transactions;

  public AuditLog(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * One deed.
   *
   * @param target number of a job, or name of what it was done to; null: of many
   * @param detail a JSON object
   */
  public record Entry(
      long id, Instant at, String who, String action, @Nullable String target, String detail) {}

  /**
   * Which entries; null: any.
   *
   * @param action {@code job.reset}, or {@code job} for all that is done to jobs
   * @param from the first moment
   * @param to the moment after the last
   */
  public record Filter(
      @Nullable String who,
      @Nullable String action,
      @Nullable String target,
      @Nullable Instant from,
      @Nullable Instant to) {
    /** Every entry. */
    public static final Filter ALL = new Filter(null, null, null, null, null);
  }

  /** Adds an entry; gives its number. */
  public long add(String who, String action, @Nullable String target, String detail) {
    Long id =
        Sql.first(
            transactions.entityManager(),
            AuditSql.add(),
            row -> row.number(0),
            who,
            action,
            target,
            detail);
    return Objects.requireNonNull(id);
  }

  /** Replaces the detail of an entry. */
  public void amend(long id, String detail) {
    Sql.change(transactions.entityManager(), AuditSql.amend(), id, detail);
  }

  /**
   * Newest first.
   *
   * @param before those older than this entry; null: from the newest
   */
  public List<Entry> page(Filter filter, @Nullable Long before, int most) {
    String target = filter.target();
    String from = Objects.toString(filter.from(), null);
    String to = Objects.toString(filter.to(), null);
    return target == null
        ? rows(AuditSql.page(), before, from, to, filter.who(), filter.action(), most)
        : rows(
            AuditSql.pageOfTarget(), before, from, to, filter.who(), filter.action(), most, target);
  }

  private List<Entry> rows(String statement, @Nullable Object... parameters) {
    return Sql.rows(
        transactions.entityManager(),
        statement,
        row ->
            new Entry(
                row.number(0),
                row.moment(1),
                row.text(2),
                row.text(3),
                row.textOrNull(4),
                row.text(5)),
        parameters);
  }
}
