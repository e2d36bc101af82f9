package org.readpast.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.benchmark.History.Decline;

/** Writes all figures of a run for readers, in Markdown. */
final class Report {
  private final Results results;
  private final Run run;
  private final List<Decline> declines;

  Report(Results results, Run run, List<Decline> declines) {
    this.results = results;
    this.run = run;
    this.declines = declines;
  }

  String markdown() {
    var text = new StringBuilder("# Benchmark\n\n| | |\n|---|---|\n");
    head().forEach((name, value) -> row(text, name, value));
    text.append("\n## Measures\n\n").append(table());
    if (!declines.isEmpty()) {
      text.append("\n## Worse than before\n\n").append(worse());
    }
    var charts = Charts.of(results);
    if (!charts.isEmpty()) {
      text.append("\n## Charts\n");
      charts.forEach(
          (file, chart) ->
              text.append("\n![").append(chart.title()).append("](").append(file).append(")\n"));
    }
    return text.toString();
  }

  private Map<String, String> head() {
    var head = new LinkedHashMap<>(run.machine().lines());
    head.put("date", run.date().toString());
    head.put("commit", run.commit());
    head.put("rounds", Integer.toString(run.rounds()));
    head.put("size", Figures.brief(run.size()));
    return head;
  }

  String table() {
    var text = new StringBuilder();
    row(text, "measure", "median", "min to max", "unit", "compared with", "ratio", "target", "met");
    text.append("|---|---:|---:|---|---|---:|---:|---|\n");
    for (Comparison line : results.comparisons()) {
      Measure measure = line.measure();
      row(
          text,
          measure.name,
          Figures.show(measure.median()),
          Figures.show(measure.min()) + " to " + Figures.show(measure.max()),
          measure.unit,
          Objects.requireNonNullElse(line.reference(), ""),
          line.ratio() == null ? "" : Figures.show(line.ratio()),
          line.aim() == null ? "" : line.aim().toString(),
          word(line.met()));
    }
    return text.toString();
  }

  /**
   * Returns the measures whose ratio has become worse since it was last stored; empty if there are
   * none.
   */
  String worse() {
    if (declines.isEmpty()) {
      return "";
    }
    var text = new StringBuilder();
    row(text, "ratio", "kept", "now", "change", "kept at", "on");
    text.append("|---|---:|---:|---:|---|---|\n");
    for (Decline decline : declines) {
      row(
          text,
          decline.measure(),
          Figures.show(decline.kept()),
          Figures.show(decline.now()),
          String.format(Locale.ROOT, "%+d %%", decline.percent()),
          decline.commit() + ", " + decline.day(),
          decline.on());
    }
    return text.toString();
  }

  static void row(StringBuilder text, String... cells) {
    text.append(
        List.of(cells).stream()
            // A vertical bar would start another cell of the table.
            .map(cell -> cell.replace("|", "\\|"))
            .collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  static String word(@Nullable Boolean met) {
    return met == null ? "" : met ? "yes" : "**no**";
  }
}
