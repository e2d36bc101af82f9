package org.readpast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the documentation pages that the WAR serves. */
class WrittenPagesTest {
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ANCHOR = Pattern.compile("id=\"([^\"]*)\"");

  /** Lists files of the WAR that are not pages. */
  private static final Set<String> OUTSIDE = Set.of("../", "../icon.svg");

  @TempDir private static Path target;

  @BeforeAll
  static void write() throws IOException {
    WrittenPages.main(new String[] {target.toString()});
  }

  private static Map<Path, String> written() throws IOException {
    Map<Path, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.walk(target)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".html")).toList()) {
        pages.put(target.relativize(file), Files.readString(file));
      }
    }
    return pages;
  }

  private static Set<String> anchors(String page) {
    return ANCHOR.matcher(page).results().map(id -> id.group(1)).collect(Collectors.toSet());
  }

  @Test
  void every_page_is_generated() throws IOException {
    assertThat(written()).hasSameSizeAs(Pages.all());
  }

  @Test
  void every_link_leads_to_a_page_and_a_heading() throws IOException {
    Map<Path, String> pages = written();
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Map.Entry<Path, String> page : pages.entrySet()) {
      String root = "../".repeat(page.getKey().getNameCount() - 1);
      for (var found : LINK.matcher(page.getValue()).results().toList()) {
        String link = found.group(1);
        boolean toWar = link.startsWith(root) && OUTSIDE.contains(link.substring(root.length()));
        if (!toWar && !link.matches("[a-z]+:.*")) {
          links++;
          if (!leads(pages, page.getKey(), link)) {
            broken.add(page.getKey() + " -> " + link);
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(300);
  }

  private static boolean leads(Map<Path, String> pages, Path page, String link) {
    String[] parts = link.split("#", 2);
    Path to =
        parts[0].isEmpty()
            ? page
            : target.relativize(target.resolve(page).resolveSibling(parts[0]).normalize());
    return Files.isRegularFile(target.resolve(to))
        && (parts.length < 2 || anchors(pages.get(to)).contains(parts[1]));
  }

  /** The content security policy of the console would block scripts and styles. */
  @Test
  void no_page_has_inline_scripts_or_styles() throws IOException {
    assertThat(written().values())
        .allSatisfy(
            page -> assertThat(page).doesNotContainPattern("<script>| style=|<style| on\\w+=\""));
  }

  @Test
  void search_index_contains_every_heading() throws IOException {
    Set<String> indexed = new TreeSet<>();
    try (var reader =
        Json.createReader(new StringReader(Files.readString(target.resolve("search.json"))))) {
      for (JsonObject section : reader.readArray().getValuesAs(JsonObject.class)) {
        indexed.add(section.getString("page") + "#" + section.getString("anchor"));
        assertThat(section.getString("title")).as("%s", section).isNotEmpty();
      }
    }
    Set<String> headings = new TreeSet<>();
    written()
        .forEach(
            (page, text) ->
                Pattern.compile("<h[1-6] id=\"([^\"]*)\"")
                    .matcher(text)
                    .results()
                    .forEach(heading -> headings.add(page + "#" + heading.group(1))));
    assertThat(indexed).hasSizeGreaterThan(200).isEqualTo(headings);
  }
}
