package org.readpast.support;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks PostgreSQL's programs ({@code initdb}, {@code pg_ctl}, {@code postgres}) once. */
final class PostgresBinaries {
  private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");

  private final Path home;
  private final List<String> prefix;

  private PostgresBinaries(Path home) {
    this.home = home;
    this.prefix = isRoot() ? List.of("unshare", "-U") : List.of();
  }

  static synchronized PostgresBinaries unpacked() {
    var home = BuildDirectories.servers().resolve("postgresql");
    if (!Files.isDirectory(home)) {
      try {
        unpack(home);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new PostgresBinaries(home);
  }

  /**
   * Returns true if the current user is root. PostgreSQL refuses to run as root, so for root it
   * runs in a user namespace, as another user.
   */
  private static boolean isRoot() {
    return !WINDOWS && System.getProperty("user.name").equals("root");
  }

  Command.Result run(String program, List<String> arguments) {
    return Command.run(command(program, arguments));
  }

  String runOrFail(String program, List<String> arguments) {
    return Command.runOrFail(command(program, arguments), Path.of("."), Map.of());
  }

  private List<String> command(String program, List<String> arguments) {
    var command = new ArrayList<>(prefix);
    command.add(home.resolve("bin").resolve(program).toString());
    command.addAll(arguments);
    return command;
  }

  private static void unpack(Path home) throws IOException {
    Files.createDirectories(home.getParent());
    var fresh = Files.createTempDirectory(home.getParent(), "postgresql-");
    try (var tar = new TarArchiveInputStream(new XZCompressorInputStream(archive()))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry, fresh);
      }
    }
    fresh.toFile().setReadable(true, false);
    fresh.toFile().setExecutable(true, false);
    // The directory is moved atomically, so that an interrupted run leaves no incomplete directory.
    try {
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      DirectoryTree.delete(fresh);
      if (!Files.isDirectory(home)) {
        throw e;
      }
      // Another JVM has unpacked the programs of PostgreSQL in the meantime.
    }
  }

  private static InputStream archive() throws IOException {
    var architecture = System.getProperty("os.arch");
    return DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
        system(), architecture.equals("amd64") ? "x86_64" : architecture);
  }

  private static String system() {
    var name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    if (name.startsWith("windows")) {
      return "Windows";
    }
    return name.startsWith("mac") ? "Darwin" : "Linux";
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path home)
      throws IOException {
    var target = home.resolve(entry.getName()).normalize();
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
      target.toFile().setExecutable((entry.getMode() & 0100) != 0, false);
    }
  }
}
