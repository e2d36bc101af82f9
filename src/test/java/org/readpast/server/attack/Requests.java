package org.readpast.server.attack;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Generates requests from an API description; the same seed generates the same requests. */
final class Requests {
  private static final Set<String> VERBS = Set.of("get", "post", "put", "patch", "delete");

  /** Lists the operations that are skipped, because a stream has no end. */
  private static final Set<String> LEFT_OUT = Set.of("events");

  // There are only a few names, so that requests affect the same objects.
  private static final List<String> NAMES = List.of("a", "b", "mail", "fuzz.1", "x-y_z");
  private static final List<String> TYPES =
      List.of("readpast.ping", "readpast.ping", "readpast.ping", "sql", "readpast.rule");
  private static final List<String> MOMENTS =
      List.of("PT5M", "PT1H", "P1D", "02:30", "0 2 * * *", "Europe/Berlin", "2026-03-29T00:30:00Z");
  private static final Set<String> DURATIONS = Set.of("delay", "expiresIn", "every", "latestStart");
  private static final List<String> NUMBERS =
      List.of("0", "-1", "1", "9", "10", "2147483648", "9223372036854775808", "1e9", "-0", "0.5");

  /** Identifies the degree to which a request follows the description. */
  enum Kind {
    VALID,
    BOUNDARY,
    MUTATED,
    HOSTILE
  }

  /** Describes a request that can be sent. */
  record Request(
      Kind kind,
      String operation,
      String method,
      String target,
      String contentType,
      Map<String, String> headers,
      String body) {
    @Override
    public String toString() {
      return "%s %s %s %s %s %s"
          .formatted(
              kind,
              method,
              target,
              contentType,
              headers,
              body.substring(0, Math.min(800, body.length())));
    }
  }

  private record Operation(String method, String path, JsonObject said, JsonArray parameters) {}

  private final JsonObject description;
  private final List<Operation> operations = new ArrayList<>();
  private final List<String> hostile = Corpus.texts(1);
  private final Random random;
  private final List<Long> ids = new ArrayList<>();
  private Kind kind = Kind.VALID;

  Requests(String description, long seed) {
    try (var reader = Json.createReader(new StringReader(description))) {
      this.description = reader.readObject();
    }
    random = new Random(seed);
    new TreeMap<>(this.description.getJsonObject("paths"))
        .forEach((path, item) -> addAll(path, item.asJsonObject()));
  }

  private void addAll(String path, JsonObject item) {
    for (String verb : new java.util.TreeSet<>(item.keySet())) {
      if (VERBS.contains(verb)) {
        JsonObject said = item.getJsonObject(verb);
        var parameters = Json.createArrayBuilder();
        for (JsonObject holder : List.of(item, said)) {
          holder
              .getOrDefault("parameters", JsonValue.EMPTY_JSON_ARRAY)
              .asJsonArray()
              .forEach(one -> parameters.add(resolved(one.asJsonObject())));
        }
        if (!LEFT_OUT.contains(said.getString("operationId"))) {
          operations.add(
              new Operation(
                  verb.toUpperCase(java.util.Locale.ROOT), path, said, parameters.build()));
        }
      }
    }
  }

  private JsonObject resolved(JsonObject one) {
    JsonObject found = one;
    while (found.containsKey("$ref")) {
      JsonValue at = description;
      for (String step : found.getString("$ref").substring(2).split("/")) {
        at = at.asJsonObject().get(step);
      }
      found = at.asJsonObject();
    }
    return found;
  }

  /** Returns the operations by their ids. */
  List<String> operationIds() {
    return operations.stream().map(one -> one.said.getString("operationId")).toList();
  }

  /** Returns the id of an existing job, which later requests can use. */
  void learn(long id) {
    ids.add(id);
  }

