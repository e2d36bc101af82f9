package org.readpast.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.readpast.support.Database;

/** Executes statements with generic plans, and reports the plans. */
final class GenericPlans implements AutoCloseable {
  private static final Pattern BUFFERS = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");

  private final Connection connection;

  GenericPlans(Database database) throws SQLException {
    connection = database.connect();
    connection.setAutoCommit(false);
    execute("set plan_cache_mode = force_generic_plan");
  }

  /**
   * Makes PostgreSQL plan each following statement for the parameters of its execution, as
   * PostgreSQL does at first.
   */
  void planEachTime() throws SQLException {
    execute("set plan_cache_mode = force_custom_plan");
  }

  /** Prepares a statement with parameters ?1, ?2 … */
  void prepare(String name, String sql) throws SQLException {
    execute("prepare \"" + name + "\" as " + sql.replaceAll("\\?(\\d)", "\\$$1"));
  }

  private void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
    connection.commit();
  }

  /**
   * Executes a statement and rolls it back. Returns the plan with the number of blocks that were
   * touched.
   */
  String of(String name, String parameters) throws SQLException {
    StringBuilder lines = new StringBuilder();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "explain (analyze, buffers) execute \""
                    + name
                    + '"'
                    + (parameters.isEmpty() ? "" : "(" + parameters + ")"))) {
      while (rows.next()) {
        lines.append(rows.getString(1)).append('\n');
      }
    } finally {
      connection.rollback();
    }
    return lines.toString();
  }

  /** Returns the number of touched blocks in the topmost node of a plan that reports it. */
  static long buffers(String plan) {
    Matcher first = BUFFERS.matcher(plan);
    if (!first.find()) {
      throw new IllegalArgumentException(plan);
    }
    return Long.parseLong(first.group(1))
        + (first.group(2) == null ? 0 : Long.parseLong(first.group(2)));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
