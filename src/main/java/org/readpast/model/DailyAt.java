package org.readpast.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * Once on each local date, whatever clocks do: where they leave the time out at the first moment
 * after, where they show it twice at the first.
 *
 * @param time in whole seconds
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
    // A time left out at midnight comes on the date after its own.
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
