package org.readpast.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Holds the values of a measure, one per round, its unit and its aims. */
final class Measure {
  final String name;
  final String unit;
  private final List<Double> values = new ArrayList<>();
  private final List<Aim> aims = new ArrayList<>();

  /**
   * Sets a target for the ratio of the measure to its reference, or for the measure itself if it
   * has no reference.
   */
  record Aim(@Nullable String reference, double target, boolean atMost) {
    boolean metBy(double value) {
      return atMost ? value <= target : value >= target;
    }

    @Override
    public String toString() {
      return (atMost ? "≤ " : "≥ ") + Figures.brief(target);
    }
  }

  Measure(String name, String unit) {
    this.name = name;
    this.unit = unit;
  }

  void add(double value) {
    values.add(value);
  }

  /** Adds an aim, which replaces a previous one with the same reference. */
  void aim(Aim added) {
    aims.removeIf(aim -> Objects.equals(aim.reference(), added.reference()));
    aims.add(added);
  }

  /** Returns the aims of the measure in the order in which they were added. */
  List<Aim> aims() {
    return List.copyOf(aims);
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
