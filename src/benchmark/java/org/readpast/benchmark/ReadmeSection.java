package org.readpast.benchmark;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.readpast.benchmark.Chart.Kind;

/** Formats the most important figures, briefly enough for the README. */
final class ReadmeSection {
  private final Results results;
  private final Run run;

  ReadmeSection(Results results, Run run) {
    this.results = results;
    this.run = run;
  }

  String markdown() {
    var machine = run.machine();
    var text = new StringBuilder();
    text.append(
        "Measured on %s at commit %s: %s; PostgreSQL %s, durable; %s; %s. Medians of %d rounds.\n"
            .formatted(
                run.day(),
                run.commit(),
                machine.brief(),
                machine.postgresql(),
                machine.server(),
                machine.jdk(),
                run.rounds()));
    aims(text);
    queues(text);
    return text.toString();
  }

  private void aims(StringBuilder text) {
    List<Comparison> aimed =
        results.comparisons().stream().filter(line -> line.met() != null).toList();
    if (aimed.isEmpty()) {
      return;
    }
    text.append('\n');
    Report.row(text, "measure", "median", "ratio", "compared with", "aim", "met");
    text.append("|---|---:|---:|---|---:|---|\n");
    for (Comparison line : aimed) {
      Measure measure = line.measure();
      Report.row(
          text,
          measure.name,
          Figures.with(measure.unit, Figures.show(measure.median())),
          line.ratio() == null ? "" : Figures.show(line.ratio()),
          Objects.requireNonNullElse(line.reference(), ""),
          String.valueOf(line.aim()),
          Report.word(line.met()));
    }
  }

  private void queues(StringBuilder text) {
    List<String> peers =
        results.measures().stream()
            .map(measure -> measure.name)
            .filter(name -> MeasureNames.kind(name) == Kind.PEER)
            .map(MeasureNames::peer)
            .distinct()
            .toList();
    if (peers.isEmpty()) {
      return;
    }
    text.append('\n');
    Report.row(
        text,
        "rates in jobs/s, times in ms",
        "drained",
        "enqueued singly",
        "in bulk",
        "enqueue to start, p50",
        "p99");
    text.append("|---|---:|---:|---:|---:|---:|\n");
    queue(text, "Readpast, leased", "", "leased");
    // Figures for enqueueing exist for LEASED jobs only.
    Report.row(text, "Readpast, transactional", median("transactional"), "", "", "", "");
    for (String peer : peers) {
      queue(text, peer, peer + ": ", MeasureNames.DRAIN);
    }
    if (peers.stream().anyMatch(peer -> peer.startsWith("Artemis"))) {
      text.append(
          "\nArtemis only transports messages: its commits include no row of the application's"
              + " database, which would require XA.\n");
    }
  }

  private void queue(StringBuilder text, String who, String prefix, String drain) {
    Report.row(
        text,
        Stream.concat(
                Stream.of(who),
                Stream.of(
                        drain,
                        MeasureNames.SINGLY,
                        MeasureNames.IN_BULK,
                        MeasureNames.START_P50,
                        MeasureNames.START_P99)
                    .map(what -> median(prefix + what)))
            .toArray(String[]::new));
  }

  private String median(String name) {
    Measure measure = results.find(name);
    return measure == null ? "" : Figures.show(measure.median());
  }
}
