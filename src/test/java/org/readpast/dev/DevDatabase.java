package org.readpast.dev;

import java.sql.SQLException;
import java.util.Optional;
import org.readpast.support.Database;
import org.readpast.support.Ports;
import org.readpast.support.PostgresProcess;

/**
 * Provides the development server's database: embedded and kept in {@code data}, or an existing
 * one.
 */
final class DevDatabase {
  private static final String NAME = "readpast";

  private final Optional<PostgresProcess> process;
  private final Database database;

  private DevDatabase(Optional<PostgresProcess> process, Database database) {
    this.process = process;
    this.database = database;
  }

  static DevDatabase start(DevSettings settings) {
    if (settings.database().isPresent()) {
      return existing(settings.database().get());
    }
    var password = Secret.keptIn(settings.data().resolve("database-password"));
    var process =
        new PostgresProcess(settings.data().resolve("postgresql"), settings.databasePort(), true);
    if (!process.isInitialized()) {
      process.initialize(password);
    }
    startOrReuse(process);
    createDatabase(process.superuser(password), password);
    return new DevDatabase(Optional.of(process), process.database(NAME, NAME, password));
  }

  Database database() {
    return database;
  }

  /** Stops the server that {@link #start} has started or reused. */
  void stop() {
    process.filter(PostgresProcess::isRunning).ifPresent(PostgresProcess::stop);
  }

  private static DevDatabase existing(Database database) {
    try {
      database.connect().close();
      return new DevDatabase(Optional.empty(), database);
    } catch (SQLException e) {
      throw new DevException(
          "cannot connect to -D%s=%s: %s"
              .formatted(DevSettings.JDBC_URL, database.url(), e.getMessage()));
    }
  }

  private static void startOrReuse(PostgresProcess process) {
    var running = process.runningPort();
    if (running.isPresent()) {
      if (running.get() != process.port()) {
        throw new DevException(
            "the database in data/ already runs on port %d, left by another run; use -D%s=%d"
                .formatted(running.get(), DevSettings.DATABASE_PORT, running.get()));
      }
      System.out.println("Using the database that an earlier run left running.");
      return;
    }
    if (Ports.isTaken(process.port())) {
      throw new DevException(
          "port %d (database) is in use; choose another with -D%s=<port>"
              .formatted(process.port(), DevSettings.DATABASE_PORT));
    }
    process.start();
  }

  private static void createDatabase(Database superuser, String password) {
    try (var connection = superuser.connect();
        var statement = connection.createStatement()) {
      try (var rows =
          statement.executeQuery("select 1 from pg_database where datname = '" + NAME + "'")) {
        if (rows.next()) {
          return;
        }
      }
      // The database user is an ordinary one, as an administrator would create it.
      statement.execute("drop role if exists " + NAME);
      statement.execute("create role " + NAME + " login password '" + password + "'");
      statement.execute("create database " + NAME + " owner " + NAME);
    } catch (SQLException e) {
      throw new DevException("the database in data/ cannot be prepared: " + e.getMessage());
    }
  }
}
