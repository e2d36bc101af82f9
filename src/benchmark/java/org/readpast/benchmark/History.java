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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the measurements of earlier runs, which reveal a commit that has made Readpast slower. The
 * file has one JSON object per line, the newest last.
 *
 * <p>Only ratios within one run are compared, because the rates depend on the machine.
 */
final class History {
  /** The file is among the sources, so that it is versioned and survives a clean build. */
  static final String FILE = "src/benchmark/history.jsonl";

  /**
   * Limits the differences between runs that do not count as a change; two runs of the same commit
   * differ less.
   */
  private static final double TOLERATED = 0.15;

  private final Path file;
  private final List<JsonObject> entries;

  private History(Path file, List<JsonObject> entries) {
    this.file = file;
    this.entries = entries;
  }

  /** Describes a ratio that has become worse since it was last stored. */
  record Decline(String measure, double kept, double now, String commit, String day, String on) {
    /** Returns the change of the stored ratio in percent; negative if it has decreased. */
    long percent() {
      return Math.round((now - kept) / kept * 100);
    }
  }

  /** Reads the history, which is empty if there is no file. A line that is not JSON is an error. */
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

  /**
   * Returns the ratios that have become worse than tolerated, each compared with the last stored
   * one.
   */
  List<Decline> declines(Results results, Run run) {
    var declines = new ArrayList<Decline>();
    for (Comparison line : results.comparisons()) {
      var aim = line.aim();
      String reference = line.reference();
      Double now = line.ratio();
      if (aim == null || reference == null || now == null) {
        continue;
      }
      String name = line.measure().name;
      JsonObject entry = lastKept(run.size(), name, reference);
      if (entry == null) {
        continue;
      }
      double kept = median(entry, name) / median(entry, reference);
      if (aim.atMost() ? now > kept * (1 + TOLERATED) : now < kept * (1 - TOLERATED)) {
        declines.add(
            new Decline(
                line.label(),
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
   * Returns the newest entry that has both medians, or null if there is none, because a run may
   * contain only some of the measures. The ratio is computed from the medians, so that a new aim
   * can be compared with old runs. Runs of other sizes are ignored, because short runs consist
   * mainly of their start and end.
   */
  private @Nullable JsonObject lastKept(double size, String name, String reference) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      JsonObject entry = entries.get(i);
      if (entry.getJsonNumber("size").doubleValue() == size
          && Double.isFinite(median(entry, name) / median(entry, reference))) {
        return entry;
      }
    }
    return null;
  }

  /** Returns the median, or NaN if the run did not measure it. */
  private static double median(JsonObject entry, String name) {
    JsonObject figures = entry.getJsonObject("measures").getJsonObject(name);
    return figures != null && figures.get("median") instanceof JsonNumber median
        ? median.doubleValue()
        : Double.NaN;
  }

  /** Appends this run to the file. */
  void keep(Results results, Run run) throws IOException {
    var measures = Json.createObjectBuilder();
    Set<String> kept = new HashSet<>();
    for (Comparison line : results.comparisons()) {
      String name = line.measure().name;
      // If a measure has several aims, only the ratio of the first is stored, because the others
      // follow from the medians.
      if (kept.add(name)) {
        measures.add(
            name,
            Json.createObjectBuilder()
                .add("median", ResultsJson.number(line.measure().median()))
                .add("ratio", ResultsJson.number(line.ratio())));
      }
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
