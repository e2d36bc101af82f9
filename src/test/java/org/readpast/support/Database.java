package org.readpast.support;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** How to reach one database. */
public record Database(String url, String user, String password) {

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url, user, password);
  }

  /** Runs one statement in a transaction of its own. */
  public void execute(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }
}
