package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.benchmark.Chart.Bar;

class OutcomeTest {
  @TempDir Path directory;

  @Test
  void charts_without_measured_figures_are_omitted() {
    assertThat(Charts.of(new Results())).isEmpty();
    assertThat(Charts.of(SampleRun.drained(100, 80))).containsOnlyKeys(Charts.DRAIN, Charts.RATIOS);
    assertThat(Charts.of(SampleRun.started(1, 1))).containsOnlyKeys(Charts.LATENCY, Charts.RATIOS);
  }

  @Test
  void charts_of_an_earlier_run_are_removed() throws IOException {
    write(SampleRun.drained(100, 80));
    write(SampleRun.started(1, 1));
    assertThat(directory.resolve(Charts.DRAIN)).doesNotExist();
    assertThat(directory.resolve(Charts.LATENCY)).exists();
  }

  @Test
  void chart_shows_drain_rates_only_and_the_best_first() {
    var results = SampleRun.drained(100, 80);
    results.add("leased, last 10 s", "jobs/s", 70);
    results.add("Some Queue (16 threads): drain", "jobs/s", 90);
    results.add("Some Queue (16 threads): enqueue singly", "jobs/s", 95);
    var drain = Charts.of(results).get(Charts.DRAIN).groups().get(0);
    assertThat(drain.bars())
        .extracting(Bar::label)
        .containsExactly(
            "PostgreSQL: claim 100, delete 100", "Some Queue (16 threads)", "Readpast: leased");
  }

  @Test
  void a_queue_that_polls_does_not_hide_the_milliseconds_of_the_others() {
    var results = SampleRun.started(1, 1.2);
    results.add("Some Queue: enqueue to start, p50", "ms", 2_500);
    assertThat(Charts.of(results).get(Charts.LATENCY).groups().get(0).end()).isEqualTo(12);
  }

  @Test
  void each_bar_is_scaled_by_its_aim() {
    var results = SampleRun.started(1, 3);
    results.add("enqueue to start, p99", "ms", 5);
    results.atMost("enqueue to start, p99", null, 10);
    assertThat(Charts.of(results).get(Charts.RATIOS).groups().get(0).bars())
        .extracting(Bar::value, Bar::text)
        .containsExactly(tuple(2.0, "3.00 (≤ 1.5), missed"), tuple(0.5, "5.00 ms (≤ 10 ms)"));
  }

  @Test
  void a_condition_that_holds_has_an_empty_bar() {
    var results = new Results();
    results.add("handled twice", "jobs", 0);
    results.atMost("handled twice", null, 0);
    assertThat(Charts.of(results).get(Charts.RATIOS).groups().get(0).bars())
        .extracting(Bar::value, Bar::text)
        .containsExactly(tuple(0.0, "0.00 jobs (≤ 0 jobs)"));
  }

  @Test
  void report_names_the_machine_and_the_measures_that_became_worse() throws IOException {
    History.read(history()).keep(SampleRun.drained(100, 80), SampleRun.at("before"));
    write(SampleRun.drained(100, 40));
    assertThat(directory.resolve("report.md"))
        .content()
        .contains(
            "| processor | Some CPU |", "| commit | now |", "![Jobs drained per second](drain.svg)")
        .contains("| leased | 0.80 | 0.40 | -50 % | before, 2026-01-02 | Some CPU |");
  }

  @Test
  void the_readme_has_one_line_for_each_queue() throws IOException {
    var results = SampleRun.drained(100, 80);
    results.add("Artemis (in-VM): drain", "jobs/s", 60);
    results.add("Artemis (in-VM): enqueue to start, p50", "ms", 2);
    write(results);
    assertThat(directory.resolve("readme.md"))
        .content()
        .startsWith("Measured on 2026-01-02 at commit now: Some CPU, 2 cores, 24 GiB;")
        .contains("| leased | 80.00 jobs/s | 0.80 | raw: claim 100, delete 100 | ≥ 0.75 | yes |")
        .contains("| Readpast, leased | 80.00 |  |  |  |  |")
        .contains("| Artemis (in-VM) | 60.00 |  |  | 2.00 |  |")
        .contains("which would require XA");
  }

  @Test
  void a_measure_with_two_aims_has_two_lines_and_two_bars() throws IOException {
    var results = new Results();
    SampleRun.sent(results);
    write(results);
    assertThat(directory.resolve("readme.md"))
        .content()
        .contains(
            "| enqueue singly | 40.00 jobs/s | 0.40 | raw: insert, commit | ≥ 0.55 | **no** |",
            "| enqueue singly | 40.00 jobs/s | 0.80 | raw: begin, insert, commit | ≥ 0.75 | yes |");
    assertThat(Charts.of(results).get(Charts.RATIOS).groups().get(0).bars())
        .extracting(Bar::label)
        .containsExactly(
            "enqueue singly, of raw: insert, commit",
            "enqueue singly, of raw: begin, insert, commit");
  }

  @Test
  void history_is_changed_only_on_request() throws IOException {
    write(SampleRun.drained(100, 80));
    assertThat(history()).doesNotExist();
  }

  private Path history() {
    return directory.resolve("history.jsonl");
  }

  private void write(Results results) throws IOException {
    new Outcome(results, SampleRun.at("now"), History.read(history())).write(directory);
    assertThat(Files.size(directory.resolve("results.json"))).isPositive();
  }
}
