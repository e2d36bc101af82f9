package org.readpast.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Command;
import org.readpast.support.Database;
import org.readpast.support.DirectoryTree;
import org.readpast.support.Ports;

/**
 * Runs a pgbouncer that is configured by {@code server-config/pgbouncer/pgbouncer.ini}, in front of
 * one database, on a free port of the loopback interface. The method {@link #close} stops it and
 * deletes its files.
 */
public final class PgBouncer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final int port = Ports.free();
  private final Database behind;
  private final String name;
  private final Path directory;
  private Process process;

  /** Creates a pgbouncer in front of a database on this machine. */
  public PgBouncer(Database behind) {
    this.behind = behind;
    this.name = behind.url().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
    try {
      Files.createDirectories(BuildDirectories.run("."));
      directory = Files.createTempDirectory(BuildDirectories.run("."), "pgbouncer-").normalize();
      Files.writeString(
          directory.resolve("userlist.txt"),
          "\"%s\" \"%s\"\n".formatted(behind.user(), behind.password()));
      Files.writeString(directory.resolve("pgbouncer.ini"), configuration());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Returns the content of that file, in which only the settings of the machine are replaced. */
  private String configuration() throws IOException {
    String text =
        Files.readString(BuildDirectories.serverConfig().resolve("pgbouncer/pgbouncer.ini"));
    String address = behind.url().replaceFirst("jdbc:postgresql://", "").replaceFirst("/.*", "");
    Map<String, String> ours =
        Map.of(
            "readpast = host=db.example.org port=5432",
            "%s = host=localhost port=%s".formatted(name, address.replaceFirst(".*:", "")),
            "listen_port = 6432",
            "listen_port = " + port,
            "auth_file = /etc/pgbouncer/userlist.txt",
            // The empty value of unix_socket_dir disables the socket in /tmp.
            "unix_socket_dir =\nauth_file = " + directory.resolve("userlist.txt"));
    for (var line : ours.entrySet()) {
      if (!text.contains("\n" + line.getKey() + "\n")) {
        throw new IllegalStateException("pgbouncer.ini has no line '" + line.getKey() + "'");
      }
      text = text.replace("\n" + line.getKey() + "\n", "\n" + line.getValue() + "\n");
    }
    return text;
  }

  int port() {
    return port;
  }

  /**
   * Starts pgbouncer, even after {@link #kill}, and waits until the database is reachable through
   * it.
   */
  public void start() {
    var builder =
        new ProcessBuilder(
            Tools.notAsRoot(Tools.get("pgbouncer"), directory.resolve("pgbouncer.ini").toString()));
    builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log().toFile()));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until(
        LIMIT,
        "pgbouncer is ready (see " + log() + ")",
        () -> {
          database("").connect().close();
          return true;
        });
  }

  /** Sends SIGKILL, which breaks every connection through pgbouncer. */
  public void kill() {
    process.destroyForcibly();
    Await.until(LIMIT, "pgbouncer has ended", () -> !process.isAlive());
  }

  /** Sends the command PAUSE: until {@link #resume}, no client can begin another transaction. */
  public void pause() {
    signal("USR1");
  }

  public void resume() {
    signal("USR2");
  }

  private void signal(String name) {
    Command.signal(name, Long.toString(process.pid()));
  }

  /**
   * Returns the connection data of the database through this pgbouncer, with parameters of the
   * driver such as {@code "?x=y"}.
   */
  public Database database(String parameters) {
    return new Database(
        "jdbc:postgresql://localhost:" + port + "/" + name + parameters,
        behind.user(),
        behind.password());
  }

  private Path log() {
    // The directory is deleted at the end, but the log is outside it.
    return BuildDirectories.run("pgbouncer.log");
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      kill();
    }
    try {
      DirectoryTree.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
