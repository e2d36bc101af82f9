package org.readpast.example.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Provides the files to archive: the class files of the module {@code java.base} in the running
 * JDK, with paths such as {@code java/lang/String.class}. For each package there is also a listing,
 * such as {@code java/lang/package.listing}, whose content is computed.
 */
final class Originals {
  private static final Path ROOT =
      FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
  private static final String LISTING = "package.listing";

  private Originals() {}

  /** Returns the number of files: six to seven thousand, depending on the JDK. */
  static long count() throws IOException {
    return paths().count();
  }

  /** Returns the first paths that come after the given path, in order. */
  static List<String> pathsAfter(String path, int limit) throws IOException {
    return paths().filter(p -> p.compareTo(path) > 0).sorted().limit(limit).toList();
  }

  static boolean exists(String path) {
    return Files.exists(file(path));
  }

  static boolean isListing(String path) {
    return path.endsWith(LISTING);
  }

  static byte[] bytes(String path) throws IOException {
    return isListing(path) ? listing(file(path)) : Files.readAllBytes(file(path));
  }

  /** Returns the name and size of each class file in a package. */
  private static byte[] listing(Path directory) throws IOException {
    var lines = new ArrayList<String>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Originals::isClassFile).sorted().toList()) {
        lines.add(file.getFileName() + " " + Files.size(file));
      }
    }
    return String.join("\n", lines).getBytes(UTF_8);
  }

  /** Returns the path in the JDK; for a listing, that of the package's directory. */
  private static Path file(String path) {
    return isListing(path) ? ROOT.resolve(path).getParent() : ROOT.resolve(path);
  }

  private static Stream<String> paths() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(Originals::isClassFile)
          .map(ROOT::relativize)
          .flatMap(file -> Stream.of(file, file.resolveSibling(LISTING)))
          .map(Path::toString)
          .collect(Collectors.toSet())
          .stream();
    }
  }

  private static boolean isClassFile(Path file) {
    return file.toString().endsWith(".class");
  }
}
