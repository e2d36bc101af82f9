package org.readpast.faults;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Command;

/** Controls the wall clock of one server, which deviates by the offset that a file specifies. */
final class FakeClock {
  private static final Path SOURCE = Path.of("src/faults/native/clock.c");

  private final Path library;
  private final Path file;

  private FakeClock(Path library, Path file) {
    this.library = library;
    this.file = file;
  }

  /**
   * Returns a clock for the named server, or an empty result if there is no C compiler to build it.
   */
  static Optional<FakeClock> of(String server) {
    return Tools.find("gcc").flatMap(compiler -> compiled(compiler, server));
  }

  private static Optional<FakeClock> compiled(Path compiler, String server) {
    Path library = BuildDirectories.run("clock.so").toAbsolutePath().normalize();
    Command.Result result =
        Command.run(
            List.of(
                compiler.toString(),
                "-shared",
                "-fPIC",
                "-O2",
                "-o",
                library.toString(),
                SOURCE.toString(),
                "-ldl"));
    if (result.exitCode() != 0) {
      System.out.println("[WARNING] cannot build a clock that steps: " + result.output());
      return Optional.empty();
    }
    Path file = BuildDirectories.run(server + ".clock").toAbsolutePath().normalize();
    FakeClock clock = new FakeClock(library, file);
    clock.goWrongBy(Duration.ZERO);
    return Optional.of(clock);
  }

  /** Returns the environment variables that make a server use this clock. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "FAULTS_CLOCK", file.toString());
  }

  /** Sets the deviation of the clock from the real time from now on. */
  void goWrongBy(Duration offset) {
    byte[] seconds =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(offset.toSeconds())
            .array();
    try {
      Files.createDirectories(file.getParent());
      // The file is overwritten in place, so that a process that has mapped it sees the change
      // immediately.
      try (var open = new RandomAccessFile(file.toFile(), "rw")) {
        open.write(seconds);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
