package org.readpast.admin.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.readpast.admin.sql.RuleSql;
import org.readpast.admin.store.RuleRuns.Found;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.database.TransientErrors;
import org.readpast.model.Rule;
import org.readpast.model.SqlRefusedException;
import org.readpast.model.SqlText;

/**
 * Executes the searches of rules. Users write these searches, so the database itself must prevent
 * changes: each search runs in a read-only transaction, or in a read-only part of a transaction.
 *
 * <p>Searches are executed by JDBC, because JPA would interpret some characters as parameters.
 */
public final class Searches {
  /**
   * Lists the SQLState classes of insufficient resources, operator intervention (which includes
   * timeouts), system errors and internal errors.
   */
  private static final Set<String> NOT_ITS_FAULT = Set.of("53", "57", "58", "XX");

  // The rows of one fetch and the objects of one chunk are in memory at the same time, and each may
  // be as large as the largest payload.
  private static final int FETCHED = 50;
  private static final int MOST_CHARACTERS = 4 << 20;

  private final Transactions transactions;
  private final Duration timeout;

  /**
   * @param timeout the maximum duration of one statement
   */
  public Searches(Transactions transactions, Duration timeout) {
    this.transactions = transactions;
    this.timeout = timeout;
  }

  /**
   * Reports the size of a search's result.
   *
   * @param found the number of objects
   * @param live the number of objects for which a live job exists
   * @param largest the size of the largest payload, in bytes
   */
  public record Measure(long found, long live, long largest) {}

