package org.readpast.telemetry;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who enqueued a job, as W3C Trace Context has it, among the properties of the job. */
final class TraceContext {
  static final String PARENT = "traceparent";
  private static final JsonProvider JSON = JsonProvider.provider();

  private TraceContext() {}

  /**
   * Properties with such headers; those that name a parent already are left as they are: somebody
   * has said on whose behalf the job is.
   *
   * @param properties a JSON object of texts; null: none
   */
  static @Nullable String added(@Nullable String properties, Map<String, String> headers) {
    if (headers.isEmpty()) {
      return properties;
    }
    JsonObject own =
        properties == null
            ? JsonValue.EMPTY_JSON_OBJECT
            : JSON.createReader(new StringReader(properties)).readObject();
    if (own.containsKey(PARENT)) {
      return properties;
    }
    JsonObjectBuilder both = JSON.createObjectBuilder();
    headers.forEach(both::add);
    // A name stands in an object once: a state of the trace is that of its parent.
    own.forEach(
        (name, value) -> {
          if (!headers.containsKey(name)) {
            both.add(name, value);
          }
        });
    return both.build().toString();
  }
}
