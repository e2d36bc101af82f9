package org.readpast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.Baseline;

/** Tests that the documents are consistent with each other and with the code. */
class DocsTest {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]\\n]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern LOG_ID = Pattern.compile("READPAST-\\d{4}");
  private static final Pattern LOG_ROW =
      Pattern.compile("(?m)^\\| `(READPAST-\\d{4})` \\| ([^|]*) \\| .* \\| ([^|]*) \\|$");
  private static final Pattern LOGGED = Pattern.compile("Level\\.(\\w+),\\s*\"(READPAST-\\d{4})");
  private static final int MOST_WORDS = 1_200;

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String root : List.of("docs", "src/examples")) {
      try (Stream<Path> files = Files.walk(Path.of(root))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !file.toString().contains("/target/"))
            .forEach(pages::add);
      }
    }
    for (String page : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")) {
      pages.add(Path.of(page));
    }
    return pages;
  }

  private static String text(Path page) throws IOException {
    return FENCE.matcher(Files.readString(page)).replaceAll("");
  }

  /** Returns the anchors that GitHub generates for the headings of a page. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(text(page))
        .results()
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .forEach(anchors::add);
    return anchors;
  }

  @Test
  void every_link_has_a_target() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (MatchResult link : LINK.matcher(text(page)).results().toList()) {
        String target = link.group(1);
        if (!target.matches("[a-z]+:.*") && !target.startsWith("/") && !leads(page, target)) {
          broken.add(page + " -> " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leads(Path page, String target) throws IOException {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    String anchor = hash < 0 ? "" : target.substring(hash + 1);
    Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!Files.exists(file)) {
      return false;
    }
    return anchor.isEmpty()
        || anchor.matches("gh-(light|dark)-mode-only")
        || (Files.isRegularFile(file) && anchors(file).contains(anchor));
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "CONTRIBUTING.md"})
  void first_pages_are_short(String page) throws IOException {
    assertThat(Files.readString(Path.of(page)).split("\\s+")).hasSizeLessThanOrEqualTo(MOST_WORDS);
  }

  @Test
  void every_page_is_reachable_from_the_index() throws IOException {
    String index =
        Files.readString(Path.of("docs/README.md"))
            + Files.readString(Path.of("docs/decisions/README.md")).replace("](", "](decisions/");
    try (Stream<Path> files = Files.walk(Path.of("docs"))) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".md"))
                  .map(file -> Path.of("docs").relativize(file).toString())
                  .filter(file -> !file.endsWith("README.md")))
          .allMatch(file -> index.contains("(" + file + ")"));
    }
  }

  @Test
  void every_log_id_has_a_row_and_every_row_a_log_id() throws IOException {
    Set<String> logged = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        LOG_ID.matcher(Files.readString(file)).results().forEach(id -> logged.add(id.group()));
      }
    }
    assertThat(logIds()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(logged);
  }

  @Test
  void no_log_id_of_the_last_release_has_disappeared() throws IOException {
    Baseline.assertKept("log-ids.txt", logIds());
  }

  private static List<String> logIds() throws IOException {
    return Pattern.compile("(?m)^\\| `(READPAST-\\d{4})`")
        .matcher(Files.readString(Path.of("docs/reference/log-ids.md")))
        .results()
        .map(row -> row.group(1))
        .toList();
  }

  @Test
  void every_log_id_has_the_levels_of_the_code_and_says_what_to_do() throws IOException {
    Map<String, String> levels = new HashMap<>();
    LOG_ROW
        .matcher(Files.readString(Path.of("docs/reference/log-ids.md")))
        .results()
        .filter(row -> !row.group(3).isBlank())
        .forEach(row -> levels.put(row.group(1), row.group(2)));
    int logged = 0;
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        for (MatchResult call : LOGGED.matcher(Files.readString(file)).results().toList()) {
          assertThat(levels.get(call.group(2))).as(call.group(2)).contains(call.group(1));
          logged++;
        }
      }
    }
    assertThat(logged).isGreaterThan(50);
  }
}
