package org.readpast.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.model.CronField.Part;

/**
 * Computes the planned times of a cron expression of five fields in a time zone, by the rules of
 * {@link org.readpast.api.Scheduled}.
 */
public final class Cron implements Timing {
  private static final Map<String, String> NAMED =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *");

  private static final int LONGEST = 200;

  private final String expression;
  private final ZoneId zone;
  private final CronField minutes;
  private final CronField hours;
  private final CronField days;
  private final CronField months;
  private final CronField weekdays;

  private Cron(String expression, String[] fields, ZoneId zone) {
    this.expression = expression;
    this.zone = zone;
    this.minutes = CronField.parse(Part.MINUTE, fields[0]);
    this.hours = CronField.parse(Part.HOUR, fields[1]);
    this.days = CronField.parse(Part.DAY, fields[2]);
    this.months = CronField.parse(Part.MONTH, fields[3]);
    this.weekdays = CronField.parse(Part.WEEKDAY, fields[4]);
  }

  /**
   * Reads an expression.
   *
   * @throws InvalidScheduleException if the expression breaks a rule, or no date matches it
   */
  public static Cron parse(String expression, ZoneId zone) {
    String trimmed = expression.trim();
    String five = trimmed;
    if (trimmed.startsWith("@")) {
      five = NAMED.getOrDefault(trimmed.toLowerCase(Locale.ROOT), "");
    }
    String[] fields = five.split("\\s+");
    if (fields.length != 5) {
      throw InvalidScheduleException.of(
          "cron",
          expression,
          "specify five fields (minute, hour, day of month, month, day of week), or @hourly,"
              + " @daily, @weekly, @monthly or @yearly");
    }
    String kept = trimmed.startsWith("@") ? trimmed : String.join(" ", fields);
    if (kept.length() > LONGEST) {
      throw InvalidScheduleException.of(
          "cron", expression, "specify up to " + LONGEST + " characters, such as */5 for a list");
    }
    Cron cron = new Cron(kept, fields, zone);
    if (!cron.hasDate()) {
      throw InvalidScheduleException.of(
          "cron",
          expression,
          "no date matches: day of month " + fields[2] + " does not occur in months " + fields[3]);
    }
    return cron;
  }

  private boolean hasDate() {
    for (int month = 1; month <= 12; month++) {
      int first = days.from(1);
      if (months.fits(month) && first <= Month.of(month).maxLength()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Form kind() {
    return Form.CRON;
  }

  @Override
  public String expression() {
    return expression;
  }

  @Override
  public ZoneId zone() {
    return zone;
  }

  @Override
  public Instant anchor() {
    return Instant.EPOCH;
  }

  @Override
  public Instant after(Instant moment) {
    return hours.everything() ? asTimePasses(moment) : oncePerLocalTime(moment);
  }

  private Instant oncePerLocalTime(Instant moment) {
    LocalDateTime from = LocalDateTime.ofInstant(moment, zone).truncatedTo(ChronoUnit.MINUTES);
    while (true) {
      LocalDateTime local = firstFrom(from);
      Instant at = LocalTimes.first(local, zone);
      if (at.isAfter(moment) && LocalTimes.exists(local.toLocalDate(), zone)) {
        return at;
      }
      from = local.plusMinutes(1);
    }
  }

  private Instant asTimePasses(Instant moment) {
    ZoneRules rules = zone.getRules();
    Instant since = moment;
    LocalDateTime from =
        LocalDateTime.ofInstant(moment, zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    while (true) {
      ZoneOffset offset = rules.getOffset(since);
      Instant at = firstFrom(from).toInstant(offset);
      ZoneOffsetTransition change = rules.nextTransition(since);
      if (change == null || at.isBefore(change.getInstant())) {
        return at;
      }
      since = change.getInstant();
      from = wholeMinute(change.getDateTimeAfter());
    }
  }

  private static LocalDateTime wholeMinute(LocalDateTime local) {
    LocalDateTime cut = local.truncatedTo(ChronoUnit.MINUTES);
    return cut.equals(local) ? cut : cut.plusMinutes(1);
  }

  /**
   * Returns the first matching local time at or after the given one, as if clocks were never
   * changed.
   */
  private LocalDateTime firstFrom(LocalDateTime from) {
    LocalDate date = from.toLocalDate();
    LocalTime time = from.toLocalTime();
    while (true) {
      if (!months.fits(date.getMonthValue())) {
        date = date.withDayOfMonth(1).plusMonths(1);
      } else {
        LocalTime found = fits(date) ? firstFrom(time) : null;
        if (found != null) {
          return date.atTime(found);
        }
        date = date.plusDays(1);
      }
      time = LocalTime.MIDNIGHT;
    }
  }

  private boolean fits(LocalDate date) {
    boolean day = days.fits(date.getDayOfMonth());
    boolean weekday = weekdays.fits(date.getDayOfWeek().getValue() % 7);
    return days.starred() || weekdays.starred() ? day && weekday : day || weekday;
  }

  private @Nullable LocalTime firstFrom(LocalTime time) {
    int hour = hours.from(time.getHour());
    if (hour == time.getHour()) {
      int minute = minutes.from(time.getMinute());
      if (minute >= 0) {
        return LocalTime.of(hour, minute);
      }
      hour = hours.from(hour + 1);
    }
    return hour < 0 ? null : LocalTime.of(hour, minutes.from(0));
  }
}
