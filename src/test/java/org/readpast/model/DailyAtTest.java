package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DailyAtTest {

  @ParameterizedTest
  @CsvSource({
    "02:30, Europe/Berlin, 2027-03-27T12:00:00Z, 2027-03-28T01:00:00Z",
    "02:30, Europe/Berlin, 2027-03-28T01:00:00Z, 2027-03-29T00:30:00Z",
    "02:30, Europe/Berlin, 2027-10-30T12:00:00Z, 2027-10-31T00:30:00Z",
    "02:30, Europe/Berlin, 2027-10-31T00:30:00Z, 2027-11-01T01:30:00Z",
    "02:30, America/New_York, 2027-03-14T00:00:00Z, 2027-03-14T07:00:00Z",
    "01:30:15, America/New_York, 2027-11-07T00:00:00Z, 2027-11-07T05:30:15Z",
    "01:30:15, America/New_York, 2027-11-07T05:30:15Z, 2027-11-08T06:30:15Z",
  })
  void clock_changes_neither_skip_nor_repeat_a_date(
      LocalTime time, ZoneId zone, Instant after, Instant next) {
    assertThat(new DailyAt(time, zone).after(after)).isEqualTo(next);
  }

  @Test
  void date_that_does_not_exist_in_a_zone_is_skipped() {
    assertThat(
            new DailyAt(LocalTime.of(2, 30), ZoneId.of("Pacific/Apia"))
                .after(Instant.parse("2011-12-29T10:00:00Z"), 2))
        .containsExactly(
            Instant.parse("2011-12-29T12:30:00Z"), Instant.parse("2011-12-30T12:30:00Z"));
  }

  /** Covers all zones of the JDK, in years in which many of them change. */
  @Test
  void every_local_date_has_one_time_in_every_zone() {
    for (String name : ZoneId.getAvailableZoneIds()) {
      ZoneId zone = ZoneId.of(name);
      for (LocalTime time : Set.of(LocalTime.MIDNIGHT, LocalTime.of(2, 30))) {
        DailyAt daily = new DailyAt(time, zone);
        Instant at = Instant.parse("2010-12-31T00:00:00Z");
        Instant end = Instant.parse("2012-01-02T00:00:00Z");
        Set<LocalDate> dates = new HashSet<>();
        LocalDate first = null;
        LocalDate last = null;
        while ((at = daily.after(at)).isBefore(end)) {
          last = at.atZone(zone).toLocalDate();
          first = first == null ? last : first;
          assertThat(dates.add(last)).as(name + " " + time + " at " + at).isTrue();
        }
        long missing = first.datesUntil(last).filter(date -> !dates.contains(date)).count();
        long gone = first.datesUntil(last).filter(d -> !LocalTimes.exists(d, zone)).count();
        assertThat(missing).as(name + " " + time).isEqualTo(gone);
      }
    }
  }
}
