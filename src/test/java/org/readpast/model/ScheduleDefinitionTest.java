package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.api.CatchUp;
import org.readpast.api.Overlap;

class ScheduleDefinitionTest {

  @Test
  void omitted_fields_have_their_defaults() {
    var schedule = ScheduleDefinition.read("s", Map.of("every", "PT5M", "type", "t"));
    assertThat(schedule.queue()).isEqualTo("default");
    assertThat(schedule.payload()).isEqualTo("{}");
    assertThat(schedule.catchUp()).isEqualTo(CatchUp.ONCE);
    assertThat(schedule.overlap()).isEqualTo(Overlap.ALLOW);
    assertThat(schedule.latestStart()).isNull();
    assertThat(schedule.enabled()).isTrue();
    assertThat(schedule.timing().after(Instant.parse("2027-01-01T00:02:00Z")))
        .isEqualTo("2027-01-01T00:05:00Z");
  }

  @Test
  void names_of_rule_schedules_are_reserved() {
    assertThatThrownBy(
            () -> ScheduleDefinition.read("rule.x", Map.of("every", "PT5M", "type", "t")))
        .hasMessageContaining("reserved for rules");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "every | PT0.5S | every",
        "every | soon | every",
        "every | -PT1M | every",
        "daily | 25:00 | daily",
        "daily | 02:30:00.5 | daily",
        "cron | 0 0 30 2 * | no date matches",
        "zone | Europe/Atlantis | zone",
        "anchor | yesterday | anchor",
        "catchUp | SOME | specify one of NONE, ONCE, ALL",
        "catchUpCap | 0 | specify 1 to 10000",
        "catchUpCap | many | whole number",
        "overlap | MAYBE | specify one of ALLOW, SKIP",
        "latestStart | PT0S | latestStart",
        "latestStart | late | latestStart",
        "priority | 10 | priority",
        "enabled | yes | enabled",
        "queue | a b | queue",
        "type | a b | job type",
      })
  void value_that_breaks_a_rule_is_refused_by_name(String field, String value, String message) {
    Map<String, String> fields = new HashMap<>(Map.of("type", "t"));
    if (!field.equals("daily") && !field.equals("cron")) {
      fields.put("every", "PT1M");
    }
    fields.put(field, value);
    assertThatThrownBy(() -> ScheduleDefinition.read("s", fields)).hasMessageContaining(message);
  }

  @Test
  void exactly_one_timing_is_required() {
    assertThatThrownBy(() -> ScheduleDefinition.read("s", Map.of("type", "t")))
        .hasMessageContaining("neither cron, daily nor every is given");
    assertThatThrownBy(
            () ->
                ScheduleDefinition.read(
                    "s", Map.of("type", "t", "every", "PT1M", "cron", "@daily")))
        .hasMessageContaining("cron and every are given together");
    assertThatThrownBy(
            () ->
                ScheduleDefinition.read(
                    "s", Map.of("type", "t", "daily", "02:30", "anchor", "2027-01-01T00:00:00Z")))
        .hasMessageContaining("an anchor applies to every only");
  }

  @Test
  void interval_counts_from_its_anchor() {
    var schedule =
        ScheduleDefinition.read(
            "s", Map.of("type", "t", "every", "PT7M", "anchor", "2027-01-01T00:03:00Z"));
    assertThat(schedule.timing().after(Instant.parse("2026-01-01T00:00:00Z"), 2))
        .containsExactly(
            Instant.parse("2027-01-01T00:03:00Z"), Instant.parse("2027-01-01T00:10:00Z"));
    assertThat(schedule.timing().after(Instant.parse("2027-01-01T00:10:00Z")))
        .isEqualTo("2027-01-01T00:17:00Z");
  }

  @Test
  void window_shorter_than_an_attempt_and_a_pause_leaves_no_retry() {
    var schedule =
        ScheduleDefinition.read("s", Map.of("type", "t", "every", "PT1M", "latestStart", "PT1M"));
    assertThat(schedule.leavesNoRetry(Duration.ofSeconds(60), Duration.ofSeconds(1))).isTrue();
    assertThat(schedule.leavesNoRetry(Duration.ofSeconds(59), Duration.ofSeconds(1))).isFalse();
  }
}
