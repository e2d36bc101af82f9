package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.support.Baseline;
import org.readpast.support.CodeBlock;

class ConfigurationKeysTest {
  private static final Pattern NAMED_ROW =
      Pattern.compile("(?m)^\\| (`readpast\\.[a-z.]+\"[^|]+) \\|");
  private static final Pattern KEY = Pattern.compile("`([^`]+)`");
  private static final Pattern VARIABLE =
      Pattern.compile("(?:\\$\\{|variable name=\")(readpast\\.[a-z.-]+)");
  private static final Pattern NAME_IN_TEXT = Pattern.compile("`(readpast\\.[^` ]+)`");

  /** Lists the names that are used in the distribution and in the server configurations. */
  private static final Set<String> FILES = Set.of("readpast.war", "readpast.asadmin");

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(readpast\\.[a-z.-]+)` \\| (?:`([^`]*)`|[^`|]*) \\|");

  @Test
  void every_documented_key_is_shown_with_its_default() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("docs/reference/configuration.md")))
        .results()
        .forEach(row -> documented.put(row.group(1), row.group(2) == null ? "" : row.group(2)));
    assertThat(documented).hasSizeGreaterThan(20);
    assertThat(ConfigurationKeys.DEFAULTS).containsAllEntriesOf(documented);
  }

  /**
   * Covers groups of keys such as {@code `readpast.queue."<queue>".retention.completed`,
   * `.discarded`}.
   */
  @Test
  void every_documented_key_with_a_variable_part_is_known() throws IOException {
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
  void every_known_key_is_in_the_reference() throws IOException {
    String reference = Files.readString(Path.of("docs/reference/configuration.md"));
    assertThat(ConfigurationKeys.DEFAULTS.keySet())
        .allSatisfy(key -> assertThat(reference).containsPattern(documented(key)));
    ConfigurationKeys.NAMED.forEach(
        (family, settings) -> {
          assertThat(reference).contains("`" + family);
          assertThat(settings)
              .allSatisfy(setting -> assertThat(reference).containsPattern(documented(setting)));
        });
  }

  /** Matches the whole key or, after a similar key, only its last part. */
  private static String documented(String key) {
    return "\\Q" + key + "\\E`|`\\.\\Q" + key.substring(key.lastIndexOf('.') + 1) + "\\E`";
  }

  @Test
  void every_key_of_a_block_is_known() throws IOException {
    List<String> unknown = new ArrayList<>();
    int keys = 0;
    for (CodeBlock block : propertiesOfAllPages()) {
      for (String line : block.text().lines().toList()) {
        String key = line.substring(0, line.indexOf('='));
        keys++;
        if (!ConfigurationKeys.known(key) && !key.startsWith("otel.")) {
          unknown.add(block + ": " + key);
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(keys).isGreaterThan(10);
  }

  /**
   * A name is a configuration key, the beginning of one, or another name in the code, such as that
   * of a metric or a label.
   */
  @Test
  void every_name_on_a_page_is_a_key_or_exists_in_the_code() throws IOException {
    StringBuilder code = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        code.append(Files.readString(file));
      }
    }
    List<String> unknown = new ArrayList<>();
    int names = 0;
    for (Path page : pages()) {
      for (MatchResult found : NAME_IN_TEXT.matcher(Files.readString(page)).results().toList()) {
        String name = found.group(1).replaceAll("[={].*", "").replaceAll("\\.?(\\*|…)?$", "");
        names++;
        if (!ConfigurationKeys.known(name)
            && !begins(name)
            && !FILES.contains(name)
            && !code.toString().contains('"' + name + '"')) {
          unknown.add(page + ": " + name);
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(names).isGreaterThan(200);
  }

  private static boolean begins(String name) {
    return Stream.concat(
            ConfigurationKeys.DEFAULTS.keySet().stream(),
            ConfigurationKeys.NAMED.entrySet().stream()
                .flatMap(
                    family ->
                        family.getValue().stream()
                            .map(setting -> family.getKey() + "x." + setting)))
        .anyMatch(key -> key.startsWith(name.replaceAll("\"[^\"]*\"", "x") + "."));
  }

  private static List<CodeBlock> propertiesOfAllPages() throws IOException {
    return pages().stream()
        .flatMap(page -> CodeBlock.of(page).stream())
        .filter(block -> block.language().equals("properties"))
        .toList();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(Path.of("docs"));
        Stream<Path> examples = Files.walk(Path.of("src/examples"))) {
      return Stream.of(docs, examples, Stream.of(Path.of("README.md"), Path.of("SECURITY.md")))
          .flatMap(files -> files)
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    }
  }

  @Test
  void no_key_of_the_last_release_has_disappeared() throws IOException {
    List<String> keys = new ArrayList<>(ConfigurationKeys.DEFAULTS.keySet());
    ConfigurationKeys.NAMED.forEach(
        (family, settings) -> {
          String named = family + "\"<name>\"";
          if (settings.isEmpty()) {
            keys.add(named);
          }
          settings.forEach(setting -> keys.add(named + "." + setting));
        });
    Baseline.assertKept("configuration-keys.txt", keys);
  }

  @Test
  void unknown_key_is_reported_with_similar_keys() {
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
                    "readpast.colour"),
                Set.of()))
        .isEqualTo(
            "readpast.colour, readpast.queue.\"mail\","
                + " readpast.queue.\"mail\".concurency (readpast.queue.\"mail\".concurrency?),"
                + " readpast.retention.completd (readpast.retention.completed?),"
                + " readpast.sql.statement.\"monthly\".text");
    assertThat(ConfigurationKeys.unknown(List.of("readpast.lease"), Set.of())).isNull();
  }

  @Test
  void variable_that_a_server_lists_as_a_key_is_unknown_only_if_it_resembles_one() {
    List<String> keys =
        List.of("readpast.admin.password.hash", "readpast.port", "readpast.worker.concurency");
    assertThat(
            ConfigurationKeys.unknown(
                keys,
                Set.of(
                    "READPAST_ADMIN_PASSWORD_HASH", "READPAST_PORT", "READPAST_WORKER_CONCURENCY")))
        .isEqualTo("readpast.worker.concurency (readpast.worker.concurrency?)");
    assertThat(ConfigurationKeys.unknown(keys, Set.of()))
        .contains("readpast.admin.password.hash (readpast.admin.password-hash?)", "readpast.port");
  }
}