  Request next() {
    // Most other requests need jobs.
    Operation operation =
        chance(0.15)
            ? operations.stream()
                .filter(one -> one.said.getString("operationId").equals("enqueue"))
                .findFirst()
                .orElseThrow()
            : pick(operations);
    kind = pick(List.of(Kind.VALID, Kind.VALID, Kind.BOUNDARY, Kind.MUTATED, Kind.HOSTILE));
    String path = operation.path;
    var query = new StringBuilder();
    Map<String, String> headers = new TreeMap<>();
    for (JsonObject parameter : operation.parameters.getValuesAs(JsonObject.class)) {
      String name = parameter.getString("name");
      String value = plain(name, parameter.getJsonObject("schema"));
      switch (parameter.getString("in")) {
        // Slashes in names are not encoded, because servers refuse encoded slashes.
        case "path" ->
            path = path.replace("{" + name + "}", Corpus.encoded(value).replace("%2F", "/"));
        case "query" -> {
          if (chance(0.4)) {
            query.append(query.isEmpty() ? '?' : '&').append(name).append('=');
            query.append(Corpus.encoded(value));
          }
        }
        default -> {
          // All other characters are encoded, because Java's HTTP client refuses them.
          if (chance(0.1) && value.matches("[ -~]+")) {
            headers.put(name, value.strip());
          }
        }
      }
    }
    String target = path.startsWith("/readpast") ? path : "/readpast" + path;
    return new Request(
        kind,
        operation.said.getString("operationId"),
        operation.method,
        target + query,
        kind == Kind.MUTATED && chance(0.1) ? "text/plain" : "application/json",
        headers,
        body(operation));
  }

  private String body(Operation operation) {
    if (!operation.said.containsKey("requestBody")) {
      return "";
    }
    JsonObject content =
        resolved(operation.said.getJsonObject("requestBody")).getJsonObject("content");
    JsonObject media = content.getJsonObject("application/json");
    String body = value("", media.getJsonObject("schema"), 0);
    return kind == Kind.MUTATED ? mutated(body) : body;
  }

  private String mutated(String text) {
    var changed = new StringBuilder(text);
    for (int n = random.nextInt(3); n >= 0 && changed.length() > 1; n--) {
      int at = random.nextInt(changed.length());
      int end = Math.min(changed.length(), at + 1 + random.nextInt(8));
      switch (random.nextInt(5)) {
        case 0 -> changed.delete(at, end);
        case 1 -> changed.insert(at, changed.substring(at, end));
        case 2 -> changed.setCharAt(at, (char) random.nextInt(0x3000));
        case 3 -> changed.setLength(at);
        default ->
            changed.insert(at, pick(List.of("\"", "\\", "{", "]", ",", "\\u0000", "1e", "null")));
      }
    }
    return changed.toString();
  }

  /** Returns the value as text for a path, a query or a header. */
  private String plain(String name, JsonObject schema) {
    String value = value(name, schema, 0);
    if (value.startsWith("\"")) {
      try (var reader = Json.createReader(new StringReader("[" + value + "]"))) {
        return reader.readArray().getString(0);
      }
    }
    return value;
  }

  /** Returns the value as JSON. */
  private String value(String name, JsonObject given, int depth) {
    JsonObject schema = resolved(given);
    if (kind == Kind.HOSTILE && depth > 0 && chance(0.3)
        || kind == Kind.HOSTILE && name.length() > 0 && chance(0.2)) {
      return Corpus.json(pick(hostile));
    }
    if (kind != Kind.VALID && chance(0.05)) {
      return pick(List.of("null", "{}", "[]", "true", "\"\"", "-1", "[[[]]]"));
    }
    if (schema.containsKey("oneOf")) {
      return value(name, pick(schema.getJsonArray("oneOf")).asJsonObject(), depth);
    }
    if (schema.containsKey("enum")) {
      return pick(schema.getJsonArray("enum")).toString();
    }
    return switch (type(schema)) {
      case "object" -> object(schema, depth);
      case "array" -> array(name, schema, depth);
      case "integer", "number" -> number(name, schema);
      case "boolean" -> Boolean.toString(random.nextBoolean());
      case "string" -> Corpus.json(string(name, schema));
      default -> anything(depth);
    };
  }

  private static String type(JsonObject schema) {
    JsonValue type = schema.get("type");
    // In OpenAPI 3.1, the type can be a list.
    JsonValue one = type instanceof JsonArray all ? all.get(0) : type;
    return one instanceof JsonString name ? name.getString() : "";
  }

