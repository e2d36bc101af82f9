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
 * Tests that the list of third-party content in the WAR is complete, and that its licences permit
 * redistribution.
 */
class SbomTest {
  private static final Path BOM = Path.of("target/bom.json");
  private static final Path LOCK = Path.of("src/main/vendor/package-lock.json");
  private static final Path VENDOR = Path.of("src/main/webapp/vendor");
  private static final Path LISTED = Path.of("SECURITY.md");

  /** Lists the licences that are permitted for code. */
  private static final Set<String> ALLOWED =
      Set.of("Apache-2.0", "MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "EPL-1.0", "EPL-2.0");

  /** Contains the licence of each font, which is permitted for fonts only. */
  private static final Map<String, String> FONTS = Map.of("@fontsource-variable/inter", "OFL-1.1");

  private static JsonObject read(Path file) throws IOException {
    assumeTrue(Files.exists(file), file + " does not exist in an offline build");
    try (var reader = Json.createReader(Files.newInputStream(file))) {
      return reader.readObject();
    }
  }

  /** Returns libraries and scripts with their versions, and the licences of each. */
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
              // Build tools and packages with types only are not part of the WAR.
              if (!path.isEmpty() && !it.getBoolean("dev", false) && !name.startsWith("@types/")) {
                carried.put(
                    name + " " + it.getString("version"), Set.of(it.getString("license", "none")));
              }
            });
    return carried;
  }

  @Test
  void every_licence_permits_redistribution() throws IOException {
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
              // If a component has several licences, one permitted licence is enough.
              assertThat(licences).as(name).containsAnyElementsOf(allowed);
            });
  }

  @Test
  void sbom_lists_all_components() throws IOException {
    String text = Files.readString(LISTED);
    assertThat(carried().keySet().stream().map(name -> name.substring(0, name.lastIndexOf(' '))))
        .allSatisfy(name -> assertThat(text).contains("`" + name + "`"));
  }

  @Test
  void scripts_match_the_lock_file_with_their_licences() throws IOException {
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

  /** Checks the packed WAR, because the list comes from Maven's dependency resolution. */
  @Test
  void libraries_of_the_war_match_the_list() throws IOException {
    assumeTrue(Files.exists(BuildDirectories.war()), "the WAR is built later; the ITs check it");
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
