package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import jakarta.json.Json;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.benchmark.History.Decline;

class HistoryTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name_a_file_that_does_not_exist_yet() {
    file = directory.resolve("history.jsonl");
  }

  @Test
  void without_a_history_nothing_is_worse() throws IOException {
    assertThat(declines(SampleRun.drained(100, 1))).isEmpty();
    assertThat(file).doesNotExist();
  }

  @Test
  void an_entry_is_one_line_with_commit_date_machine_and_figures() throws IOException {
    keep(SampleRun.drained(100, 80), SampleRun.at("a"));
    keep(SampleRun.drained(100, 80), SampleRun.at("b"));
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(2);
    var entry = Json.createReader(new StringReader(lines.get(1))).readObject();
    assertThat(entry.getString("commit")).isEqualTo("b");
    assertThat(entry.getString("date")).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(entry.getJsonObject("machine").getString("processor")).isEqualTo("Some CPU");
    var leased = entry.getJsonObject("measures").getJsonObject("leased");
    assertThat(leased.getJsonNumber("median").doubleValue()).isEqualTo(80);
    assertThat(leased.getJsonNumber("ratio").doubleValue()).isEqualTo(0.8);
  }

  @Test
  void a_ratio_that_fell_by_more_than_15_percent_is_worse() throws IOException {
    keep(SampleRun.drained(100, 80), SampleRun.at("a"));
    assertThat(declines(SampleRun.drained(100, 69))).isEmpty();
    Decline decline = declines(SampleRun.drained(100, 60)).get(0);
    assertThat(decline.measure()).isEqualTo("leased");
    assertThat(decline.percent()).isEqualTo(-25);
    assertThat(decline.commit()).isEqualTo("a");
  }

  @Test
  void where_less_is_better_a_ratio_that_rose_is_worse() throws IOException {
    keep(SampleRun.started(1, 1), SampleRun.at("a"));
    assertThat(declines(SampleRun.started(1, 0.5))).isEmpty();
    assertThat(declines(SampleRun.started(1, 1.1))).isEmpty();
    assertThat(declines(SampleRun.started(1, 1.2)).get(0).percent()).isEqualTo(20);
  }

  @Test
  void a_slower_machine_is_not_a_slower_commit() throws IOException {
    keep(SampleRun.drained(100, 80), SampleRun.at("a"));
    assertThat(declines(SampleRun.drained(10, 8))).isEmpty();
  }

  @Test
  void each_measure_is_compared_with_its_last_stored_value() throws IOException {
    keep(SampleRun.drained(100, 40), SampleRun.at("a"));
    keep(SampleRun.drained(100, 80), SampleRun.at("b"));
    keep(SampleRun.started(1, 1), SampleRun.at("c"));
    assertThat(declines(SampleRun.drained(100, 50)))
        .extracting(Decline::commit)
        .containsExactly("b");
  }

  @Test
  void a_new_aim_is_compared_with_the_medians_of_old_runs() throws IOException {
    var before = new Results();
    before.add("raw: begin, insert, commit", "jobs/s", 50);
    before.add("enqueue singly", "jobs/s", 50);
    keep(before, SampleRun.at("a"));
    var now = new Results();
    SampleRun.sent(now);
    assertThat(declines(now))
        .extracting(Decline::measure, Decline::percent)
        .containsExactly(tuple("enqueue singly, of raw: begin, insert, commit", -20L));
  }

  @Test
  void runs_of_another_size_are_not_compared() throws IOException {
    keep(SampleRun.drained(100, 80), SampleRun.of("a", 0.02));
    assertThat(declines(SampleRun.drained(100, 10))).isEmpty();
  }

  @Test
  void error_names_a_line_that_is_not_json() throws IOException {
    keep(SampleRun.drained(100, 80), SampleRun.at("a"));
    Files.writeString(file, Files.readString(file) + "<<<<<<< HEAD\n");
    assertThatThrownBy(() -> History.read(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("history.jsonl, line 2 ");
  }

  private void keep(Results results, Run run) throws IOException {
    History.read(file).keep(results, run);
  }

  private List<Decline> declines(Results results) throws IOException {
    return History.read(file).declines(results, SampleRun.at("now"));
  }
}
