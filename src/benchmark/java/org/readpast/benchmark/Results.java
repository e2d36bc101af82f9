package org.readpast.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.benchmark.Measure.Aim;

/** Holds the values that were measured in all rounds, and the targets. */
final class Results {
  private final Map<String, Measure> measures = new LinkedHashMap<>();

  /** Records one value of a measure. */
  double add(String name, String unit, double value) {
    measures.computeIfAbsent(name, n -> new Measure(n, unit)).add(value);
    System.out.printf(Locale.ROOT, "%-60s %,14.2f %s%n", name, value, unit);
    return value;
  }

  /** Records both percentiles of a measure. */
  void addLatency(String what, Peer.Latency latency) {
    add(what + ", p50", "ms", latency.p50());
    add(what + ", p99", "ms", latency.p99());
  }

  /** Drops all values that were recorded before. */
  void forget() {
    measures.clear();
  }

  /**
   * Requires the ratio of this measure to the reference, or the measure itself if there is no
   * reference, to be at least the target.
   */
  void atLeast(String name, @Nullable String reference, double target) {
    aim(name, new Aim(reference, target, false));
  }

  /**
   * Requires the ratio of this measure to the reference, or the measure itself if there is no
   * reference, to be at most the target.
   */
  void atMost(String name, @Nullable String reference, double target) {
    aim(name, new Aim(reference, target, true));
  }

  private void aim(String name, Aim aim) {
    Measure measure = measures.get(name);
    if (measure != null) {
      measure.aim(aim);
    }
  }

  /** Returns the measures in the order in which they were first added. */
  List<Measure> measures() {
    return List.copyOf(measures.values());
  }

  @Nullable Measure find(String name) {
    return measures.get(name);
  }

  /** Returns each measure once for each of its aims, and once if it has none. */
  List<Comparison> comparisons() {
    return measures.values().stream().flatMap(this::comparisons).toList();
  }

  private Stream<Comparison> comparisons(Measure measure) {
    List<Aim> aims = measure.aims();
    return aims.isEmpty()
        ? Stream.of(new Comparison(measure, null, null))
        : aims.stream().map(aim -> new Comparison(measure, aim, ratio(measure, aim)));
  }

  private @Nullable Double ratio(Measure measure, Aim aim) {
    Measure reference = aim.reference() == null ? null : measures.get(aim.reference());
    if (reference == null) {
      return null;
    }
    double ratio = measure.median() / reference.median();
    return Double.isFinite(ratio) ? ratio : null;
  }
}
