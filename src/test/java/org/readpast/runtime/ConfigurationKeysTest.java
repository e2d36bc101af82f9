package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfigurationKeysTest {
  private static final Pattern NAMED_ROW =
      Pattern.compile("(?m)^\\| (`readpast\\.[a-z.]+\"[^|]+) \\|");
  private static final Pattern KEY = Pattern.compile("`([^`]+)`");
  private static final Pattern VARIABLE =
      Pattern.compile("(?:\\$\\{|variable name=\")(readpast\\.[a-z.-]+)");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(readpast\\.[a-z.-]+)` \\| (?:`([^`]*)`|[^`|]*) \\|");

  @Test
  void every_key_of_the_readme_is_shown_with_its_default() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("docs/reference/configuration.md")))
        .results()
        .forEach(row -> documented.put(row.group(1), row.group(2) == null ? "" : row.group(2)));
    assertThat(documented).hasSizeGreaterThan(20);
    assertThat(ConfigurationKeys.DEFAULTS).containsAllEntriesOf(documented);
  }

  /** Such as {@code `readpast.queue."<queue>".retention.completed`, `.discarded`}. */
  @Test
  void every_key_of_the_readme_that_has_a_name_in_it_is_known() throws IOException {
    List<String> documented = new ArrayList<>();
    for (MatchResult row :
        NAMED_ROW
            .matcher(Files.readString(Path.of("docs/reference/configuration.md")))
            .results()
            .toList()) {
      String first = "";
      for (MatchResult key : KEY.matcher(row.group(1)).results().toList()) {
        String said = key.group(1);
        if (!said.startsWith(".")) {
          first = said;
        }
        documented.add(
            said.startsWith(".") ? first.substring(0, first.lastIndexOf('.')) + said : said);
      }
    }
    assertThat(documented).hasSizeGreaterThan(20).allMatch(ConfigurationKeys::known);
  }

  @Test
  void every_variable_of_the_server_configurations_is_known() throws IOException {
    List<String> variables = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("server-config/liberty"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        VARIABLE
            .matcher(Files.readString(file))
            .results()
            .forEach(found -> variables.add(found.group(1)));
      }
    }
    assertThat(variables).hasSizeGreaterThan(10).allMatch(ConfigurationKeys::known);
  }

  @Test
  void what_means_nothing_is_named_with_what_it_resembles() {
    assertThat(
            ConfigurationKeys.unknown(
                List.of(
                    "java.home",
                    "READPAST_PORT",
                    "readpast.retention.completd",
                    "readpast.queue.\"mail\".concurency",
                    "readpast.queue.mail.concurrency",
                    "readpast.queue.\"mail\"",
                    "readpast.sql.statement.\"monthly\"",
                    "readpast.sql.statement.\"monthly\".text",
                    "readpast.colour")))
        .isEqualTo(
            "readpast.colour, readpast.queue.\"mail\","
                + " readpast.queue.\"mail\".concurency (readpast.queue.\"mail\".concurrency?),"
                + " readpast.retention.completd (readpast.retention.completed?),"
                + " readpast.sql.statement.\"monthly\".text");
    assertThat(ConfigurationKeys.unknown(List.of("readpast.lease"))).isNull();
  }
}
