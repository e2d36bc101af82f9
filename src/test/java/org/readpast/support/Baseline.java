package org.readpast.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.TreeSet;

/** The names that the last release has, as a list in {@code src/api}: none may disappear. */
public final class Baseline {
  private Baseline() {}

  /** Checks the names against the list; {@code -Dapi.write=true} replaces it, for a release. */
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
