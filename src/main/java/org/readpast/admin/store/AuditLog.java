package org.readpast.admin.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AuditSql;
import org.readpast.model.QueueScope;
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

  /**
   * Queues that a deed concerns; callers from which one of them is hidden do not see its entry.
   *
   * @param queues null: that of the job; empty: the deed concerns no queue
   * @param job null: not known, so that no caller sees the entry from which any queue is hidden
   */
  public record Concerned(@Nullable Collection<String> queues, @Nullable Long job) {}

  /** Adds an entry; gives its number. */
  public long add(
      String who, String action, @Nullable String target, String detail, Concerned concerned) {
    Collection<String> queues = concerned.queues();
    Long id =
        Sql.first(
            transactions.entityManager(),
            AuditSql.add(),
            row -> row.number(0),
            who,
            action,
            target,
            detail,
            queues == null ? null : queues.toArray(String[]::new),
            concerned.job());
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
   * @param seen where that is not all, only entries that concern no other queue
   */
  public List<Entry> page(Filter filter, @Nullable Long before, int most, QueueScope seen) {
    String from = Objects.toString(filter.from(), null);
    String to = Objects.toString(filter.to(), null);
    List<@Nullable Object> parameters =
        new ArrayList<>(
            Arrays.asList(
                before,
                from,
                to,
                filter.who(),
                filter.action(),
                most,
                seen.names(),
                seen.others()));
    String statement = AuditSql.page();
    if (filter.target() != null) {
      statement = AuditSql.pageOfTarget();
      parameters.add(filter.target());
    } else if (filter.who() != null) {
      statement = AuditSql.pageOfWho();
      parameters.add(filter.who());
    } else if (filter.action() != null && filter.action().indexOf('.') >= 0) {
      statement = AuditSql.pageOfAction();
      parameters.add(filter.action());
    }
    return rows(statement, parameters.toArray());
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
