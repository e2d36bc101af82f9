package org.readpast.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.Yaml;

/** Reads the description of the REST API. */
final class OpenApi {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

  private OpenApi() {}

  /** Returns the operations in their order, such as {@code GET /api/jobs/{id}}. */
  static List<String> operations() {
    Map<String, Object> description =
        new Yaml()
            .load(Pages.text(Path.of("src/main/webapp/WEB-INF/classes/META-INF/openapi.yaml")));
    return map(description.get("paths")).entrySet().stream()
        .flatMap(
            path ->
                map(path.getValue()).keySet().stream()
                    .filter(METHODS::contains)
                    .map(method -> method.toUpperCase(Locale.ROOT) + " " + path.getKey()))
        .toList();
  }

  @SuppressWarnings("unchecked") // The keys of a YAML mapping are strings here.
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
