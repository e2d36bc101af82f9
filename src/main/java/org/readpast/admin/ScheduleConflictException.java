package org.readpast.admin;

import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;
import org.readpast.schedule.Schedules.Declaration;

/** What a schedule does not allow as it is; nothing was changed. */
public class ScheduleConflictException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  private ScheduleConflictException(String message) {
    super(message);
  }

  static ScheduleConflictException declared(String name, Declaration by, String verb) {
    return new ScheduleConflictException(
        "schedule '"
            + name
            + "' is declared by application '"
            + by.owner()
            + "' on node '"
            + by.node()
            + "' ("
            + by.place()
            + ") and cannot be "
            + verb
            + " here; do that there, or disable it");
  }

  static ScheduleConflictException filling(String name, String rule) {
    return new ScheduleConflictException(
        "schedule '"
            + name
            + "' fills rule '"
            + rule
            + "'; take the schedule from that rule, or disable it");
  }

  static ScheduleConflictException overlap(String name, @Nullable Long job) {
    return new ScheduleConflictException(
        "schedule '"
            + name
            + "' does not let runs overlap, and job "
            + job
            + " of the previous one is still live; wait until that one ends, or cancel it");
  }
}
