package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** The PostgreSQL of one test: shared by the JVM, or one's own where a test stops it. */
public final class TestPostgres {
  private static final String PASSWORD = "readpast";

  private final PostgresProcess process;
  private final AtomicInteger databases = new AtomicInteger();

  private TestPostgres(boolean durable, String... settings) {
    try {
      Files.createDirectories(BuildDirectories.servers().resolve("run"));
      var directory =
          Files.createTempDirectory(BuildDirectories.servers().resolve("run"), "postgresql-");
      process = new PostgresProcess(directory.resolve("data"), Ports.free(), durable, settings);
      process.initialize(PASSWORD);
      process.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> discard(directory)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    superuser().execute("create role readpast login password '" + PASSWORD + "'");
  }

  /** The JVM's own server: fast, and not to be stopped by a test. */
  public static TestPostgres shared() {
    return Shared.INSTANCE;
  }

  /** A server of one's own that loses nothing in a crash; with settings of PostgreSQL. */
  public static TestPostgres durable(String... settings) {
    return new TestPostgres(true, settings);
  }

  /** An empty database, owned by the ordinary user {@code readpast}. */
  public Database newDatabase() {
    return newDatabase("test" + databases.incrementAndGet());
  }

  /** An empty database whose owner has a name and a password of its own. */
  public Database newDatabase(String owner, String password) {
    superuser().execute("create role " + owner + " login password '" + password + "'");
    superuser().execute("create database " + owner + " owner " + owner);
    return process.database(owner, owner, password);
  }

  Database newDatabase(String name) {
    superuser().execute("create database " + name + " owner readpast");
    return process.database(name, "readpast", PASSWORD);
  }

  /** A copy of a database that nobody uses now. */
  Database newDatabaseFrom(String template) {
    var name = "test" + databases.incrementAndGet();
    superuser().execute("create database " + name + " template " + template + " owner readpast");
    return process.database(name, "readpast", PASSWORD);
  }

  public Database superuser() {
    return process.superuser(PASSWORD);
  }

  /** For tests that stop and start the server; port and data stay the same. */
  public PostgresProcess process() {
    return process;
  }

  private void discard(Path directory) {
    if (process.isRunning()) {
      process.stopImmediately();
    }
    try {
      DirectoryTree.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Shared {
    static final TestPostgres INSTANCE = new TestPostgres(false, "max_prepared_transactions=20");
  }
}
