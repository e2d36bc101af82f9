package org.readpast.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the output of a run: figures for programs and for readers, charts, and an entry in the
 * history.
 */
final class Outcome {
  private final Results results;
  private final Run run;
  private final History history;
  private final Report report;

  Outcome(Results results, Run run, History history) {
    this.results = results;
    this.run = run;
    this.history = history;
    report = new Report(results, run, history.declines(results, run));
  }

  /** Writes all files except the history, and replaces those of an earlier run. */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("results.json"), ResultsJson.of(results), UTF_8);
    Files.writeString(directory.resolve("report.md"), report.markdown(), UTF_8);
    Files.writeString(
        directory.resolve("readme.md"), new ReadmeSection(results, run).markdown(), UTF_8);
    var charts = Charts.of(results);
    for (String file : Charts.ALL) {
      var chart = charts.get(file);
      if (chart == null) {
        // A chart of an earlier run would be mistaken for one of this run.
        Files.deleteIfExists(directory.resolve(file));
      } else {
        Files.writeString(directory.resolve(file), chart.svg(), UTF_8);
      }
    }
  }

  /** Returns the most important figures, for the console. */
  String summary() {
    String worse = report.worse();
    return report.table() + (worse.isEmpty() ? "" : "\nWorse than before:\n" + worse);
  }

  void keep() throws IOException {
    history.keep(results, run);
    System.out.println("kept in " + History.FILE);
  }
}
