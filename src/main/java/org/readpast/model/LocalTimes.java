package org.readpast.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/** Computes the instant of a local time, even when clocks change. */
final class LocalTimes {
  private LocalTimes() {}

  /**
   * Returns the first instant at which clocks show the given time; if they skip the time, the first
   * instant after the gap. For a later local time, the result is never earlier.
   */
  static Instant first(LocalDateTime local, ZoneId zone) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    return offsets.isEmpty()
        ? zone.getRules().getTransition(local).getInstant()
        : local.toInstant(offsets.get(0));
  }

  /**
   * Returns true if the time zone has this date: a zone that moved across the date line has skipped
   * one.
   */
  static boolean exists(LocalDate date, ZoneId zone) {
    ZoneOffsetTransition change = zone.getRules().getTransition(date.atStartOfDay());
    return change == null
        || !change.isGap()
        || change.getDateTimeAfter().isBefore(date.plusDays(1).atStartOfDay());
  }
}