  private String object(JsonObject schema, int depth) {
    var object = new StringBuilder("{");
    Set<String> required =
        Set.copyOf(
            schema
                .getOrDefault("required", JsonValue.EMPTY_JSON_ARRAY)
                .asJsonArray()
                .getValuesAs(JsonString::getString));
    schema
        .getOrDefault("properties", JsonValue.EMPTY_JSON_OBJECT)
        .asJsonObject()
        .forEach(
            (name, one) -> {
              boolean wanted = required.contains(name) && (kind == Kind.VALID || !chance(0.05));
              if (wanted || chance(kind == Kind.VALID ? 0.1 : 0.25)) {
                member(object, name, value(name, one.asJsonObject(), depth + 1));
              }
            });
    if (schema.get("additionalProperties") instanceof JsonObject more) {
      member(object, pick(NAMES), value("", more, depth + 1));
    } else if (kind != Kind.VALID && chance(0.05)) {
      member(object, pick(hostile), "1");
    }
    return object.append('}').toString();
  }

  private static void member(StringBuilder object, String name, String value) {
    object
        .append(object.length() > 1 ? "," : "")
        .append(Corpus.json(name))
        .append(':')
        .append(value);
  }

  private String array(String name, JsonObject schema, int depth) {
    int length = kind == Kind.BOUNDARY && chance(0.1) ? 200 : random.nextInt(4);
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(value(name, schema.getJsonObject("items"), depth + 1));
    }
    return "[" + String.join(",", elements) + "]";
  }

  private String number(String name, JsonObject schema) {
    boolean job =
        name.equals("id") || name.equals("ids") || name.equals("after") || name.equals("job");
    if (job && !ids.isEmpty() && chance(0.8)) {
      return Long.toString(pick(ids));
    }
    if (kind == Kind.BOUNDARY && chance(0.3)) {
      return pick(NUMBERS);
    }
    long least = limit(schema, "minimum", 0);
    long most = limit(schema, "maximum", least + 1_000);
    return Long.toString(
        kind == Kind.BOUNDARY
            ? pick(List.of(least, most, least - 1, most + 1))
            : least + random.nextInt((int) Math.min(100, most - least + 1)));
  }

  private static long limit(JsonObject schema, String name, long otherwise) {
    return schema.get(name) instanceof JsonNumber number ? number.longValue() : otherwise;
  }

  private String string(String name, JsonObject schema) {
    if (kind == Kind.BOUNDARY && chance(0.3)) {
      int most = (int) limit(schema, "maxLength", 64);
      return pick(List.of("", "a", "a".repeat(most), "a".repeat(most + 1), " ", "\uD83D\uDE00"));
    }
    if ("uuid".equals(schema.getString("format", ""))) {
      return new UUID(random.nextLong(), random.nextLong()).toString();
    }
    if (DURATIONS.contains(name)) {
      return pick(List.of("PT5M", "PT1H", "P1D"));
    }
    if (name.equals("type") || name.equals("computation")) {
      return pick(TYPES);
    }
    if (name.equals("search")) {
      return pick(
          List.of("select 1 as id", "select id from readpast_job", "select 1", "delete from x"));
    }
    if (name.equals("q")) {
      return pick(
          NAMES.stream()
              .map(one -> pick(List.of("queue:", "type:", "batch:", "error:", "payload.a:")) + one)
              .toList());
    }
    if (schema.containsKey("example") && chance(0.5)) {
      return schema.get("example") instanceof JsonString text
          ? text.getString()
          : schema.get("example").toString();
    }
    return chance(0.3) && !schema.containsKey("pattern") ? pick(MOMENTS) : pick(NAMES);
  }

  private String anything(int depth) {
    return switch (depth > 4 ? 0 : random.nextInt(6)) {
      case 0 -> "{}";
      case 1 -> "{\"fail\":" + random.nextInt(2) + "}";
      case 2 -> "[" + anything(depth + 1) + ",1]";
      case 3 -> pick(NUMBERS.subList(0, 6));
      case 4 -> "{\"statement\":\"known\"}";
      default -> Corpus.json(pick(NAMES));
    };
  }

  private boolean chance(double share) {
    return random.nextDouble() < share;
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
