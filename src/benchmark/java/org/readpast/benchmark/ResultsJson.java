package org.readpast.benchmark;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import jakarta.json.stream.JsonGenerator;
import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results for other programs: a list of measures, each with all keys, null if unknown. A
 * measure with several aims is listed once for each of them.
 */
final class ResultsJson {
  private ResultsJson() {}

  static String of(Results results) {
    JsonArrayBuilder all = Json.createArrayBuilder();
    for (Comparison line : results.comparisons()) {
      all.add(one(line));
    }
    return indented(all.build());
  }

  private static JsonObject one(Comparison line) {
    Measure measure = line.measure();
    var aim = line.aim();
    return Json.createObjectBuilder()
        .add("measure", measure.name)
        .add("median", number(measure.median()))
        .add("min", number(measure.min()))
        .add("max", number(measure.max()))
        .add("unit", measure.unit)
        .add("reference", text(line.reference()))
        .add("ratio", number(line.ratio()))
        .add("target", number(aim == null ? null : aim.target()))
        .add("met", truth(line.met()))
        .build();
  }

  /** Returns null for NaN and infinity, which JSON cannot represent. */
  static JsonValue number(@Nullable Double value) {
    return value == null || !Double.isFinite(value) ? JsonValue.NULL : Json.createValue(value);
  }

  private static JsonValue text(@Nullable String value) {
    return value == null ? JsonValue.NULL : Json.createValue(value);
  }

  private static JsonValue truth(@Nullable Boolean value) {
    return value == null ? JsonValue.NULL : value ? JsonValue.TRUE : JsonValue.FALSE;
  }

  private static String indented(JsonArray array) {
    var text = new StringWriter();
    try (var writer =
        Json.createWriterFactory(Map.of(JsonGenerator.PRETTY_PRINTING, true)).createWriter(text)) {
      writer.write(array);
    }
    return text.toString().strip() + "\n";
  }
}
