package org.readpast.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds programs in the directories in which distributions install them. */
final class Tools {
  private static final Path POSTGRESQL = Path.of("/usr/lib/postgresql");

  private Tools() {}

  static Optional<Path> find(String program) {
    return directoryWith(program).map(directory -> directory.resolve(program));
  }

  static Path get(String program) {
    return require(find(program), program);
  }

  /**
   * Returns a directory that contains all of the given programs; directories in PATH may contain
   * only wrappers.
   */
  static Path directoryOf(String... programs) {
    return require(directoryWith(programs), String.join(", ", programs));
  }

  /** Returns the programs that are not installed. */
  static List<String> missing(String... programs) {
    return Arrays.stream(programs).filter(program -> find(program).isEmpty()).toList();
  }

  /** Returns a notice that names the missing programs. */
  static String notice(List<String> missing) {
    return String.join(", ", missing)
        + " not installed; src/faults/install-tools.sh installs it (Debian)";
  }

  private static Path require(Optional<Path> found, String what) {
    return found.orElseThrow(() -> new IllegalStateException(notice(List.of(what))));
  }

  private static Optional<Path> directoryWith(String... programs) {
    List<Path> places = new ArrayList<>(postgresqlVersions());
    for (String place : System.getenv().getOrDefault("PATH", "").split(":")) {
      places.add(Path.of(place));
    }
    places.addAll(List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin")));
    return places.stream()
        .filter(place -> Arrays.stream(programs).map(place::resolve).allMatch(Files::isExecutable))
        .findFirst();
  }

  /** Returns the installed versions, the newest first. */
  private static List<Path> postgresqlVersions() {
    if (!Files.isDirectory(POSTGRESQL)) {
      return List.of();
    }
    try (var versions = Files.list(POSTGRESQL)) {
      return versions
          .filter(version -> version.getFileName().toString().matches("\\d+"))
          .sorted(
              Comparator.comparingInt(
                      (Path version) -> Integer.parseInt(version.getFileName().toString()))
                  .reversed())
          .map(version -> version.resolve("bin"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a command for programs that refuse to run as root. A user namespace hides root from the
   * program, and the current user can still remove the files that it writes.
   */
  static List<String> notAsRoot(Path program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(program.toString());
    command.addAll(Arrays.asList(arguments));
    return command;
  }
}
