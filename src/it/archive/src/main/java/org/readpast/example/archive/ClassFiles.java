package org.readpast.example.archive;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class files of the running JDK's module {@code java.base}, by paths like {@code
 * java/lang/String.class}.
 */
final class ClassFiles {
  private static final Path ROOT =
      FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");

  private ClassFiles() {}

  /** How many there are: six to seven thousand, depending on the JDK. */
  static long count() throws IOException {
    try (Stream<String> paths = paths()) {
      return paths.count();
    }
  }

  /** The first paths that follow this one in order. */
  static List<String> pathsAfter(String path, int limit) throws IOException {
    try (Stream<String> paths = paths()) {
      return paths.filter(p -> p.compareTo(path) > 0).sorted().limit(limit).toList();
    }
  }

  static boolean exists(String path) {
    return Files.exists(ROOT.resolve(path));
  }

  static byte[] bytes(String path) throws IOException {
    return Files.readAllBytes(ROOT.resolve(path));
  }

  private static Stream<String> paths() throws IOException {
    return Files.walk(ROOT)
        .map(file -> ROOT.relativize(file).toString())
        .filter(path -> path.endsWith(".class"));
  }
}
