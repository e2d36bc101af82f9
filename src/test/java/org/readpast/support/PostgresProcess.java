package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs one PostgreSQL server on a fixed port of the loopback interface, with its data directory.
 */
public final class PostgresProcess {
  private static final String SUPERUSER = "postgres";

  private final PostgresBinaries binaries = PostgresBinaries.unpacked();
  private final Path data;
  private final int port;
  private final boolean durable;
  private final List<String> settings;

  /** Creates a server. The settings are those of PostgreSQL, such as {@code work_mem=64MB}. */
  public PostgresProcess(Path data, int port, boolean durable, String... settings) {
    this.data = data.toAbsolutePath();
    this.port = port;
    this.durable = durable;
    this.settings = List.of(settings);
  }

  /**
   * Creates the data directory. Every connection of the superuser requires the password.
   *
   * @param options further options of {@code initdb}
   */
  public void initialize(String password, String... options) {
    try {
      Files.createDirectories(data.getParent());
      var file = Files.createTempFile("readpast", ".password");
      try {
        Files.writeString(file, password);
        // For root, the program runs in a user namespace under another user name. The program can
        // read the password file, because the owner of the file is the same.
        List<String> arguments =
            new ArrayList<>(
                List.of(
                    "-D",
                    data.toString(),
                    "-U",
                    SUPERUSER,
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--pwfile=" + file,
                    "--no-instructions"));
        arguments.addAll(
            durable
                ? List.of("--auth=scram-sha-256")
                // SCRAM took a sixth of the time of the database tests, because both sides hash the
                // password 4,096 times for each connection.
                : List.of("--auth=password", "--set=scram_iterations=1", "--no-data-checksums"));
        arguments.addAll(List.of(options));
        binaries.runOrFail("initdb", arguments);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isInitialized() {
    return Files.exists(data.resolve("PG_VERSION"));
  }

  /** Starts the server, and waits until it accepts connections. */
  public void start() {
    var result =
        binaries.run(
            "pg_ctl",
            List.of(
                "start",
                "-w",
                "-t",
                "60",
                "-D",
                data.toString(),
                "-l",
                log().toString(),
                "-o",
                String.join(" ", options())));
    if (result.exitCode() != 0) {
      throw new IllegalStateException(
          "PostgreSQL did not start on port " + port + "; see " + log() + "\n" + result.output());
    }
  }

  /** Terminates the sessions, and stops the server. */
  public void stop() {
    stop("fast");
  }

  /**
   * Stops the server as a crash would: sessions are terminated, and recovery runs at the next
   * start.
   */
  public void stopImmediately() {
    stop("immediate");
  }

  private void stop(String mode) {
    binaries.runOrFail(
        "pg_ctl", List.of("stop", "-w", "-t", "60", "-D", data.toString(), "-m", mode));
  }

  public boolean isRunning() {
    return binaries.run("pg_ctl", List.of("status", "-D", data.toString())).exitCode() == 0;
  }

  /** Returns the port of the running server, which another run may have started. */
  public Optional<Integer> runningPort() {
    if (!isRunning()) {
      return Optional.empty();
    }
    return Optional.of(Integer.parseInt(lockFile(3)));
  }

  /** Returns the process id of the running server; its sessions are child processes. */
  public long pid() {
    return Long.parseLong(lockFile(0));
  }

  private String lockFile(int line) {
    try {
      return Files.readAllLines(data.resolve("postmaster.pid")).get(line).trim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  public Path log() {
    return data.resolveSibling(data.getFileName() + ".log");
  }

  /** Returns the connection data of a database on this server, for the superuser. */
  public Database superuser(String password) {
    return database("postgres", SUPERUSER, password);
  }

  public Database database(String name, String user, String password) {
    return new Database("jdbc:postgresql://localhost:" + port + "/" + name, user, password);
  }

  private List<String> options() {
    var options = new ArrayList<>(List.of("-p " + port, "-c listen_addresses=localhost"));
    options.add("-c unix_socket_directories=");
    options.add("-c max_connections=200");
    if (!durable) {
      options.add("-c fsync=off -c synchronous_commit=off -c full_page_writes=off");
      options.add("-c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=128MB");
      // Tests create hundreds of databases, and each needs a process for each look of autovacuum.
      options.add("-c autovacuum=off");
    }
    settings.forEach(setting -> options.add("-c " + setting));
    return options;
  }
}
