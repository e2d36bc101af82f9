package org.readpast.benchmark;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.readpast.support.Database;

/** Creates an empty schema for each peer on PostgreSQL, and a pool of connections to it. */
final class PeerDatabase {
  // The pool is large enough for the 16 workers and the peer's own threads.
  private static final int CONNECTIONS = 20;

  private PeerDatabase() {}

  static HikariDataSource pool(Database database, String schema) {
    database.execute("drop schema if exists " + schema + " cascade");
    database.execute("create schema " + schema);
    var config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setSchema(schema);
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }

  static void execute(HikariDataSource pool, String sql) throws SQLException {
    try (var connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Executes a script from the peer's jar. */
  static void executeResource(HikariDataSource pool, Class<?> owner, String name)
      throws SQLException {
    try (var script = owner.getResourceAsStream(name)) {
      if (script == null) {
        throw new IllegalStateException(name + " is not in the jar of " + owner.getName());
      }
      execute(pool, new String(script.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
