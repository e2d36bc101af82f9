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

/** Stores and reads the audit of users' changes, in the current transaction. */
public final class AuditLog {
  private final Transactions transactions;

  public AuditLog(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes one recorded change.
   *
   * @param target the id of a job, or the name of what was changed; null: many things were changed
   * @param detail a JSON object
   */
  public record Entry(
      long id, Instant at, String who, String action, @Nullable String target, String detail) {}

  /**
   * Selects entries; a null component matches all.
   *
   * @param action {@code job.reset}, or {@code job} for all changes of jobs
   * @param from the first moment, inclusive
   * @param to the end, exclusive
   */
  public record Filter(
      @Nullable String who,
      @Nullable String action,
      @Nullable String target,
      @Nullable Instant from,
      @Nullable Instant to) {
    /** Matches every entry. */
    public static final Filter ALL = new Filter(null, null, null, null, null);
  }

  /**
   * Holds the queues that a change concerns. A caller from which one of them is hidden does not see
   * the entry.
   *
   * @param queues null: the queue of the job; empty: the change concerns no queue
   * @param job null: not known; with no queues given, a caller from which any queue is hidden does
   *     not see the entry
   */
  public record Concerned(@Nullable Collection<String> queues, @Nullable Long job) {}

  /** Adds an entry and returns its id. */
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
   * Returns entries, newest first.
   *
   * @param before returns entries older than this one; null: starts at the newest
   * @param seen if it is not all queues, only entries that concern no other queue are returned
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
