package org.readpast.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;

/** When a local time comes, also where clocks change. */
final class LocalTimes {
  private LocalTimes() {}

  /**
   * The first moment at which clocks show this time, or, where they leave it out, the first moment
   * after. Never earlier for a later time.
   */
  static Instant first(LocalDateTime local, ZoneId zone) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    return offsets.isEmpty()
        ? zone.getRules().getTransition(local).getInstant()
        : local.toInstant(offsets.get(0));
  }

  /** Whether a zone has this date: one that moved across the date line has left one out. */
  static boolean exists(LocalDate date, ZoneId zone) {
    ZoneOffsetTransition change = zone.getRules().getTransition(date.atStartOfDay());
    return change == null
        || !change.isGap()
        || change.getDateTimeAfter().isBefore(date.plusDays(1).atStartOfDay());
  }
}
