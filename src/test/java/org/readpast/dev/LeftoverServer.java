package org.readpast.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.readpast.support.Await;

/**
 * Stops the server of an earlier run whose Maven process was killed. This server is still running,
 * and occupies its port.
 */
final class LeftoverServer {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(40);

  private final Path file;

  LeftoverServer(Path data) {
    this.file = data.resolve("server.pid");
  }

  /** Stops the server of an earlier run whose launcher has ended. */
  void stop() {
    if (!Files.exists(file)) {
      return;
    }
    try {
      var lines = Files.readAllLines(file);
      boolean launcherLives = started(lines.get(0)).isPresent();
      if (!launcherLives) {
        started(lines.get(1)).ifPresent(LeftoverServer::stop);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void remember(long serverPid) {
    try {
      Files.writeString(
          file,
          identity(ProcessHandle.current())
              + "\n"
              + identity(ProcessHandle.of(serverPid).orElseThrow())
              + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the process id with the start time, because systems reuse process ids. */
  private static String identity(ProcessHandle process) {
    return process.pid() + " " + process.info().startInstant().orElseThrow();
  }

  private static java.util.Optional<ProcessHandle> started(String identity) {
    return ProcessHandle.of(Long.parseLong(identity.split(" ")[0]))
        .filter(ProcessHandle::isAlive)
        .filter(process -> identity(process).equals(identity));
  }

  private static void stop(ProcessHandle server) {
    System.out.println("Stopping the server that a killed run left (pid " + server.pid() + ").");
    server.destroy();
    Await.until(STOP_LIMIT, "the server has ended", () -> !server.isAlive());
  }
}
