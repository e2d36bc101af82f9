package org.readpast.model;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** The planned moments of a schedule: always the same ones, whoever asks and when. */
public sealed interface Timing permits Cron, DailyAt, Interval {

  /** The three ways to say when. */
  enum Form {
    /** Five fields, or a name such as {@code @daily}. */
    CRON,
    /** Once on each local date. */
    DAILY,
    /** At a fixed interval. */
    EVERY
  }

  /** Which way. */
  Form kind();

  /** What was said, to be read by {@link #of} again. */
  String expression();

  /** Whose local times are meant. */
  ZoneId zone();

  /** Where a fixed interval begins. */
  Instant anchor();

  /** The first planned moment after this one. */
  Instant after(Instant moment);

  /** The next few after this one. */
  default List<Instant> after(Instant moment, int count) {
    List<Instant> next = new ArrayList<>();
    for (Instant at = moment; next.size() < count; ) {
      at = after(at);
      next.add(at);
    }
    return next;
  }

  /**
   * Reads what was said.
   *
   * @param anchor where a fixed interval begins
   * @throws InvalidScheduleException if it breaks a rule
   */
  static Timing of(Form kind, String expression, ZoneId zone, Instant anchor) {
    return switch (kind) {
      case CRON -> Cron.parse(expression, zone);
      case DAILY -> new DailyAt(time(expression), zone);
      case EVERY -> new Interval(interval(expression), anchor);
    };
  }

  /**
   * Reads one from a single text: a cron expression such as {@code 0 3 * * *} or {@code @daily}, a
   * local time such as {@code 02:30}, either with a time zone after it, or an interval such as
   * {@code PT5M}.
   *
   * @throws InvalidScheduleException if it is none of these
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

  /** Reads the name of a time zone, which must not depend on who reads it. */
  static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw InvalidScheduleException.of(
          "zone", name, "give a time zone such as Europe/Berlin, America/New_York or UTC");
    }
  }

  private static LocalTime time(String text) {
    try {
      LocalTime time = LocalTime.parse(text);
      if (time.getNano() == 0) {
        return time;
      }
    } catch (DateTimeParseException e) {
      // Said below, as of one with a fraction of a second.
    }
    throw InvalidScheduleException.of("daily", text, "give a local time such as 02:30 or 02:30:15");
  }

  private static Duration interval(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw InvalidScheduleException.of(
          "every", text, "give an ISO-8601 duration such as PT5M, PT1H or P1D");
    }
  }
}
