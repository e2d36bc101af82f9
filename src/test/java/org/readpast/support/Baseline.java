package org.readpast.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.TreeSet;

/**
 * Represents a list in {@code src/api} of the names in the last release, none of which may be
 * removed.
 */
public final class Baseline {
  private Baseline() {}

  /**
   * Compares the names with the list; {@code -Dapi.write=true} replaces the list, for a release.
   */
  public static void assertKept(String list, Collection<String> names) throws IOException {
    Path file = Path.of("src/api", list);
    if (Boolean.getBoolean("api.write")) {
      Files.write(file, new TreeSet<>(names));
    }
    assertThat(names)
        .as("a minor version removes none of the names in %s", file)
        .containsAll(Files.readAllLines(file))
        .isNotEmpty();
  }
}
