package org.readpast.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.benchmark.Measure.Aim;

/** What was measured, over all rounds, and what it must reach. */
final class Results {
  private final Map<String, Measure> measures = new LinkedHashMap<>();

  /** Takes note of one value. */
  double add(String name, String unit, double value) {
    measures.computeIfAbsent(name, n -> new Measure(n, unit)).add(value);
    System.out.printf(Locale.ROOT, "%-60s %,14.2f %s%n", name, value, unit);
    return value;
  }

  /** Takes note of both. */
  void addLatency(String what, Peer.Latency latency) {
    add(what + ", p50", "ms", latency.p50());
    add(what + ", p99", "ms", latency.p99());
  }

  /** Drops all that was added. */
  void forget() {
    measures.clear();
  }

  /** This measure by the reference, or itself where there is none, is to be at least the target. */
  void atLeast(String name, @Nullable String reference, double target) {
    aim(name, new Aim(reference, target, false));
  }

  /** This measure by the reference, or itself where there is none, is to be at most the target. */
  void atMost(String name, @Nullable String reference, double target) {
    aim(name, new Aim(reference, target, true));
  }

  private void aim(String name, Aim aim) {
    Measure measure = measures.get(name);
    if (measure != null) {
      measure.aim(aim);
    }
  }

  /** In the order in which they were first added. */
  List<Measure> measures() {
    return List.copyOf(measures.values());
  }

  @Nullable Measure find(String name) {
    return measures.get(name);
  }

  /** By its reference's median; null: it has none, or none that was measured. */
  @Nullable Double ratio(Measure measure) {
    Aim aim = measure.aim();
    Measure reference =
        aim == null || aim.reference() == null ? null : measures.get(aim.reference());
    if (reference == null) {
      return null;
    }
    double ratio = measure.median() / reference.median();
    return Double.isFinite(ratio) ? ratio : null;
  }

  /** What the target is for: the ratio, or the median of a measure without reference. */
  @Nullable Double aimed(Measure measure) {
    Aim aim = measure.aim();
    if (aim == null) {
      return null;
    }
    return aim.reference() == null ? Double.valueOf(measure.median()) : ratio(measure);
  }

  /** Whether it reaches its target; null: it has none, or cannot be compared. */
  @Nullable Boolean met(Measure measure) {
    Aim aim = measure.aim();
    Double aimed = aimed(measure);
    return aim == null || aimed == null ? null : Boolean.valueOf(aim.metBy(aimed));
  }
}
