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
 * Writes and reads payloads with the server's JSON Binding, and properties with its JSON
 * Processing.
 */
@ApplicationScoped
public class Json {
  private final Jsonb jsonb = JsonbBuilder.create();

  // The provider is cached: each static method of jakarta.json.Json searches the class path for the
  // provider, and each job with a trace has properties. Searching for the provider took a twentieth
  // of Payara's time under load.
  private final JsonProvider provider = JsonProvider.provider();

  String write(Object payload) {
    return jsonb.toJson(payload);
  }

  /** Writes a value as a JSON value of this type. */
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
    throw new IllegalArgumentException("it is not an object");
  }

  /** Reads a JSON array. */
  JsonArray readArray(String text) {
    try (JsonReader reader = provider.createReader(new StringReader(text))) {
      if (reader.readValue() instanceof JsonArray array) {
        return array;
      }
    }
    throw new IllegalArgumentException("it is not an array");
  }

  <T> T read(String json, Class<T> type) {
    return jsonb.fromJson(json, type);
  }

  /** Writes a string as a JSON string. */
  String writeText(String text) {
    return provider.createValue(text).toString();
  }

  /** Returns the text of a JSON string. */
  String readText(String json) {
    try (JsonReader reader = provider.createReader(new StringReader(json))) {
      return ((JsonString) reader.readValue()).getString();
    }
  }

  /**
   * Reads a payload.
   *
   * @param contentType the content type, or null for JSON
   * @param as {@code String.class} or {@code byte[].class} to get the content unchanged, or a class
   *     to which the payload is converted from JSON
   */
  @SuppressWarnings("unchecked") // The result has the class that the caller passes.
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
          "it is " + type.name() + ", which can only be read as byte[] or String");
    }
    T read = read(payload, as);
    if (read == null) {
      throw new IllegalArgumentException("it is null");
    }
    return read;
  }

  /** Reads a payload like {@link #readPayload}, and also accepts older versions of the class. */
  public <T> T readUpcast(
      StoredType type, @Nullable String contentType, String payload, Class<T> as) {
    String own =
        ContentType.of(contentType) == null
            ? TypeVersions.upcast(this, type, payload, as)
            : payload;
    return readPayload(contentType, own, as);
  }

  /** Throws an exception unless the text is a single JSON value. */
  void check(String text) {
    value(text);
  }

  /**
   * Returns the single JSON value of a string; throws an exception if the text is anything else.
   */
  JsonValue value(String text) {
    try (var reader = provider.createReader(new StringReader(text))) {
      return reader.readValue();
    }
  }

  /** Returns true if the text is JSON. */
  boolean isJson(String text) {
    try {
      check(text);
      return true;
    } catch (JsonException e) {
      return false;
    }
  }

  /** Writes a JSON object whose values are strings; returns null if there are no properties. */
  public @Nullable String writeProperties(Map<String, String> properties) {
    if (properties.isEmpty()) {
      return null;
    }
    JsonObjectBuilder object = provider.createObjectBuilder();
    properties.forEach(object::add);
    return object.build().toString();
  }

  /** Reads properties from JSON; null stands for no properties. */
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
      throw new IllegalStateException("JSON Binding could not be closed", e);
    }
  }

  /**
   * Reads the result of a job's handler; returns null if there is none.
   *
   * @throws ReadpastException if the result cannot be converted to the class
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
   * Reads the payload of a job as an object of a class. A payload of an older version is converted
   * by the {@link org.readpast.api.Upcasts} methods of the class.
   *
   * @throws UnreadablePayloadException if the payload cannot be converted to the class
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
