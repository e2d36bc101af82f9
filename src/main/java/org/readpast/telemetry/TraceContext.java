package org.readpast.telemetry;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores the trace that enqueued a job among the properties of the job, as W3C Trace Context. */
final class TraceContext {
  static final String PARENT = "traceparent";
  private static final JsonProvider JSON = JsonProvider.provider();

  private TraceContext() {}

  /**
   * Adds the given headers to the properties, and returns the result. Properties that already
   * contain a parent trace are returned unchanged, because the caller has set the trace of the job.
   *
   * @param properties a JSON object with strings as values, or null if there are none
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
    // The headers replace properties of the same name, because an object has each name once, and
    // the trace state must be that of the parent.
    own.forEach(
        (name, value) -> {
          if (!headers.containsKey(name)) {
            both.add(name, value);
          }
        });
    return both.build().toString();
  }
}
