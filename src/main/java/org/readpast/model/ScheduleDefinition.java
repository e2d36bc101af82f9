package org.readpast.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.CatchUp;
import org.readpast.api.JobRequest;
import org.readpast.api.Overlap;

/**
 * Defines when a schedule fires and what it enqueues; the definition has been checked against every
 * rule.
 *
 * @param payload the new payload as JSON
 * @param catchUpCap the maximum number of missed runs that are caught up on, from 1 to 10,000
 * @param latestStart the maximum time from the planned time until the job starts, or null if there
 *     is no limit
 * @param enabled the value in the definition; an operator may have changed it since
 */
public record ScheduleDefinition(
    String name,
    Timing timing,
    String type,
    String queue,
    int priority,
    String payload,
    CatchUp catchUp,
    int catchUpCap,
    Overlap overlap,
    @Nullable Duration latestStart,
    boolean enabled) {

  /** Names the fields that {@link #read} reads. */
  public static final List<String> FIELDS =
      List.of(
          "cron",
          "daily",
          "every",
          "anchor",
          "zone",
          "type",
          "queue",
          "priority",
          "payload",
          "catchUp",
          "catchUpCap",
          "overlap",
          "latestStart",
          "enabled");

  private static final List<String> TIMINGS = FIELDS.subList(0, 3);
  private static final Duration SHORTEST_START = Duration.ofSeconds(1);
  private static final Duration LONGEST_START = Duration.ofDays(36_500);

  public ScheduleDefinition {
    Names.checkSchedule(name);
    Names.checkType(type);
    Names.checkQueue(queue);
    if (priority < 0 || priority > 9) {
      throw InvalidScheduleException.of(
          "priority", String.valueOf(priority), "specify 0 (last) to 9 (first)");
    }
    if (catchUpCap < 1 || catchUpCap > 10_000) {
      throw InvalidScheduleException.of(
          "catchUpCap", String.valueOf(catchUpCap), "specify 1 to 10000");
    }
    if (latestStart != null
        && (latestStart.compareTo(SHORTEST_START) < 0
            || latestStart.compareTo(LONGEST_START) > 0)) {
      throw InvalidScheduleException.of(
          "latestStart", latestStart.toString(), "specify PT1S to P36500D");
    }
  }

  /**
   * Returns true if the window is so short that a failed first attempt may leave no time for a
   * second one.
   */
  public boolean leavesNoRetry(Duration timeout, Duration pause) {
    return latestStart != null && latestStart.compareTo(timeout.plus(pause)) < 0;
  }

  /** Returns a hash of everything except the name; equal definitions have the same hash. */
  public String fingerprint() {
    return fingerprint(
        timing.kind(),
        timing.expression(),
        timing.zone().getId(),
        timing.anchor(),
        type,
        queue,
        priority,
        payload,
        catchUp,
        catchUpCap,
        overlap,
        latestStart,
        enabled);
  }

  /** Returns a hash of values. */
  static String fingerprint(@Nullable Object... values) {
    // The separator is NUL, because text in PostgreSQL cannot contain it.
    String all = Arrays.stream(values).map(String::valueOf).collect(Collectors.joining("\0"));
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }

  /**
   * Reads a schedule from fields that are strings, regardless of their source.
   *
   * @param fields the values of some of {@link #FIELDS}
   * @throws InvalidScheduleException if a field breaks a rule; the message names the field
   */
  public static ScheduleDefinition read(String name, Map<String, String> fields) {
    if (Rule.ofSchedule(name) != null) {
      throw InvalidScheduleException.of(
          "name", name, "names that begin with 'rule.' are reserved for rules; use another name");
    }
    Reader from = new Reader(fields);
    return new ScheduleDefinition(
        name,
        from.timing(),
        from.type(),
        from.text("queue", "default"),
        from.number("priority", JobRequest.DEFAULT_PRIORITY),
        from.text("payload", "{}"),
        from.constant("catchUp", CatchUp.ONCE),
        from.number("catchUpCap", 100),
        from.constant("overlap", Overlap.ALLOW),
        from.span("latestStart"),
        from.flag("enabled"));
  }

  private record Reader(Map<String, String> fields) {
    Timing timing() {
      List<String> given = TIMINGS.stream().filter(fields::containsKey).toList();
      if (given.size() != 1) {
        throw new InvalidScheduleException(
            (given.isEmpty()
                    ? "neither cron, daily nor every is given"
                    : String.join(" and ", given) + " are given together")
                + "; specify exactly one of cron, daily and every");
      }
      String kind = given.get(0);
      String anchor = fields.get("anchor");
      if (anchor != null && !kind.equals("every")) {
        throw InvalidScheduleException.of(
            "anchor", anchor, "an anchor applies to every only; leave it out");
      }
      return Timing.of(
          Timing.Form.valueOf(kind.toUpperCase(Locale.ROOT)),
          text(kind, ""),
          Timing.zone(text("zone", "UTC")),
          anchor == null ? Instant.EPOCH : moment(anchor));
    }

    String type() {
      String type = fields.get("type");
      if (type == null) {
        throw new InvalidScheduleException(
            "type is missing; specify the job type that the handler is registered for");
      }
      return type;
    }

    String text(String field, String otherwise) {
      return fields.getOrDefault(field, otherwise);
    }

    int number(String field, int otherwise) {
      String text = fields.get(field);
      if (text != null && !text.matches("-?[0-9]{1,9}")) {
        throw InvalidScheduleException.of(field, text, "specify a whole number");
      }
      return text == null ? otherwise : Integer.parseInt(text);
    }

    boolean flag(String field) {
      String text = text(field, "true");
      if (!text.equals("true") && !text.equals("false")) {
        throw InvalidScheduleException.of(field, text, "specify true or false");
      }
      return text.equals("true");
    }

    <E extends Enum<E>> E constant(String field, E otherwise) {
      String text = text(field, otherwise.name());
      E[] all = otherwise.getDeclaringClass().getEnumConstants();
      return Arrays.stream(all)
          .filter(e -> e.name().equals(text.toUpperCase(Locale.ROOT)))
          .findFirst()
          .orElseThrow(
              () ->
                  InvalidScheduleException.of(
                      field,
                      text,
                      "specify one of "
                          + Arrays.stream(all).map(Enum::name).collect(Collectors.joining(", "))));
    }

    @Nullable Duration span(String field) {
      String text = fields.get(field);
      try {
        return text == null ? null : Duration.parse(text);
      } catch (DateTimeException e) {
        throw InvalidScheduleException.of(
            field, String.valueOf(text), "specify an ISO-8601 duration such as PT30M");
      }
    }

    private static Instant moment(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeException e) {
        throw InvalidScheduleException.of(
            "anchor", text, "specify an ISO-8601 time such as 2027-01-01T06:00:00Z");
      }
    }
  }
}
