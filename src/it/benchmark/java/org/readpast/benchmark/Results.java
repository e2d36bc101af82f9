package org.readpast.benchmark;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was measured, over all rounds, and what it must reach. */
final class Results {
  private final Map<String, Measure> measures = new LinkedHashMap<>();

  /** One measure; its values, one a round, in its unit. */
  static final class Measure {
    final String name;
    final String unit;
    private final List<Double> values = new ArrayList<>();
    private @Nullable String reference;
    private double target = Double.NaN;
    private boolean atMost;

    private Measure(String name, String unit) {
      this.name = name;
      this.unit = unit;
    }

    double median() {
      List<Double> sorted = values.stream().sorted().toList();
      int half = sorted.size() / 2;
      return sorted.size() % 2 == 1
          ? sorted.get(half)
          : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    double min() {
      return values.stream().mapToDouble(v -> v).min().orElse(Double.NaN);
    }

    double max() {
      return values.stream().mapToDouble(v -> v).max().orElse(Double.NaN);
    }
  }

  /** Takes note of one value. */
  double add(String name, String unit, double value) {
    measures.computeIfAbsent(name, n -> new Measure(n, unit)).values.add(value);
    System.out.printf(Locale.ROOT, "%-60s %,14.2f %s%n", name, value, unit);
    return value;
  }

  /** Drops all that was added. */
  void forget() {
    measures.clear();
  }

  /** This measure by the reference is to be at least the target. */
  void atLeast(String name, @Nullable String reference, double target) {
    aim(name, reference, target, false);
  }

  /** This measure, by the reference where there is one, is to be at most the target. */
  void atMost(String name, @Nullable String reference, double target) {
    aim(name, reference, target, true);
  }

  private void aim(String name, @Nullable String reference, double target, boolean atMost) {
    Measure measure = measures.get(name);
    if (measure != null) {
      measure.reference = reference;
      measure.target = target;
      measure.atMost = atMost;
    }
  }

  Iterable<Measure> measures() {
    return measures.values();
  }

  /** By its reference's median; NaN: it has none. */
  double ratio(Measure measure) {
    Measure reference = measure.reference == null ? null : measures.get(measure.reference);
    return reference == null ? Double.NaN : measure.median() / reference.median();
  }

  /** Whether it reaches its target; null: it has none. */
  @Nullable Boolean met(Measure measure) {
    if (Double.isNaN(measure.target)) {
      return null;
    }
    double value = measure.reference == null ? measure.median() : ratio(measure);
    return measure.atMost ? value <= measure.target : value >= measure.target;
  }

  String json() {
    JsonArrayBuilder all = Json.createArrayBuilder();
    for (Measure measure : measures()) {
      JsonObjectBuilder one =
          Json.createObjectBuilder()
              .add("measure", measure.name)
              .add("median", measure.median())
              .add("min", measure.min())
              .add("max", measure.max())
              .add("unit", measure.unit);
      Boolean met = met(measure);
      addOrNull(one, "reference", measure.reference);
      addOrNull(one, "ratio", number(ratio(measure)));
      addOrNull(one, "target", number(measure.target));
      if (met == null) {
        one.addNull("met");
      } else {
        one.add("met", met);
      }
      all.add(one);
    }
    return all.build().toString();
  }

  private static @Nullable Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private static void addOrNull(JsonObjectBuilder to, String name, @Nullable Object value) {
    if (value == null) {
      to.addNull(name);
    } else if (value instanceof Double number) {
      to.add(name, number);
    } else {
      to.add(name, value.toString());
    }
  }

  /** A table in Markdown. */
  String table() {
    StringBuilder text =
        new StringBuilder(
            "| measure | median | min to max | unit | of | ratio | target | met |\n"
                + "|---|---:|---:|---|---|---:|---:|---|\n");
    for (Measure measure : measures()) {
      double ratio = ratio(measure);
      Boolean met = met(measure);
      text.append("| ")
          .append(measure.name)
          .append(" | ")
          .append(show(measure.median()))
          .append(" | ")
          .append(show(measure.min()))
          .append(" to ")
          .append(show(measure.max()))
          .append(" | ")
          .append(measure.unit)
          .append(" | ")
          .append(measure.reference == null ? "" : measure.reference)
          .append(" | ")
          .append(Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, "%.2f", ratio))
          .append(" | ")
          .append(
              Double.isNaN(measure.target)
                  ? ""
                  : (measure.atMost ? "≤ " : "≥ ") + show(measure.target))
          .append(" | ")
          .append(met == null ? "" : met ? "yes" : "no")
          .append(" |\n");
    }
    return text.toString();
  }

  private static String show(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
  }
}
