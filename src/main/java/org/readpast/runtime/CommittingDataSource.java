package org.readpast.runtime;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BooleanSupplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a data source so that its connections commit each statement by itself outside a
 * transaction. Connections from the server do not always do this: after a failed commit, Payara
 * returns the connection in the mode that it had in the failed transaction, and statements that are
 * then sent on it are never committed.
 */
final class CommittingDataSource implements DataSource {
  private final DataSource of;
  private final BooleanSupplier inTransaction;

  CommittingDataSource(DataSource of, BooleanSupplier inTransaction) {
    this.of = of;
    this.inTransaction = inTransaction;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return committing(of.getConnection());
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return committing(of.getConnection(user, password));
  }

  private Connection committing(Connection connection) throws SQLException {
    try {
      // The driver and the server can answer these calls without a round trip to the database.
      if (!connection.getAutoCommit() && !inTransaction.getAsBoolean() && !hasWritten(connection)) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Returns true if the connection has uncommitted changes. A server may share a connection between
   * the engine and an application that writes outside a JTA transaction.
   */
  private static boolean hasWritten(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select pg_current_xact_id_if_assigned() is not null")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return of.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return of.isWrapperFor(type);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return of.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter writer) throws SQLException {
    of.setLogWriter(writer);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return of.getLoginTimeout();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    of.setLoginTimeout(seconds);
  }

  @Override
  public Logger getParentLogger() throws java.sql.SQLFeatureNotSupportedException {
    return of.getParentLogger();
  }
}
