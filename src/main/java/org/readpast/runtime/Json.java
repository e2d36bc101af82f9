package org.readpast.runtime;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.model.ContentType;
import org.readpast.model.Encryption;
import org.readpast.model.StoredType;

/**
 * Writes and reads payloads with the server's JSON Binding, properties with its JSON Processing.
 */
@ApplicationScoped
public class Json {
  private final Jsonb jsonb = JsonbBuilder.create();

  // Held: each static method of jakarta.json.Json searches the class path for it, and each job with
  // a trace has properties. Measured under load: a twentieth of Payara's time.
  private final JsonProvider provider = JsonProvider.provider();

  String write(Object payload) {
    return jsonb.toJson(payload);
  }

  /** Written as a value of this type. */
  String write(Object value, Type type) {
    return jsonb.toJson(value, type);
  }

  Object read(String json, Type type) {
    return jsonb.fromJson(json, type);
  }

  /** Reads a JSON object. */
  JsonObject readObject(String text) {
    if (value(text) instanceof JsonObject object) {
      return object;
    }
    throw new IllegalArgumentException("it is no object");
  }

  /** Reads a JSON array. */
  JsonArray readArray(String text) {
    try (JsonReader reader = provider.createReader(new StringReader(text))) {
      if (reader.readValue() instanceof JsonArray array) {
        return array;
      }
    }
    throw new IllegalArgumentException("it is no array");
  }

  <T> T read(String json, Class<T> type) {
    return jsonb.fromJson(json, type);
  }

  /** A text as a JSON string. */
  String writeText(String text) {
    return provider.createValue(text).toString();
  }

  /** What a JSON string says. */
  String readText(String json) {
    try (JsonReader reader = provider.createReader(new StringReader(json))) {
      return ((JsonString) reader.readValue()).getString();
    }
  }

  /**
   * Reads a payload.
   *
   * @param contentType null: JSON
   * @param as {@code String.class} or {@code byte[].class} for what it is, else a class to read it
   *     as from JSON
   */
  @SuppressWarnings("unchecked") // The class says which it is.
  public <T> T readPayload(@Nullable String contentType, String payload, Class<T> as) {
    ContentType type = ContentType.of(contentType);
    if (as == String.class) {
      return (T) (type == null ? payload : type.text(readText(payload)));
    }
    if (as == byte[].class) {
      return (T)
          (type == null ? payload.getBytes(StandardCharsets.UTF_8) : type.bytes(readText(payload)));
    }
    if (type != null) {
      throw new IllegalArgumentException(
          "it is " + type.name() + ", which can be taken as byte[] or String");
    }
    T read = read(payload, as);
    if (read == null) {
      throw new IllegalArgumentException("it is null");
    }
    return read;
  }

  /** Reads a payload as {@link #readPayload} does, of an older version of the class too. */
  public <T> T readUpcast(
      StoredType type, @Nullable String contentType, String payload, Class<T> as) {
    String own =
        ContentType.of(contentType) == null
            ? TypeVersions.upcast(this, type, payload, as)
            : payload;
    return readPayload(contentType, own, as);
  }

  /** Throws unless the text is one JSON value. */
  void check(String text) {
    value(text);
  }

  /** The one JSON value that a text is; throws if it is none. */
  JsonValue value(String text) {
    try (var reader = provider.createReader(new StringReader(text))) {
      return reader.readValue();
    }
  }

  /** Whether it is JSON at all. */
  boolean isJson(String text) {
    try {
      check(text);
      return true;
    } catch (JsonException e) {
      return false;
    }
  }

  /** A JSON object of texts; null when there are none. */
  public @Nullable String writeProperties(Map<String, String> properties) {
    if (properties.isEmpty()) {
      return null;
    }
    JsonObjectBuilder object = provider.createObjectBuilder();
    properties.forEach(object::add);
    return object.build().toString();
  }

  /** Null: there are none. */
  public Map<String, String> readProperties(@Nullable String json) {
    if (json == null || Encryption.whyNot(json) != null) {
      return Map.of();
    }
    JsonObject object = provider.createReader(new StringReader(json)).readObject();
    Map<String, String> properties = new LinkedHashMap<>();
    object.forEach(
        (name, value) ->
            properties.put(name, value instanceof JsonString s ? s.getString() : value.toString()));
    return Map.copyOf(properties);
  }

  @PreDestroy
  public void close() {
    try {
      jsonb.close();
    } catch (Exception e) {
      throw new IllegalStateException("JSON-B does not close", e);
    }
  }

  /**
   * The result of a job's handler; null if there is none.
   *
   * @throws ReadpastException if it does not fit
   */
  public <T> @Nullable T resultOf(long id, @Nullable String result, Class<T> as) {
    String encrypted = Encryption.whyNot(result);
    if (encrypted != null) {
      throw new ReadpastException(encrypted);
    }
    try {
      return result == null ? null : readPayload(null, result, as);
    } catch (RuntimeException e) {
      throw new ReadpastException(
          "the result of job " + id + " does not fit " + as.getName() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The payload of a job, for callers that ask for a class; one of an older version is read through
   * the {@link org.readpast.api.Upcasts} methods of the class.
   *
   * @throws UnreadablePayloadException if it does not fit
   */
  public <T> T payloadOf(long id, StoredType type, String contentType, String stored, Class<T> as) {
    String encrypted = Encryption.whyNot(stored);
    if (encrypted != null) {
      throw new UnreadablePayloadException(encrypted, null);
    }
    try {
      return readUpcast(type, contentType, stored, as);
    } catch (RuntimeException e) {
      throw new UnreadablePayloadException(
          "the payload of job "
              + id
              + ", type "
              + type
              + ", does not fit "
              + as.getTypeName()
              + ": "
              + e.getMessage(),
          e);
    }
  }
}
