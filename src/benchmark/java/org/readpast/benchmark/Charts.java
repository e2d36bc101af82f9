package org.readpast.benchmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.readpast.benchmark.Chart.Bar;
import org.readpast.benchmark.Chart.Group;
import org.readpast.benchmark.Chart.Kind;

/** Assigns the measures to charts. A chart is omitted if none of its measures has figures. */
final class Charts {
  static final String DRAIN = "drain.svg";
  static final String ENQUEUE = "enqueue.svg";
  static final String LATENCY = "latency.svg";
  static final String RATIOS = "ratios.svg";
  static final List<String> ALL = List.of(DRAIN, ENQUEUE, LATENCY, RATIOS);

  private final Results results;

  private Charts(Results results) {
    this.results = results;
  }

  /** Returns the charts of {@link #ALL} that have figures, by file name. */
  static Map<String, Chart> of(Results results) {
    var charts = new Charts(results);
    var all = new LinkedHashMap<String, Chart>();
    all.put(DRAIN, charts.drain());
    all.put(ENQUEUE, charts.enqueue());
    all.put(LATENCY, charts.latency());
    all.put(RATIOS, charts.ratios());
    all.values().removeIf(chart -> chart.groups().isEmpty());
    return all;
  }

  private Chart drain() {
    return chart(
        "Jobs drained per second",
        group("median, line from lowest to highest", MeasureNames::isDrain, false));
  }

  private Chart enqueue() {
    return chart(
        "Jobs enqueued per second",
        group("one per transaction, 8 threads", MeasureNames::isEnqueueSingly, false),
        group("in bulk", MeasureNames::isEnqueueInBulk, false));
  }

  private Chart latency() {
    return chart(
        "From enqueue to the handler's start, at 50 jobs per second",
        group("half of the jobs within (p50)", name -> name.endsWith(MeasureNames.P50), true),
        group("99 of 100 jobs within (p99)", name -> name.endsWith(MeasureNames.P99), true));
  }

  private Chart ratios() {
    return chart(
        "Against the aims",
        aims("at least: to reach the line", false),
        aims("at most: to stay before the line", true));
  }

  private static Chart chart(String title, Group... groups) {
    return new Chart(title, List.of(groups).stream().filter(g -> !g.bars().isEmpty()).toList());
  }

  /** Returns a group of bars, the best value first. */
  private Group group(String heading, Predicate<String> which, boolean lowestFirst) {
    Comparator<Measure> byMedian = Comparator.comparingDouble(Measure::median);
    List<Measure> measures =
        results.measures().stream()
            .filter(measure -> which.test(measure.name))
            .sorted(lowestFirst ? byMedian : byMedian.reversed())
            .toList();
    return new Group(
        heading, measures.stream().map(Charts::bar).toList(), end(measures), Double.NaN);
  }

  private static Bar bar(Measure measure) {
    return new Bar(
        MeasureNames.label(measure.name),
        measure.median(),
        measure.min(),
        measure.max(),
        Figures.with(measure.unit, Figures.show(measure.median())),
        MeasureNames.kind(measure.name));
  }

  /**
   * Returns the end of the scale, which is at most ten times the longest bar of Readpast. Some
   * peers poll only every few seconds; on a scale for them, the milliseconds of the others would be
   * indistinguishable.
   */
  private static double end(List<Measure> measures) {
    double all = measures.stream().mapToDouble(Measure::max).max().orElse(0);
    double own =
        measures.stream()
            .filter(measure -> MeasureNames.kind(measure.name) == Kind.OWN)
            .mapToDouble(Measure::max)
            .max()
            .orElse(all);
    return Math.min(all, own * 10);
  }

  /** Returns each measure as a fraction of its own aim, so that one line marks all aims. */
  private Group aims(String heading, boolean atMost) {
    var bars = new ArrayList<Bar>();
    for (Comparison line : results.comparisons()) {
      var aim = line.aim();
      Double value = line.aimed();
      if (aim != null && value != null && aim.atMost() == atMost) {
        // If the aim is a condition, its target is 0. If such a condition is met, the fraction
        // would be 0 divided by 0.
        double part = value == 0 ? 0 : value / aim.target();
        boolean met = aim.metBy(value);
        String unit = aim.reference() == null ? line.measure().unit : "";
        bars.add(
            new Bar(
                line.label(),
                part,
                part,
                part,
                Figures.with(unit, Figures.show(value))
                    + " ("
                    + Figures.with(unit, aim.toString())
                    + (met ? ")" : "), missed"),
                met ? Kind.OWN : Kind.MISSED));
      }
    }
    return new Group(heading, bars, 2, 1);
  }
}
