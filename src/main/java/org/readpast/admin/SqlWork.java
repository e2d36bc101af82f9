package org.readpast.admin;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.SqlLog;
import org.readpast.api.JobContext;
import org.readpast.database.Transactions;
import org.readpast.engine.Interruptible;
import org.readpast.model.Names;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.SqlRefusedException;
import org.readpast.model.SqlText;

/** Executes the statements of SQL jobs, and logs each execution. */
public final class SqlWork implements Scoped<SqlWork> {
  /**
   * Lists the commands that are refused, because they would end the transaction of the job, or
   * change settings of a pooled connection.
   */
  private static final Set<String> OUTSIDE =
      Set.of(
          "abort",
          "begin",
          "commit",
          "deallocate",
          "discard",
          "end",
          "listen",
          "prepare",
          "release",
          "reset",
          "rollback",
          "savepoint",
          "set",
          "start",
          "unlisten");

  // The driver fetches rows in chunks only within a transaction, so statements that return rows run
  // in a transaction. Some other statements, such as VACUUM, cannot run in a transaction.
  private static final Set<String> GIVES_ROWS =
      Set.of("delete", "insert", "merge", "select", "table", "update", "values", "with");

  private final Transactions transactions;
  private final SqlAccess access;
  private final SqlLog log;
  private final QueueScope seen;

  public SqlWork(Transactions transactions, SqlAccess access) {
    this(transactions, access, QueueScope.ALL);
  }

  private SqlWork(Transactions transactions, SqlAccess access, QueueScope seen) {
    this.transactions = transactions;
    this.access = access;
    this.log = new SqlLog(transactions);
    this.seen = seen;
  }

  @Override
  public SqlWork within(QueueAccess caller) {
    return new SqlWork(transactions, access, caller.seen());
  }

  /**
   * Describes the SQL that a job requests.
   *
   * @param name the name of a configured statement, or null
   * @param given the statement in the job, or null if {@code name} is set
   * @param parameters the parameters by name: Long, BigDecimal, Boolean, String or null
   * @param dataSource the name of the data source, or null for that of the queue
   */
  public record Order(
      @Nullable String name,
      @Nullable String given,
      Map<String, @Nullable Object> parameters,
      @Nullable String dataSource) {}

  /** Returns true if the statement runs in the transaction that also ends its job. */
  public boolean transactional(@Nullable String dataSource) {
    return access.isOwn(dataSource);
  }

  /** Returns the executed statements of a job, newest first; of all jobs if {@code job} is null. */
  public List<SqlLog.Entry> log(@Nullable Long below, @Nullable Long job, int limit) {
    return transactions.required(() -> log.page(below, job, limit, seen));
  }

  /**
   * Executes a statement. The statement of a TRANSACTIONAL job runs in the transaction of the job.
   *
   * @return the number of rows that were changed or returned
   * @throws SqlRefusedException if the statement is not allowed or cannot be executed
   */
  public long execute(Order order, JobContext context) throws SQLException {
    SqlAccess.Source source = access.source(order.dataSource());
    SqlText text = text(order);
    check(text, order.parameters());
    boolean joined = source.own() && transactions.committable();
    long entry =
        transactions.requiresNew(
            () -> log.begin(context.id(), context.attempt(), order.name(), source.name()));
    try {
      long rows =
          joined
              ? execute(connection(), text, order, context)
              : executeAlone(source, text, order, context);
      note(() -> log.end(entry, rows));
      return rows;
    } catch (SQLException | RuntimeException e) {
      note(() -> log.end(entry, context.id(), e));
      throw e;
    }
  }

  private void note(Runnable end) {
    // An interrupt that ended the statement must not also stop the next step.
    boolean interrupted = Thread.interrupted();
    transactions.requiresNew(
        () -> {
          end.run();
          return true;
        });
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private SqlText text(Order order) {
    String name = order.name();
    String given = order.given();
    if ((name == null) == (given == null)) {
      throw new SqlRefusedException(
          "an SQL job names a configured statement or contains one; specify either 'statement' or"
              + " 'sql'");
    }
    SqlText text =
        SqlText.of(name != null ? access.statement(name) : access.given(String.valueOf(given)));
    if (OUTSIDE.contains(text.firstWord())) {
      throw new SqlRefusedException(
          "the statement begins with '"
              + text.firstWord()
              + "'; the server controls transactions and sessions, so a statement must"
              + " not change them");
    }
    return text;
  }

  private static void check(SqlText text, Map<String, @Nullable Object> given) {
    Set<String> wanted = new TreeSet<>(text.parameters());
    if (!wanted.equals(given.keySet())) {
      throw new SqlRefusedException(
          "the statement has the parameters "
              + wanted
              + ", but the job gives "
              + Names.excerpt(new TreeSet<>(given.keySet()).toString())
              + "; specify exactly those of the statement");
    }
  }

  private Connection connection() {
    return transactions.entityManager().unwrap(Connection.class);
  }

  private long executeAlone(SqlAccess.Source source, SqlText text, Order order, JobContext context)
      throws SQLException {
    try (Connection connection = source.dataSource().getConnection()) {
      if (!GIVES_ROWS.contains(text.firstWord())) {
        return execute(connection, text, order, context);
      }
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      long rows;
      try {
        rows = execute(connection, text, order, context);
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        setBack(connection, autoCommit, e);
        throw e;
      }
      connection.setAutoCommit(autoCommit);
      return rows;
    }
  }

  private static void setBack(Connection connection, boolean autoCommit, Exception why) {
    try {
      connection.rollback();
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }

  private long execute(Connection connection, SqlText text, Order order, JobContext context)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text.prepared())) {
      int place = 1;
      for (String name : text.parameters()) {
        bind(statement, place++, order.parameters().get(name));
      }
      statement.setQueryTimeout((int) Math.max(1, access.timeout().toSeconds()));
      if (context instanceof Interruptible attempt) {
        attempt.onInterrupt(() -> cancel(statement));
        try {
          return rows(statement);
        } finally {
          attempt.onInterrupt(null);
        }
      }
      return rows(statement);
    }
  }

  private static void bind(PreparedStatement statement, int place, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(place, Types.NULL);
    } else if (value instanceof Long number) {
      statement.setLong(place, number);
    } else if (value instanceof BigDecimal number) {
      statement.setBigDecimal(place, number);
    } else if (value instanceof Boolean flag) {
      statement.setBoolean(place, flag);
    } else {
      statement.setString(place, value.toString());
    }
  }

  private static long rows(PreparedStatement statement) throws SQLException {
    // The rows are only counted, but each may be large.
    statement.setFetchSize(50);
    if (!statement.execute()) {
      return Math.max(0, statement.getUpdateCount());
    }
    long rows = 0;
    try (ResultSet given = statement.getResultSet()) {
      while (given.next()) {
        rows++;
      }
    }
    return rows;
  }

  private static void cancel(PreparedStatement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      throw new IllegalStateException("the running statement could not be cancelled", e);
    }
  }
}
