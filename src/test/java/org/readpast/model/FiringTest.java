package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.model.Firing.Reason;
import org.readpast.model.Firing.Skipped;

class FiringTest {
  private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");

  private static ScheduleDefinition schedule(String... fields) {
    Map<String, String> all = new HashMap<>(Map.of("type", "t"));
    for (int i = 0; i < fields.length; i += 2) {
      all.put(fields[i], fields[i + 1]);
    }
    return ScheduleDefinition.read("s", all);
  }

  private static Instant minute(int n) {
    return NOON.plus(Duration.ofMinutes(n));
  }

  @Test
  void planned_times_less_than_a_minute_late_fire_under_any_policy() {
    var schedule = schedule("every", "PT1S", "catchUp", "NONE");
    var firing = Firing.of(schedule, NOON, NOON.plusSeconds(59), false);
    assertThat(firing.fired())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, 59).mapToObj(NOON::plusSeconds).toList());
    assertThat(firing.skipped()).isEmpty();
    assertThat(firing.next()).isEqualTo(minute(1));
  }

  @Test
  void catch_up_none_fires_only_a_run_of_the_current_minute() {
    var schedule = schedule("every", "PT10M", "catchUp", "NONE");
    var late = Firing.of(schedule, NOON, minute(35), false);
    assertThat(late.fired()).isEmpty();
    assertThat(late.skipped()).containsExactly(new Skipped(minute(30), Reason.MISSED, 4));
    assertThat(late.next()).isEqualTo(minute(40));
    var justInTime = Firing.of(schedule, NOON, minute(30).plusSeconds(30), false);
    assertThat(justInTime.fired()).containsExactly(minute(30));
    assertThat(justInTime.skipped()).containsExactly(new Skipped(minute(20), Reason.MISSED, 3));
  }

  @Test
  void catch_up_once_fires_the_last_run_and_all_the_latest_up_to_the_cap() {
    var once = Firing.of(schedule("every", "PT10M"), NOON, minute(35), false);
    assertThat(once.fired()).containsExactly(minute(30));
    assertThat(once.skipped()).containsExactly(new Skipped(minute(20), Reason.MISSED, 3));
    var all = schedule("every", "PT10M", "catchUp", "ALL");
    assertThat(Firing.of(all, NOON, minute(35), false).fired())
        .containsExactly(NOON, minute(10), minute(20), minute(30));
    var capped = schedule("every", "PT10M", "catchUp", "ALL", "catchUpCap", "2");
    var firing = Firing.of(capped, NOON, minute(35), false);
    assertThat(firing.fired()).containsExactly(minute(20), minute(30));
    assertThat(firing.skipped()).containsExactly(new Skipped(minute(10), Reason.MISSED, 2));
  }

  @Test
  void overlap_skip_fires_no_run_while_a_job_is_live() {
    var schedule = schedule("every", "PT10M", "overlap", "SKIP", "catchUp", "ALL");
    var busy = Firing.of(schedule, NOON, NOON, true);
    assertThat(busy.fired()).isEmpty();
    assertThat(busy.skipped()).containsExactly(new Skipped(NOON, Reason.OVERLAP, 1));
    var several = Firing.of(schedule, NOON, minute(15), false);
    assertThat(several.fired()).containsExactly(NOON);
    assertThat(several.skipped()).containsExactly(new Skipped(minute(10), Reason.OVERLAP, 1));
  }

  @Test
  void run_whose_latest_start_has_passed_does_not_fire() {
    var schedule = schedule("every", "PT10M", "latestStart", "PT10M", "catchUp", "ALL");
    var firing = Firing.of(schedule, NOON, minute(10), false);
    assertThat(firing.fired()).containsExactly(minute(10));
    assertThat(firing.skipped()).containsExactly(new Skipped(NOON, Reason.TOO_LATE, 1));
  }

  @Test
  void schedule_fires_correctly_after_years_without_a_node() {
    var often = schedule("every", "PT1S", "catchUp", "ALL", "catchUpCap", "3");
    var firing = Firing.of(often, NOON.minus(Duration.ofDays(4_000)), NOON, false);
    assertThat(firing.fired()).containsExactly(NOON.minusSeconds(2), NOON.minusSeconds(1), NOON);
    var seldom = schedule("cron", "0 0 29 2 *");
    var leapDay = Instant.parse("2024-02-29T00:00:00Z");
    assertThat(Firing.of(seldom, leapDay, NOON, false).fired()).containsExactly(leapDay);
  }

  /**
   * Simulates several nodes with different time zone data. Only one node knows that the offset of
   * the zone has changed by some minutes.
   */
  @ParameterizedTest
  @CsvSource({"daily, 03:00, 60, 1", "cron, 30 5 * * *, 30, 1", "cron, 0 9;17 * * *, 180, 2"})
  void nodes_with_other_time_zone_data_fire_each_run_once(
      String kind, String expression, int minutes, int perDay) {
    var nodes =
        Stream.of(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT.plusMinutes(minutes))
            .map(offset -> schedule(kind, expression.replace(';', ','), "zone", "+" + offset))
            .toList();
    Random random = new Random(11);
    Map<LocalDate, Integer> fired = new TreeMap<>();
    Instant next = nodes.get(0).timing().after(NOON);
    for (int i = 0; i < 300; i++) {
      Instant now = next.plusSeconds(random.nextInt(20));
      var firing = Firing.of(nodes.get(random.nextInt(2)), next, now, false);
      assertThat(firing.fired()).containsExactly(next);
      assertThat(firing.skipped()).isEmpty();
      fired.merge(LocalDate.ofInstant(next, ZoneOffset.UTC), 1, Integer::sum);
      next = firing.next();
    }
    // The first and the last day are not complete, so they are excluded.
    assertThat(fired.values().stream().skip(1).limit(fired.size() - 2L)).containsOnly(perDay);
    assertThat(fired).hasSize(300 / perDay + (perDay == 1 ? 0 : 1));
  }

  @Test
  void runs_missed_by_nodes_with_other_time_zone_data_are_caught_up_once() {
    var schedule = schedule("daily", "03:00", "zone", "+01:00", "catchUp", "ALL");
    Instant planned = Instant.parse("2027-05-01T01:00:00Z");
    var firing = Firing.of(schedule, planned, Instant.parse("2027-05-03T12:00:00Z"), false);
    assertThat(firing.fired())
        .containsExactly(
            planned, Instant.parse("2027-05-02T02:00:00Z"), Instant.parse("2027-05-03T02:00:00Z"));
    assertThat(firing.next()).isEqualTo(Instant.parse("2027-05-04T02:00:00Z"));
  }
}
