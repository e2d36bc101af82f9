package org.readpast.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What earlier runs measured, so that a slower commit is seen; one JSON object a line, the newest
 * last.
 *
 * <p>Ratios within one run are compared, not rates: those change with the machine.
 */
final class History {
  /** Among the sources, where it is versioned and survives a clean build. */
  static final String FILE = "src/it/benchmark/history.jsonl";

  /** What the same commit differs by from one run to the next is less. */
  private static final double TOLERATED = 0.15;

  private final Path file;
  private final List<JsonObject> entries;

  private History(Path file, List<JsonObject> entries) {
    this.file = file;
    this.entries = entries;
  }

  /** A measure whose ratio has become worse since it was last kept. */
  record Decline(String measure, double kept, double now, String commit, String day, String on) {
    /** Of the kept ratio; negative if it fell. */
    long percent() {
      return Math.round((now - kept) / kept * 100);
    }
  }

  /** Empty if there is no such file; a line that is not JSON is an error. */
  static History read(Path file) throws IOException {
    var entries = new ArrayList<JsonObject>();
    if (Files.exists(file)) {
      int number = 0;
      for (String line : Files.readAllLines(file, UTF_8)) {
        number++;
        if (!line.isBlank()) {
          entries.add(parse(line, file, number));
        }
      }
    }
    return new History(file, entries);
  }

  private static JsonObject parse(String line, Path file, int number) {
    try (var reader = Json.createReader(new StringReader(line))) {
      return reader.readObject();
    } catch (JsonException e) {
      throw new IllegalStateException(
          file + ", line " + number + " is no JSON object; mend or remove it", e);
    }
  }

  /** What has become worse by more than is tolerated, each against when it was last kept. */
  List<Decline> declines(Results results, Run run) {
    Map<String, JsonObject> last = lastKept(run.size());
    var declines = new ArrayList<Decline>();
    for (Measure measure : results.measures()) {
      var aim = measure.aim();
      Double now = results.ratio(measure);
      JsonObject entry = last.get(measure.name);
      if (aim == null || now == null || entry == null) {
        continue;
      }
      double kept =
          entry
              .getJsonObject("measures")
              .getJsonObject(measure.name)
              .getJsonNumber("ratio")
              .doubleValue();
      if (aim.atMost() ? now > kept * (1 + TOLERATED) : now < kept * (1 - TOLERATED)) {
        declines.add(
            new Decline(
                measure.name,
                kept,
                now,
                entry.getString("commit"),
                entry.getString("date").substring(0, 10),
                entry.getJsonObject("machine").getString("processor")));
      }
    }
    return declines;
  }

  /**
   * For each measure the newest entry that has a ratio of it: a run may have been of some measures
   * only. Runs of other sizes do not count, as short ones are mostly start and end.
   */
  private Map<String, JsonObject> lastKept(double size) {
    var last = new HashMap<String, JsonObject>();
    for (JsonObject entry : entries) {
      if (entry.getJsonNumber("size").doubleValue() == size) {
        entry
            .getJsonObject("measures")
            .forEach(
                (name, figures) -> {
                  if (figures.asJsonObject().get("ratio") instanceof JsonNumber) {
                    last.put(name, entry);
                  }
                });
      }
    }
    return last;
  }

  /** Appends this run to the file. */
  void keep(Results results, Run run) throws IOException {
    var measures = Json.createObjectBuilder();
    for (Measure measure : results.measures()) {
      measures.add(
          measure.name,
          Json.createObjectBuilder()
              .add("median", ResultsJson.number(measure.median()))
              .add("ratio", ResultsJson.number(results.ratio(measure))));
    }
    var machine = Json.createObjectBuilder();
    run.machine().lines().forEach(machine::add);
    JsonObject entry =
        Json.createObjectBuilder()
            .add("commit", run.commit())
            .add("date", run.date().toString())
            .add("size", run.size())
            .add("machine", machine)
            .add("measures", measures)
            .build();
    Files.writeString(file, entry + "\n", UTF_8, CREATE, APPEND);
  }
}
