package org.readpast.runtime;

import jakarta.persistence.EntityManager;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Finds the process id of a connection's database session without a round trip. */
final class DatabaseSessions {
  private static final Logger LOG = System.getLogger(DatabaseSessions.class.getName());

  private volatile @Nullable PgDriver driver;
  // Behind a connection pooler the driver does not know which session serves a transaction.
  private volatile boolean unknown;

  /**
   * Returns the process id of the current transaction's session, or 0 if the driver does not know
   * it.
   */
  int backend(EntityManager em) {
    if (unknown) {
      return 0;
    }
    try {
      Connection connection = em.unwrap(Connection.class);
      if (connection == null) {
        return 0;
      }
      PgDriver known = driver;
      if (known == null) {
        known = new PgDriver(connection);
        unknown = known.backend(connection) != asked(connection);
        driver = known;
      }
      return unknown ? 0 : known.backend(connection);
    } catch (SQLException e) {
      LOG.log(
          Level.DEBUG,
          "the driver does not provide the process id of the session, so the database is"
              + " queried for it",
          e);
      return 0;
    }
  }

  private static int asked(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }
}
