package org.readpast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.readpast.server.access.Routes.Role;
import org.yaml.snakeyaml.Yaml;

/**
 * Tests that the page that lists the requests of the REST API agrees with the description of the
 * API, in both directions.
 */
class RestReferenceTest {
  private static final Path PAGE = Path.of("docs/reference/rest.md");
  private static final Path DESCRIPTION =
      Path.of("src/main/webapp/WEB-INF/classes/META-INF/openapi.yaml");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z]+ /api[^`]*)` \\| (\\S+) \\| (.*) \\|$");

  @Test
  void page_lists_each_request_with_its_role_and_its_summary() throws Exception {
    Map<String, String> listed = new LinkedHashMap<>();
    ROW.matcher(Files.readString(PAGE))
        .results()
        .forEach(
            row ->
                assertThat(listed.put(row.group(1), row.group(2) + ": " + row.group(3))).isNull());

    Map<String, Object> description = new Yaml().load(Files.readString(DESCRIPTION));
    Map<String, String> described = new LinkedHashMap<>();
    for (Routes.Route route : Routes.api()) {
      Object summary =
          map(map(map(description.get("paths")).get(route.path())).get(method(route)))
              .get("summary");
      described.put(route.toString(), role(route) + ": " + String.valueOf(summary).strip());
    }

    assertThat(listed).containsExactlyInAnyOrderEntriesOf(described);
  }

  private static String method(Routes.Route route) {
    return route.method().toLowerCase(Locale.ROOT);
  }

  private static String role(Routes.Route route) {
    return route.least() == Role.ANYBODY
        ? "none"
        : route.least().name().toLowerCase(Locale.ROOT) + (route.byQueue() ? "*" : "");
  }

  @SuppressWarnings("unchecked") // The keys of a YAML mapping are strings here.
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
