package org.readpast.telemetry;

import jakarta.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who enqueued a job, as W3C Trace Context has it, among the properties of the job. */
final class TraceContext {
  static final String PARENT = "traceparent";

  private TraceContext() {}

  /**
   * Properties with such headers; those that name a parent already are left as they are: somebody
   * has said on whose behalf the job is.
   *
   * @param properties a JSON object of texts; null: none
   */
  static @Nullable String added(@Nullable String properties, Map<String, String> headers) {
    if (headers.isEmpty() || (properties != null && properties.contains('"' + PARENT + '"'))) {
      return properties;
    }
    StringBuilder json = new StringBuilder("{");
    headers.forEach(
        (name, value) -> {
          json.append(json.length() == 1 ? "" : ",").append('"').append(name).append("\":");
          // The state may be anything printable.
          json.append(name.equals(PARENT) ? '"' + value + '"' : Json.createValue(value).toString());
        });
    String rest = properties == null ? "{}" : properties.strip();
    String members = rest.substring(1, rest.length() - 1).strip();
    return json.append(members.isEmpty() ? "" : ",").append(members).append('}').toString();
  }
}
