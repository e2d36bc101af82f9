package org.readpast.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.readpast.support.TestPostgres;

/**
 * Records the largest private memory of any PostgreSQL process: Linux's {@code RssAnon}, which
 * excludes the shared buffers. The value is read forty times a second, because Linux keeps no
 * maximum of it.
 */
final class BackendMemory implements AutoCloseable {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  private final ProcessHandle postmaster;
  private final Thread thread = new Thread(this::watch, "backend-memory");
  private volatile boolean closed;
  private volatile long largest;

  BackendMemory(TestPostgres postgres) {
    postmaster = ProcessHandle.of(postgres.process().pid()).orElseThrow();
    thread.start();
  }

  /** Returns false on systems that do not report the private memory of a process. */
  static boolean isKnown() {
    return Files.isReadable(Path.of("/proc/self/status"));
  }

  /** Returns the maximum of any process at any time, in bytes. */
  long largest() {
    return largest;
  }

  private void watch() {
    while (!closed) {
      postmaster.children().forEach(child -> largest = Math.max(largest, own(child.pid())));
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  private static long own(long pid) {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"), UTF_8)) {
      return own(lines);
    } catch (IOException | UncheckedIOException e) {
      // The process has ended in the meantime.
      return 0;
    }
  }

  /** Returns the private bytes in a status file, or 0 if the process has none. */
  static long own(Stream<String> status) {
    return status
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
