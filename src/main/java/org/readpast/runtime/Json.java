package org.readpast.runtime;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads payloads with the server's JSON Binding, properties with its JSON Processing.
 */
@ApplicationScoped
public class Json {
  private final Jsonb jsonb = JsonbBuilder.create();

  String write(Object payload) {
    return jsonb.toJson(payload);
  }

  <T> T read(String json, Class<T> type) {
    return jsonb.fromJson(json, type);
  }

  /** Throws unless the text is one JSON value. */
  void check(String text) {
    try (var reader = jakarta.json.Json.createReader(new StringReader(text))) {
      reader.readValue();
    }
  }

  /** A JSON object of texts; null when there are none. */
  @Nullable String writeProperties(Map<String, String> properties) {
    if (properties.isEmpty()) {
      return null;
    }
    JsonObjectBuilder object = jakarta.json.Json.createObjectBuilder();
    properties.forEach(object::add);
    return object.build().toString();
  }

  Map<String, String> readProperties(@Nullable String json) {
    if (json == null) {
      return Map.of();
    }
    JsonObject object = jakarta.json.Json.createReader(new StringReader(json)).readObject();
    Map<String, String> properties = new LinkedHashMap<>();
    object.forEach(
        (name, value) ->
            properties.put(name, value instanceof JsonString s ? s.getString() : value.toString()));
    return Map.copyOf(properties);
  }

  @PreDestroy
  void close() {
    try {
      jsonb.close();
    } catch (Exception e) {
      throw new IllegalStateException("JSON-B does not close", e);
    }
  }
}
