package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonValue;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

class ResultsTest {
  private final Results results = new Results();

  @Test
  void the_median_of_an_even_number_of_rounds_lies_between_the_middle_two() {
    for (double value : new double[] {9, 1, 4, 2}) {
      results.add("leased", "jobs/s", value);
    }
    Measure measure = results.measures().get(0);
    assertThat(measure.median()).isEqualTo(3);
    assertThat(measure.min()).isEqualTo(1);
    assertThat(measure.max()).isEqualTo(9);
  }

  @Test
  void an_aim_with_a_minimum_is_met_at_or_above_the_target() {
    assertThat(met(SampleRun.drained(100, 75))).isTrue();
    assertThat(met(SampleRun.drained(100, 74.9))).isFalse();
  }

  @Test
  void an_aim_with_a_maximum_is_met_at_or_below_the_target() {
    assertThat(met(SampleRun.started(1, 1.5))).isTrue();
    assertThat(met(SampleRun.started(1, 1.51))).isFalse();
  }

  @Test
  void an_aim_without_a_reference_applies_to_the_measure_itself() {
    results.add("enqueue to start, p99", "ms", 9);
    results.atMost("enqueue to start, p99", null, 10);
    assertThat(results.comparisons().get(0).ratio()).isNull();
    assertThat(met(results)).isTrue();
  }

  @Test
  void an_aim_whose_reference_was_not_measured_is_neither_met_nor_missed() {
    results.add("leased", "jobs/s", 5);
    results.atLeast("leased", "raw: claim 100, delete 100", 0.75);
    assertThat(results.comparisons().get(0).met()).isNull();
  }

  @Test
  void aim_for_a_missing_measure_is_dropped() {
    results.atLeast("leased", null, 0.75);
    assertThat(results.measures()).isEmpty();
  }

  @Test
  void a_measure_is_compared_with_each_of_its_aims() {
    SampleRun.sent(results);
    results.atLeast("enqueue singly", "raw: insert, commit", 0.5);
    assertThat(results.comparisons())
        .filteredOn(line -> line.aim() != null)
        .extracting(Comparison::label, Comparison::ratio, Comparison::met)
        .containsExactly(
            tuple("enqueue singly, of raw: begin, insert, commit", 0.8, true),
            tuple("enqueue singly, of raw: insert, commit", 0.4, false));
    assertThat(json(results)).hasSize(4);
  }

  @Test
  void a_condition_that_does_not_hold_is_missed() {
    for (double twice : new double[] {0, 1}) {
      var run = new Results();
      run.add("handled twice", "jobs", twice);
      run.atMost("handled twice", null, 0);
      assertThat(met(run)).isEqualTo(twice == 0);
    }
  }

  @Test
  void json_is_a_list_of_measures_with_all_keys_in_order() {
    JsonArray all = json(SampleRun.drained(100, 60));
    assertThat(all).hasSize(2);
    for (JsonValue one : all) {
      assertThat(one.asJsonObject().keySet())
          .containsExactly(
              "measure", "median", "min", "max", "unit", "reference", "ratio", "target", "met");
    }
    var leased = all.getJsonObject(1);
    assertThat(leased.getString("measure")).isEqualTo("leased");
    assertThat(leased.getString("reference")).isEqualTo("raw: claim 100, delete 100");
    assertThat(leased.getJsonNumber("ratio").doubleValue()).isEqualTo(0.6);
    assertThat(leased.getJsonNumber("target").doubleValue()).isEqualTo(0.75);
    assertThat(leased.getBoolean("met")).isFalse();
    assertThat(all.getJsonObject(0).get("met")).isEqualTo(JsonValue.NULL);
  }

  @Test
  void json_has_null_where_a_figure_is_no_number() {
    var leased = json(SampleRun.drained(0, 60)).getJsonObject(1);
    assertThat(leased.get("ratio")).isEqualTo(JsonValue.NULL);
    assertThat(leased.get("met")).isEqualTo(JsonValue.NULL);
  }

  private static boolean met(Results results) {
    var lines = results.comparisons();
    return lines.get(lines.size() - 1).met();
  }

  private static JsonArray json(Results results) {
    return Json.createReader(new StringReader(ResultsJson.of(results))).readArray();
  }
}
