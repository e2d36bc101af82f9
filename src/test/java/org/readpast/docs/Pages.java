package org.readpast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.readpast.support.CodeBlock;

/** Finds the pages of the documentation. */
final class Pages {
  private Pages() {}

  /**
   * Returns the pages below {@code docs}, those of the examples, and those in the root directory.
   */
  static List<Path> all() {
    List<Path> pages = new ArrayList<>();
    for (String page : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")) {
      pages.add(Path.of(page));
    }
    for (String root : List.of("docs", "src/examples")) {
      try (Stream<Path> files = Files.walk(Path.of(root))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !file.toString().contains("/target/"))
            .sorted()
            .forEach(pages::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return pages;
  }

  /** Returns the blocks of all pages in one language. */
  static List<CodeBlock> blocks(String language) {
    return all().stream()
        .flatMap(page -> CodeBlock.of(page).stream())
        .filter(block -> block.language().equals(language))
        .toList();
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
