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
 * Watches how much memory of its own any PostgreSQL process takes: Linux's {@code RssAnon}, which
 * the buffers that all of them share are no part of. It is read forty times a second, as Linux
 * keeps no highest value of it.
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

  /** Returns false on systems that do not say how much memory of its own a process has. */
  static boolean isKnown() {
    return Files.isReadable(Path.of("/proc/self/status"));
  }

  /** Returns the most that one process had at any time, in bytes. */
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
      // The process has ended since.
      return 0;
    }
  }

  /** Returns the bytes that a status file names; 0 for a process that has none of its own. */
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
