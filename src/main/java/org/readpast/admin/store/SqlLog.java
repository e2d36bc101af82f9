package org.readpast.admin.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.SqlLogSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;
import org.readpast.model.QueueScope;

/** Stores the log of the statements that SQL jobs have executed, in the current transaction. */
public final class SqlLog {
  private static final int LONGEST_ERROR = 2_000;

  private final Transactions transactions;

  public SqlLog(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes one execution of a statement. The state of the job shows whether the changes were
   * committed.
   *
   * @param statement the configured name of the statement, or null if the job contained the
   *     statement
   * @param endedAt when the execution ended, or null if it is running or its node died
   * @param rows the number of changed or returned rows, or null if the statement failed
   */
  public record Entry(
      long id,
      long job,
      int attempt,
      @Nullable String statement,
      String datasource,
      Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Long rows,
      @Nullable String error) {}

  /** Records the start of an execution, and returns the id of the entry. */
  public long begin(long job, int attempt, @Nullable String statement, String dataSource) {
    Long id =
        Sql.first(
            transactions.entityManager(),
            SqlLogSql.begin(),
            row -> row.number(0),
            job,
            attempt,
            statement,
            dataSource);
    return Objects.requireNonNull(id);
  }

  /** Records the success of an execution. */
  public void end(long id, long rows) {
    Sql.change(transactions.entityManager(), SqlLogSql.end(), id, rows, null);
  }

  /** Records the failure of an execution; {@code job} is the job that executed the statement. */
  public void end(long id, long job, Exception error) {
    String line =
        error instanceof SQLException e
            ? Searches.firstLine(e)
            : error.toString().replace('\0', '\uFFFD');
    Sql.change(
        transactions.entityManager(),
        SqlLogSql.end(),
        id,
        null,
        transactions
            .encryption()
            .sealText(
                EncryptionContext.failure(job),
                line.length() <= LONGEST_ERROR ? line : line.substring(0, LONGEST_ERROR)));
  }

  /** Returns executions by jobs in visible queues, newest first. */
  public List<Entry> page(@Nullable Long below, @Nullable Long job, int limit, QueueScope seen) {
    return Sql.rows(
        transactions.entityManager(),
        SqlLogSql.page(),
        row ->
            new Entry(
                row.number(0),
                row.number(1),
                row.integer(2),
                row.textOrNull(3),
                row.text(4),
                row.moment(5),
                row.momentOrNull(6),
                row.numberOrNull(7),
                transactions
                    .encryption()
                    .shownText(EncryptionContext.failure(row.number(1)), row.textOrNull(8))),
        below == null ? Long.MAX_VALUE : below,
        job,
        limit,
        seen.names(),
        seen.others());
  }
}
