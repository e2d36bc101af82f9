package org.readpast.admin.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AuditSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;

/** Stores and reads the audit of users' changes, in the current transaction. */
public final class AuditLog {
  private final Transactions transactions;

  public AuditLog(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes one recorded change.
   *
   * @param target the id of a job, or the name of what was changed; null if many things were
   *     changed
   * @param detail further details as a JSON object
   */
  public record Entry(
      long id, Instant at, String who, String action, @Nullable String target, String detail) {}

  /**
   * Selects audit entries; a component that is null matches all entries.
   *
   * @param action an action such as {@code job.reset}, or {@code job} for all changes to jobs
   * @param from the beginning of the time span, inclusive
   * @param to the end of the time span, exclusive
   */
  public record Filter(
      @Nullable String who,
      @Nullable String action,
      @Nullable String target,
      @Nullable Instant from,
      @Nullable Instant to) {
    /** Matches every audit entry. */
    public static final Filter ALL = new Filter(null, null, null, null, null);
  }

  /**
   * Holds the queues that a change concerns. A caller that does not see all queues of an entry does
   * not see the entry.
   *
   * @param queues the queues, or null for the queue of the job; empty if the change concerns no
   *     queue
   * @param job the job, or null if it is not known; if there are no queues either, only callers
   *     that see every queue see the entry
   */
  public record Concerned(@Nullable Collection<String> queues, @Nullable Long job) {}

  /** Adds an audit entry and returns its id. */
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

  /** Replaces the detail of an audit entry. */
  public void amend(long id, String detail) {
    Sql.change(transactions.entityManager(), AuditSql.amend(), id, detail);
  }

  /**
   * Returns audit entries, newest first.
   *
   * @param before returns entries older than this one; null to start at the newest
   * @param seen the visible queues; unless these are all queues, entries that concern other queues
   *     are omitted
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
