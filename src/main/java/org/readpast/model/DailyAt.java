package org.readpast.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * Plans one run on each local date, even if clocks change. If clocks skip the time, the run is
 * planned at the first instant after the gap; if the time occurs twice, at the first occurrence.
 *
 * @param time the time of day, in whole seconds
 */
public record DailyAt(LocalTime time, ZoneId zone) implements Timing {
  @Override
  public Form kind() {
    return Form.DAILY;
  }

  @Override
  public String expression() {
    return time.toString();
  }

  @Override
  public Instant anchor() {
    return Instant.EPOCH;
  }

  @Override
  public Instant after(Instant moment) {
    // If the clocks skip a time at midnight, the run is planned on the following date, so the
    // search starts a day earlier.
    LocalDate date = LocalDateTime.ofInstant(moment, zone).toLocalDate().minusDays(1);
    while (true) {
      Instant at = LocalTimes.first(date.atTime(time), zone);
      if (at.isAfter(moment) && LocalTimes.exists(date, zone)) {
        return at;
      }
      date = date.plusDays(1);
    }
  }
}
