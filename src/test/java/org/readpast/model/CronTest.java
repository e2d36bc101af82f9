package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  private static List<String> local(String cron, ZoneId zone, String from, int count) {
    Instant moment = LocalDateTime.parse(from).atZone(zone).toInstant();
    return Cron.parse(cron, zone).after(moment, count).stream()
        .map(at -> at.atZone(zone).toOffsetDateTime().toString())
        .toList();
  }

  private static List<Instant> inYear(Timing timing, int year, ZoneId zone) {
    Instant end = LocalDateTime.of(year + 1, 1, 1, 0, 0).atZone(zone).toInstant();
    List<Instant> all = new ArrayList<>();
    Instant at = LocalDateTime.of(year, 1, 1, 0, 0).atZone(zone).toInstant().minusMillis(1);
    while ((at = timing.after(at)).isBefore(end)) {
      all.add(at);
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/15 * * * *        | 2027-01-01T00:07 | 2027-01-01T00:15Z",
        "0 8-18/2 * * *      | 2027-01-01T10:00 | 2027-01-01T12:00Z",
        "0 9 * * MON-FRI     | 2027-01-01T09:00 | 2027-01-04T09:00Z",
        "0 9 * * mon,wed     | 2027-01-04T09:00 | 2027-01-06T09:00Z",
        "0 9 * * 7           | 2027-01-01T00:00 | 2027-01-03T09:00Z",
        "0 9 * * SAT-SUN     | 2027-01-02T09:00 | 2027-01-03T09:00Z",
        "30 6 1,15 * *       | 2027-01-02T00:00 | 2027-01-15T06:30Z",
        "0 0 29 2 *          | 2027-01-01T00:00 | 2028-02-29T00:00Z",
        "0 0 31 * *          | 2027-01-31T00:00 | 2027-03-31T00:00Z",
        "0 0 1 JAN,jul *     | 2027-01-02T00:00 | 2027-07-01T00:00Z",
        "0 0 13 * FRI        | 2027-01-02T00:00 | 2027-01-08T00:00Z",
        "0 0 13 * FRI        | 2027-01-08T00:00 | 2027-01-13T00:00Z",
        "0 0 */2 * MON       | 2027-01-01T00:00 | 2027-01-11T00:00Z",
        "@hourly             | 2027-01-01T00:07 | 2027-01-01T01:00Z",
        "@daily              | 2027-01-01T00:00 | 2027-01-02T00:00Z",
        "@weekly             | 2027-01-01T00:00 | 2027-01-03T00:00Z",
        "@monthly            | 2027-01-01T00:00 | 2027-02-01T00:00Z",
        "@YEARLY             | 2027-01-01T00:00 | 2028-01-01T00:00Z",
        "59 23 31 12 *       | 2027-01-01T00:00 | 2027-12-31T23:59Z",
      })
  void next_time_is_the_first_that_matches(String cron, String from, String next) {
    assertThat(local(cron, ZoneOffset.UTC, from, 1)).containsExactly(next);
  }

  @Test
  void expression_is_normalized_and_has_a_maximum_length() {
    assertThat(Cron.parse("0  0 " + " ".repeat(300) + "* *\t*", ZoneOffset.UTC).expression())
        .isEqualTo("0 0 * * *");
    assertThatThrownBy(() -> Cron.parse("0" + ",0".repeat(100) + " * * * *", ZoneOffset.UTC))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining("up to 200 characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 30 2 *",
        "0 0 31 2,4,6,9,11 *",
        "0 0 30,31 feb *",
        "0 0 30 2 MON",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "* * * * MONDAY",
        "5/15 * * * *",
        "*/0 * * * *",
        "*/99 * * * *",
        "10-5 * * * *",
        "1,,2 * * * *",
        "-1 * * * *",
        "* * * *",
        "0 * * * * *",
        "@reboot",
        "",
        "٣ * * * *",
      })
  void expression_that_breaks_a_rule_is_refused(String cron) {
    assertThatThrownBy(() -> Cron.parse(cron, ZoneOffset.UTC))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessageContaining("cron");
  }

  @Test
  void error_names_the_field_and_the_remedy() {
    assertThatThrownBy(() -> Cron.parse("5/15 * * * *", ZoneOffset.UTC))
        .hasMessage("cron: the minute is '5/15'; a step needs a range: 5-59/15");
    assertThatThrownBy(() -> Cron.parse("0 0 30 2 *", ZoneOffset.UTC))
        .hasMessageContaining("no date matches");
  }

  @Test
  void local_time_in_the_spring_gap_fires_at_the_end_of_the_gap() {
    assertThat(local("30 2 * * *", BERLIN, "2027-03-27T12:00", 2))
        .containsExactly("2027-03-28T03:00+02:00", "2027-03-29T02:30+02:00");
    assertThat(local("*/10 2 * * *", BERLIN, "2027-03-28T00:00", 2))
        .containsExactly("2027-03-28T03:00+02:00", "2027-03-29T02:00+02:00");
    assertThat(local("30 2 14 3 *", NEW_YORK, "2027-01-01T00:00", 1))
        .containsExactly("2027-03-14T03:00-04:00");
  }

  @Test
  void local_time_in_the_autumn_overlap_fires_at_its_first_occurrence_only() {
    assertThat(local("30 2 * * *", BERLIN, "2027-10-30T12:00", 2))
        .containsExactly("2027-10-31T02:30+02:00", "2027-11-01T02:30+01:00");
    assertThat(local("0,30 1-3 * * *", BERLIN, "2027-10-31T00:00", 6))
        .containsExactly(
            "2027-10-31T01:00+02:00",
            "2027-10-31T01:30+02:00",
            "2027-10-31T02:00+02:00",
            "2027-10-31T02:30+02:00",
            "2027-10-31T03:00+01:00",
            "2027-10-31T03:30+01:00");
  }

  @Test
  void hourly_schedule_follows_elapsed_time() {
    Cron hourly = Cron.parse("0 * * * *", BERLIN);
    Instant spring = Instant.parse("2027-03-27T23:00:00Z");
    Instant autumn = Instant.parse("2027-10-30T22:00:00Z");
    for (Instant day : List.of(spring, autumn)) {
      List<Instant> next = hourly.after(day, 30);
      for (int i = 0; i < next.size(); i++) {
        assertThat(next.get(i)).isEqualTo(day.plus(Duration.ofHours(i + 1)));
      }
    }
  }

  /**
   * The zones have different kinds of clock changes: by half an hour, at midnight, in the southern
   * hemisphere, and none.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "America/Havana",
        "Africa/Cairo",
        "America/Santiago",
        "Pacific/Apia",
        "Asia/Kolkata",
        "Antarctica/Troll",
        "UTC"
      })
  void fixed_time_fires_once_on_each_local_date(String name) {
    ZoneId zone = ZoneId.of(name);
    for (int year = 2005; year <= 2030; year++) {
      int days = java.time.Year.of(year).length();
      // Samoa skipped the 30th of December 2011.
      int expected = name.equals("Pacific/Apia") && year == 2011 ? days - 1 : days;
      for (String cron : List.of("0 0 * * *", "30 0 * * *", "15 1 * * *", "30 2 * * *")) {
        List<Instant> all = inYear(Cron.parse(cron, zone), year, zone);
        assertThat(all).as(cron + " in " + name + " in " + year).hasSize(expected);
        assertThat(new TreeSet<>(all)).containsExactlyElementsOf(all);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana"})
  void minute_fields_match_the_local_clock(String name) {
    ZoneId zone = ZoneId.of(name);
    Timing timing = Cron.parse("7,37 * * * *", zone);
    List<Instant> expected = new ArrayList<>();
    Instant end = LocalDateTime.of(2028, 1, 1, 0, 0).atZone(zone).toInstant();
    for (Instant at = LocalDateTime.of(2027, 1, 1, 0, 0).atZone(zone).toInstant();
        at.isBefore(end);
        at = at.plusSeconds(60)) {
      int minute = at.atZone(zone).getMinute();
      if (minute == 7 || minute == 37) {
        expected.add(at);
      }
    }
    assertThat(inYear(timing, 2027, zone)).isEqualTo(expected);
  }

  @Test
  void next_time_is_the_same_for_any_start_before_it() {
    Timing timing = Cron.parse("*/20 1-3 * * *", BERLIN);
    List<Instant> all = inYear(timing, 2027, BERLIN);
    for (int i = 1; i < all.size(); i++) {
      Instant before = all.get(i - 1);
      long gap = Duration.between(before, all.get(i)).toMillis();
      assertThat(timing.after(before.plusMillis(gap / 2))).isEqualTo(all.get(i));
      assertThat(timing.after(all.get(i).minusMillis(1))).isEqualTo(all.get(i));
    }
  }
}
