package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Provides the PostgreSQL server of a test: one for the whole JVM, or a separate one for a test
 * that stops it.
 */
public final class TestPostgres {
  /** Names the directory of the data files, in the directory of a server. */
  public static final String DATA = "data";

  /** Names the directory of the write-ahead log, if a test has created this directory. */
  public static final String WAL = "wal";

  private static final String PASSWORD = "readpast";
  private static final long ENOUGH_MEMORY = 8L << 30;

  private final PostgresProcess process;
  private final AtomicInteger databases = new AtomicInteger();
  private final Queue<String> copies = new ConcurrentLinkedQueue<>();

  private TestPostgres(boolean durable, Consumer<Path> prepare, String... settings) {
    try {
      Path parent = durable ? BuildDirectories.run("") : inMemory();
      Files.createDirectories(parent);
      var directory = Files.createTempDirectory(parent, "readpast-postgresql-");
      prepare.accept(directory);
      Path wal = directory.toAbsolutePath().normalize().resolve(WAL);
      process = new PostgresProcess(directory.resolve(DATA), Ports.free(), durable, settings);
      process.initialize(
          PASSWORD, Files.exists(wal) ? new String[] {"--waldir=" + wal} : new String[0]);
      process.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> discard(directory)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    superuser().execute("create role readpast login password '" + PASSWORD + "'");
  }

  /** Returns the server of the JVM, which is fast and must not be stopped by tests. */
  public static TestPostgres shared() {
    return Shared.INSTANCE;
  }

  /** Starts a separate server that loses no data in a crash, with the given PostgreSQL settings. */
  public static TestPostgres durable(String... settings) {
    return durableOn(directory -> {}, settings);
  }

  /**
   * Starts a separate server that loses no data in a crash, on disks that the caller mounts in its
   * directory: {@link #DATA} and {@link #WAL}.
   */
  public static TestPostgres durableOn(Consumer<Path> disks, String... settings) {
    return new TestPostgres(true, disks, settings);
  }

  /** Creates an empty database, owned by the ordinary user {@code readpast}. */
  public Database newDatabase() {
    return newDatabase("test" + databases.incrementAndGet());
  }

  /** Creates an empty database whose owner has this name and password. */
  public Database newDatabase(String owner, String password) {
    superuser().execute("create role " + owner + " login password '" + password + "'");
    superuser().execute("create database " + owner + " owner " + owner);
    return process.database(owner, owner, password);
  }

  Database newDatabase(String name) {
    superuser().execute("create database " + name + " owner readpast");
    return process.database(name, "readpast", PASSWORD);
  }

  /** Copies a database that no session is using, for the present test class. */
  Database newDatabaseFrom(String template) {
    var name = "test" + databases.incrementAndGet();
    superuser()
        .execute(
            "create database %s template %s owner readpast strategy file_copy"
                .formatted(name, template));
    copies.add(name);
    return process.database(name, "readpast", PASSWORD);
  }

  /**
   * Drops the copies of a test class that has ended, so that the disk or the memory does not fill
   * up.
   */
  void dropCopies() {
    for (String name = copies.poll(); name != null; name = copies.poll()) {
      superuser().execute("drop database if exists " + name + " with (force)");
    }
  }

  public Database superuser() {
    return process.superuser(PASSWORD);
  }

  /**
   * Returns the process, for tests that stop and start the server. The port and the data do not
   * change.
   */
  public PostgresProcess process() {
    return process;
  }

  /**
   * Returns a directory in memory if there is one with enough space. Tests create and drop many
   * databases of hundreds of files each, which took a fifth of their time on a disk.
   */
  private static Path inMemory() throws IOException {
    Path memory = Path.of("/dev/shm");
    boolean roomy =
        Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() > ENOUGH_MEMORY;
    return roomy ? memory : BuildDirectories.run("");
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
    static final TestPostgres INSTANCE =
        new TestPostgres(false, directory -> {}, "max_prepared_transactions=20");
  }
}