  /**
   * Has the database prepare a search, and returns the name of its first column.
   *
   * @throws SqlRefusedException if the search is not a query that returns objects
   */
  public String keyColumn(DataSource source, Rule rule) {
    return reading(
        source,
        rule,
        connection -> {
          if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            throw new SqlRefusedException(
                "the data source of rule '"
                    + rule.name()
                    + "' is not PostgreSQL; name a data source of PostgreSQL");
          }
          // A prepared statement is not used, because its cached plan would become invalid when the
          // table changes.
          try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(seconds());
            try (ResultSet none =
                statement.executeQuery(RuleSql.shape(SqlText.of(rule.search()).plain()))) {
              return keyColumn(rule, none.getMetaData());
            }
          }
        });
  }

  private static String keyColumn(Rule rule, ResultSetMetaData columns) throws SQLException {
    Set<String> names = new HashSet<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String name = columns.getColumnName(i);
      if (name.equals("?column?") || !names.add(name)) {
        throw new SqlRefusedException(
            "column "
                + i
                + " of the search of rule '"
                + rule.name()
                + "' has no unique name; the columns become the fields of the payload, so"
                + " name it with AS");
      }
    }
    if (names.isEmpty()) {
      throw new SqlRefusedException(
          "the search of rule '"
              + rule.name()
              + "' returns no columns; select the key as the first column");
    }
    return columns.getColumnName(1);
  }

  /**
   * Searches in the queue's database, in the current transaction, and stores the found objects in a
   * temporary table.
   */
  public Measure here(Rule rule, String keyColumn, StatementWatch watch) {
    Connection connection = transactions.entityManager().unwrap(Connection.class);
    try (Statement step = connection.createStatement()) {
      step.execute(RuleSql.createObjects());
      for (String begin : RuleSql.beginReadOnly()) {
        step.execute(begin);
      }
      String search =
          RuleSql.search(
              SqlText.of(rule.search()).literal(),
              keyColumn,
              Sql.qualified(transactions.entityManager(), RuleSql.JOBS));
      try (PreparedStatement statement = connection.prepareStatement(search)) {
        statement.setQueryTimeout(seconds());
        statement.setString(1, rule.keyPrefix());
        watched(statement, watch, statement::executeUpdate);
      }
      step.execute(RuleSql.endReadOnly());
    } catch (SQLException e) {
      throw failed(rule, e);
    }
    Measure measure =
        Sql.first(
            transactions.entityManager(),
            RuleSql.measure(),
            row -> new Measure(row.number(0), row.number(1), row.number(2)));
    return Objects.requireNonNull(measure);
  }

  /** Stores the objects that {@link #here} has found for a run. */
  public void stage(RuleRuns.Run run) {
    Sql.change(transactions.entityManager(), RuleSql.stage(), run.id());
  }

  /**
   * Searches in another database, and passes on the found objects in chunks. A chunk has at most
   * the given number of objects, and 4 Mi characters; a larger object is a separate chunk.
   */
  public void elsewhere(
      DataSource source,
      Rule rule,
      String keyColumn,
      int atOnce,
      StatementWatch watch,
      Consumer<List<Found>> objects) {
    String search = RuleSql.stream(SqlText.of(rule.search()).literal(), keyColumn);
    reading(
        source,
        rule,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(search)) {
            statement.setQueryTimeout(seconds());
            statement.setFetchSize(Math.min(FETCHED, atOnce));
            try (ResultSet rows = watched(statement, watch, statement::executeQuery)) {
              List<Found> some = new ArrayList<>();
              int characters = 0;
              while (rows.next()) {
                Found next = found(rule, rows);
                int more = next.payload().length();
                boolean full = some.size() == atOnce || more > MOST_CHARACTERS - characters;
                if (full && !some.isEmpty()) {
                  objects.accept(some);
                  some = new ArrayList<>();
                  characters = 0;
                }
                some.add(next);
                characters += more;
              }
              objects.accept(some);
              return true;
            }
          }
        });
  }

  private static Found found(Rule rule, ResultSet row) throws SQLException {
    String key = row.getString(1);
    if (key == null) {
      throw refused(rule, "it returned an object without a key; the first column must not be null");
    }
    return new Found(key, row.getString(2));
  }

  /** Executes a search on a connection. */
  @FunctionalInterface
  private interface Reading<T> {
    T with(Connection connection) throws SQLException;
  }

  private <T> T reading(DataSource source, Rule rule, Reading<T> work) {
    try (Connection connection = source.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try (Statement begin = connection.createStatement()) {
        begin.execute(RuleSql.readOnly());
        return work.with(connection);
      } finally {
        connection.rollback();
        connection.setAutoCommit(autoCommit);
      }
    } catch (SQLException e) {
      throw failed(rule, e);
    }
  }

  /** Executes a statement. */
  @FunctionalInterface
  interface Execution<T> {
    T run() throws SQLException;
  }

  static <T> T watched(Statement statement, StatementWatch watch, Execution<T> execution)
      throws SQLException {
    watch.running(() -> cancel(statement));
    try {
      return execution.run();
    } finally {
      watch.running(null);
    }
  }

  private static void cancel(Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      throw new DatabaseUnavailableException("the running statement could not be cancelled", e);
    }
  }

  private int seconds() {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toSeconds()));
  }

  private static RuntimeException failed(Rule rule, SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return switch (state) {
      case "23502" ->
          refused(rule, "it returned an object without a key; the first column must not be null");
      case "22001" ->
          refused(rule, "it returned a key of more than 185 characters; use a shorter key");
      case "25006" -> refused(rule, "it must not change data: " + firstLine(e));
      default ->
          passing(e, state)
              ? new DatabaseUnavailableException(
                  "the search of rule '" + rule.name() + "' failed: " + firstLine(e), e)
              : refused(rule, firstLine(e));
    };
  }

  /**
   * Returns true if the database and not the search caused the error, so that a retry may succeed.
   */
  private static boolean passing(SQLException e, String state) {
    return TransientErrors.isTransient(e)
        || TransientErrors.isOutage(e)
        || NOT_ITS_FAULT.contains(state.substring(0, Math.min(2, state.length())));
  }

  private static SqlRefusedException refused(Rule rule, String why) {
    return new SqlRefusedException(
        "the search of rule '" + rule.name() + "' cannot be used: " + why);
  }

  static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("")
        + " ("
        + e.getSQLState()
        + ")";
  }
}
