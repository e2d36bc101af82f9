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

/** The wall clock of one server, which goes wrong by as much as a file says. */
final class FakeClock {
  private static final Path SOURCE = Path.of("src/faults/native/clock.c");

  private final Path library;
  private final Path file;

  private FakeClock(Path library, Path file) {
    this.library = library;
    this.file = file;
  }

  /** One for the server of this name; none where there is no C compiler to make it. */
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
      System.out.println("[WARNING] no clock can be made that steps: " + result.output());
      return Optional.empty();
    }
    Path file = BuildDirectories.run(server + ".clock").toAbsolutePath().normalize();
    FakeClock clock = new FakeClock(library, file);
    clock.goWrongBy(Duration.ZERO);
    return Optional.of(clock);
  }

  /** What a server wants in its environment to have this clock. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "FAULTS_CLOCK", file.toString());
  }

  /** From now on, in all. */
  void goWrongBy(Duration offset) {
    byte[] seconds =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(offset.toSeconds())
            .array();
    try {
      Files.createDirectories(file.getParent());
      // In its place: whoever has mapped it sees it at once.
      try (var open = new RandomAccessFile(file.toFile(), "rw")) {
        open.write(seconds);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
