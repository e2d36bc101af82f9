package org.readpast.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Copies and deletes directories with their contents. */
public final class DirectoryTree {
  private DirectoryTree() {}

  public static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (var paths = Files.walk(from)) {
      for (var path : (Iterable<Path>) paths::iterator) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (var paths = Files.walk(directory)) {
      for (var path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }
}
