package org.readpast.support;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Holds the connection data of one database.
 *
 * @param schema the schema of Readpast's tables, or null if none is configured
 */
public record Database(String url, String user, String password, @Nullable String schema) {
  public Database(String url, String user, String password) {
    this(url, user, password, null);
  }

  /** Returns the connection data of another installation in the same database. */
  public Database in(@Nullable String otherSchema) {
    return new Database(url, user, password, otherSchema);
  }

  /** Returns the connection data of the same database for another role. */
  public Database as(String otherUser, String itsPassword) {
    return new Database(url, otherUser, itsPassword, schema);
  }

  /**
   * Opens a connection for the test's own statements. After the usual schemas, the search path also
   * contains the schema of Readpast's tables. Engines get only the address of the database, and use
   * the configured schema.
   */
  public Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(url, user, password);
    if (schema != null) {
      try (var statement = connection.createStatement()) {
        statement.execute("set search_path = public, \"" + schema + '"');
      }
    }
    return connection;
  }

  /** Runs one statement in a separate transaction. */
  public void execute(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }
}
