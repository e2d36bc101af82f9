package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConfigurationInForceTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(readpast\\.[a-z.-]+)` \\| (?:`([^`]*)`|[^`|]*) \\|");

  @Test
  void every_key_of_the_readme_is_shown_with_its_default() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("README.md")))
        .results()
        .forEach(row -> documented.put(row.group(1), row.group(2) == null ? "" : row.group(2)));
    assertThat(documented).hasSizeGreaterThan(20);
    assertThat(ConfigurationInForce.DEFAULTS).containsAllEntriesOf(documented);
  }
}
