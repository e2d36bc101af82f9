package org.readpast.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobState;

/**
 * Represents a search for jobs as users type it: {@code queue:mail type:invoice.*
 * payload.customer.id:42 error:"timed out" age>1h}. A job must match all parts; a component that is
 * null matches every job.
 *
 * @param type a job type, or the beginning of a job type followed by {@code *}
 * @param version the version of the job type
 * @param error a part of the exception's class name or message in an attempt
 * @param payload the values in the payload, by their paths
 * @param properties the values of properties, by their names
 * @param olderThan the minimum time since the job was enqueued
 */
public record JobSearch(
    @Nullable Long id,
    @Nullable JobState state,
    @Nullable String queue,
    @Nullable String type,
    @Nullable Integer version,
    @Nullable Integer priority,
    @Nullable String group,
    @Nullable String batch,
    @Nullable Integer wave,
    @Nullable String key,
    @Nullable String correlation,
    @Nullable String node,
    @Nullable String error,
    Map<List<String>, String> payload,
    Map<String, String> properties,
    @Nullable Duration olderThan,
    @Nullable Duration youngerThan) {
  /** Matches all jobs. */
  public static final JobSearch ANY =
      new JobSearch(
          null, null, null, null, null, null, null, null, null, null, null, null, null, Map.of(),
          Map.of(), null, null);

  private static final Pattern PART =
      Pattern.compile("\\s*(?:([\\p{Alnum}._-]+)([:<>]))?(\"(?:[^\"\\\\]|\\\\.)*+\"|\\S++)");
  private static final int LONGEST = 1_000;
  private static final Pattern AGE = Pattern.compile("(\\d{1,6})(s|m|h|d)");
  private static final String KNOWN =
      "state:, queue:, type:, version:, priority:, group:, batch:, wave:, uniqueKey:, correlationId:,"
          + " node:, error:, payload.<member>:, property.<name>:, age>1h, age<5m, or the id of a job";

  /** Parses a search; if it is refused, the message names the part that is not understood. */
  public static JobSearch parse(String typed) {
    if (typed.length() > LONGEST || !Names.storable(typed)) {
      throw wrong(typed, "give at most " + LONGEST + " characters, without NUL or lone surrogates");
    }
    Map<String, String> words = new LinkedHashMap<>();
    Map<List<String>, String> payload = new LinkedHashMap<>();
    Map<String, String> properties = new LinkedHashMap<>();
    Matcher part = PART.matcher(typed.strip());
    int end = 0;
    while (part.find() && part.start() == end) {
      end = part.end();
      String name = part.group(1) == null ? "" : part.group(1) + part.group(2);
      String value = unquoted(part.group(3));
      if (name.startsWith("payload.") && name.endsWith(":")) {
        payload.put(List.of(name.substring(8, name.length() - 1).split("\\.")), value);
      } else if (name.startsWith("property.") && name.length() > 10 && name.endsWith(":")) {
        properties.put(name.substring(9, name.length() - 1), value);
      } else if (words.put(name, value) != null) {
        throw wrong(
            name + value,
            "'" + name + "' is given twice, but a job must match all parts; give it once");
      }
    }
    var search =
        new JobSearch(
            number(words.remove("")),
            state(words.remove("state:")),
            words.remove("queue:"),
            words.remove("type:"),
            whole("version", words.remove("version:")),
            whole("priority", words.remove("priority:")),
            words.remove("group:"),
            words.remove("batch:"),
            whole("wave", words.remove("wave:")),
            words.remove("uniqueKey:"),
            words.remove("correlationId:"),
            words.remove("node:"),
            words.remove("error:"),
            payload,
            properties,
            age("age>", words.remove("age>")),
            age("age<", words.remove("age<")));
    words.forEach(
        (name, value) -> {
          throw wrong(name + value, "give " + KNOWN);
        });
    return search;
  }

  /**
   * Returns a search that matches this search and also the given values; null matches every value.
   */
  public JobSearch and(@Nullable String queue, @Nullable String type, @Nullable JobState state) {
    return new JobSearch(
        id,
        both("state", this.state, state),
        both("queue", this.queue, queue),
        both("type", this.type, type),
        version,
        priority,
        group,
        batch,
        wave,
        key,
        correlation,
        node,
        error,
        payload,
        properties,
        olderThan,
        youngerThan);
  }

  private static <T> @Nullable T both(String name, @Nullable T one, @Nullable T other) {
    if (one != null && other != null && !one.equals(other)) {
      throw wrong(
          name + ":" + one, "the request also has " + name + "=" + other + "; give one of them");
    }
    return one == null ? other : one;
  }

  private static String unquoted(String text) {
    return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1")
        : text;
  }

  private static @Nullable Long number(@Nullable String word) {
    if (word != null && !word.matches("\\d{1,18}")) {
      throw wrong(word, "give " + KNOWN);
    }
    return word == null ? null : Long.valueOf(word);
  }

  private static @Nullable Integer whole(String name, @Nullable String word) {
    if (word != null && !word.matches("\\d{1,9}")) {
      throw wrong(name + ":" + word, "a " + name + " is a whole number");
    }
    return word == null ? null : Integer.valueOf(word);
  }

  private static @Nullable JobState state(@Nullable String word) {
    if (word == null) {
      return null;
    }
    for (JobState state : JobState.values()) {
      if (state.name().equalsIgnoreCase(word)) {
        return state;
      }
    }
    throw wrong("state:" + word, "a state is one of " + Arrays.toString(JobState.values()));
  }

  private static @Nullable Duration age(String name, @Nullable String word) {
    if (word == null) {
      return null;
    }
    Matcher age = AGE.matcher(word);
    if (!age.matches()) {
      throw wrong(name + word, "an age is a number with the unit s, m, h or d");
    }
    long number = Long.parseLong(age.group(1));
    return switch (age.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  private static JobRejectedException wrong(String word, String way) {
    return new JobRejectedException(
        "'" + Names.excerpt(word) + "' is not valid in a search; " + way);
  }
}
