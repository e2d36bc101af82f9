package org.readpast.model;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the planned times of a schedule. The planned times do not depend on which node computes
 * them, or when.
 */
public sealed interface Timing permits Cron, DailyAt, Interval {

  /** Identifies the form of a timing. */
  enum Form {
    /** Specifies a cron expression of five fields, or a name such as {@code @daily}. */
    CRON,
    /** Specifies a time of day, once on each local date. */
    DAILY,
    /** Specifies a fixed interval. */
    EVERY
  }

  /** Returns the form. */
  Form kind();

  /** Returns the timing as a string that {@link #of} can read. */
  String expression();

  /** Returns the time zone of the local times. */
  ZoneId zone();

  /** Returns the time at which a fixed interval begins. */
  Instant anchor();

  /** Returns the first planned time after the given time. */
  Instant after(Instant moment);

  /** Returns the given number of planned times after the given time. */
  default List<Instant> after(Instant moment, int count) {
    List<Instant> next = new ArrayList<>();
    for (Instant at = moment; next.size() < count; ) {
      at = after(at);
      next.add(at);
    }
    return next;
  }

  /**
   * Creates a timing from its parts.
   *
   * @param anchor the time at which a fixed interval begins
   * @throws InvalidScheduleException if the timing breaks a rule
   */
  static Timing of(Form kind, String expression, ZoneId zone, Instant anchor) {
    return switch (kind) {
      case CRON -> Cron.parse(expression, zone);
      case DAILY -> new DailyAt(time(expression), zone);
      case EVERY -> new Interval(interval(expression), anchor);
    };
  }

  /**
   * Parses a timing from a single string: a cron expression such as {@code 0 3 * * *} or
   * {@code @daily}, or a local time such as {@code 02:30}, each optionally followed by a time zone;
   * or an interval such as {@code PT5M}.
   *
   * @throws InvalidScheduleException if the text has none of these forms
   */
  static Timing parse(String text) {
    String trimmed = text.strip();
    if (trimmed.startsWith("P")) {
      return of(Form.EVERY, trimmed, zone("UTC"), Instant.EPOCH);
    }
    List<String> words = List.of(trimmed.split("\\s+"));
    Form kind = words.get(0).contains(":") ? Form.DAILY : Form.CRON;
    int length = kind == Form.DAILY || trimmed.startsWith("@") ? 1 : 5;
    boolean zoned = words.size() == length + 1;
    return of(
        kind,
        String.join(" ", zoned ? words.subList(0, length) : words),
        zone(zoned ? words.get(length) : "UTC"),
        Instant.EPOCH);
  }

  /** Parses the name of a time zone, whose meaning must not depend on the node that reads it. */
  static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw InvalidScheduleException.of(
          "zone", name, "specify a time zone such as Europe/Berlin, America/New_York or UTC");
    }
  }

  private static LocalTime time(String text) {
    try {
      LocalTime time = LocalTime.parse(text);
      if (time.getNano() == 0) {
        return time;
      }
    } catch (DateTimeParseException e) {
      // A string that is not a time is refused below, in the same way as a time with fractions of a
      // second.
    }
    throw InvalidScheduleException.of(
        "daily", text, "specify a local time such as 02:30 or 02:30:15");
  }

  private static Duration interval(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw InvalidScheduleException.of(
          "every", text, "specify an ISO-8601 duration such as PT5M, PT1H or P1D");
    }
  }
}
