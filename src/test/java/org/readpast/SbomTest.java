package org.readpast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.readpast.support.BuildDirectories;

/**
 * What others have written and the WAR carries: by name, and under licences that we may pass on.
 */
class SbomTest {
  private static final Path BOM = Path.of("target/bom.json");
  private static final Path LOCK = Path.of("src/main/vendor/package-lock.json");
  private static final Path VENDOR = Path.of("src/main/webapp/vendor");
  private static final Path LISTED = Path.of("SECURITY.md");

  /** Of code; the font's alone is another, which is for fonts only. */
  private static final Set<String> ALLOWED =
      Set.of("Apache-2.0", "MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "EPL-1.0", "EPL-2.0");

  private static final Map<String, String> FONTS = Map.of("@fontsource-variable/inter", "OFL-1.1");

  private static JsonObject read(Path file) throws IOException {
    assumeTrue(Files.exists(file), file + " is not made offline");
    try (var reader = Json.createReader(Files.newInputStream(file))) {
      return reader.readObject();
    }
  }

  /** Libraries and scripts with their versions, by which licences each may be had. */
  private static Map<String, Set<String>> carried() throws IOException {
    Map<String, Set<String>> carried = new TreeMap<>();
    for (JsonObject one : read(BOM).getJsonArray("components").getValuesAs(JsonObject.class)) {
      Set<String> licences = new TreeSet<>();
      for (JsonValue choice :
          one.getOrDefault("licenses", JsonValue.EMPTY_JSON_ARRAY).asJsonArray()) {
        JsonObject licence = choice.asJsonObject().getJsonObject("license");
        licences.add(
            licence == null
                ? choice.asJsonObject().getString("expression")
                : licence.getString("id", licence.getString("name", "none")));
      }
      carried.put(one.getString("name") + " " + one.getString("version"), licences);
    }
    read(LOCK)
        .getJsonObject("packages")
        .forEach(
            (path, one) -> {
              String name = path.replaceFirst(".*node_modules/", "");
              JsonObject it = one.asJsonObject();
              // What only makes them, and what holds types only, is not carried.
              if (!path.isEmpty() && !it.getBoolean("dev", false) && !name.startsWith("@types/")) {
                carried.put(
                    name + " " + it.getString("version"), Set.of(it.getString("license", "none")));
              }
            });
    return carried;
  }

  @Test
  void each_licence_is_one_that_may_be_passed_on() throws IOException {
    carried()
        .forEach(
            (name, licences) -> {
              Set<String> allowed = new TreeSet<>(ALLOWED);
              FONTS.forEach(
                  (font, licence) -> {
                    if (name.startsWith(font + " ")) {
                      allowed.add(licence);
                    }
                  });
              // Where there are several, one may be chosen.
              assertThat(licences).as(name).containsAnyElementsOf(allowed);
            });
  }

  @Test
  void all_of_it_is_listed() throws IOException {
    String text = Files.readString(LISTED);
    assertThat(carried().keySet().stream().map(name -> name.substring(0, name.lastIndexOf(' '))))
        .allSatisfy(name -> assertThat(text).contains("`" + name + "`"));
  }

  @Test
  void scripts_are_those_of_the_lock_with_their_licences() throws IOException {
    try (Stream<Path> folders = Files.list(VENDOR)) {
      List<Path> scripts = folders.filter(Files::isDirectory).toList();
      assertThat(scripts).isNotEmpty();
      for (Path script : scripts) {
        assertThat(script.resolve("LICENSE")).isNotEmptyFile();
        String[] name = script.getFileName().toString().split("-(?=\\d)");
        assertThat(carried().keySet()).anyMatch(one -> one.endsWith(name[0] + " " + name[1]));
      }
    }
  }

  /** The list is made from what Maven resolves; this is what is really packed. */
  @Test
  void libraries_of_the_war_are_those_of_the_list() throws IOException {
    assumeTrue(Files.exists(BuildDirectories.war()), "the WAR is built later; IT runs look at it");
    Set<String> packed = new TreeSet<>();
    try (var war = new ZipFile(BuildDirectories.war().toFile())) {
      war.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.startsWith("WEB-INF/lib/") && name.endsWith(".jar"))
          .forEach(name -> packed.add(name.substring(12)));
    }
    Set<String> listed = new TreeSet<>();
    for (JsonObject one : read(BOM).getJsonArray("components").getValuesAs(JsonObject.class)) {
      listed.add(one.getString("name") + "-" + one.getString("version") + ".jar");
    }
    assertThat(packed).isEqualTo(listed);
  }
}
