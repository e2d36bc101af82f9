package org.readpast.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobState;

/**
 * Represents a search for jobs as users type it: {@code queue:mail type:invoice.*
 * payload.customer.id:42 error:"timed out" age>1h}. A job must match all parts; a component that is
 * null or empty matches every job. Of a list, a job must match one value.
 *
 * @param types job types, or the beginnings of job types followed by {@code *}
 * @param versions the versions of the job types
 * @param error a part of the exception's class name or message in an attempt
 * @param payload the values in the payload, by their paths
 * @param properties the values of properties, by their names
 * @param olderThan the minimum time since the job was enqueued
 */
public record JobSearch(
    @Nullable Long id,
    @Nullable JobState state,
    List<String> queues,
    List<String> types,
    List<Integer> versions,
    List<Integer> priorities,
    @Nullable String group,
    @Nullable String batch,
    @Nullable Integer wave,
    @Nullable String key,
    @Nullable String correlation,
    List<String> nodes,
    @Nullable String error,
    Map<List<String>, String> payload,
    Map<String, String> properties,
    @Nullable Duration olderThan,
    @Nullable Duration youngerThan) {
  /** Matches all jobs. */
  public static final JobSearch ANY =
      new JobSearch(
          null, null, List.of(), List.of(), List.of(), List.of(), null, null, null, null, null,
          List.of(), null, Map.of(), Map.of(), null, null);

  private static final Pattern PART =
      Pattern.compile("\\s*(?:([\\p{Alnum}._-]+)([:<>]))?(\"(?:[^\"\\\\]|\\\\.)*+\"|\\S++)");
  private static final int LONGEST = 1_000;
  private static final Pattern AGE = Pattern.compile("(\\d{1,6})(s|m|h|d)");

  /** Lists the qualifiers that accept several values, separated by commas. */
  private static final Set<String> LISTS =
      Set.of("queue:", "type:", "version:", "priority:", "node:");

  private static final String KNOWN =
      "state:, queue:, type:, version:, priority:, group:, batch:, wave:, uniqueKey:, correlationId:,"
          + " node:, error:, payload.<member>:, property.<name>:, age>1h, age<5m, or the id of a job";

  /** Parses a search; if it is refused, the message names the part that is not understood. */
  public static JobSearch parse(String typed) {
    if (typed.length() > LONGEST || !Names.storable(typed)) {
      throw wrong(
          typed, "specify at most " + LONGEST + " characters, without NUL or lone surrogates");
    }
    Map<String, String> words = new LinkedHashMap<>();
    Map<String, List<String>> lists = new HashMap<>();
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
      } else if (LISTS.contains(name)
          ? lists.put(name, values(name, part.group(3))) != null
          : words.put(name, value) != null) {
        throw wrong(
            name + value,
            "'"
                + name
                + "' is given twice, but a job must match all parts; specify it once"
                + (LISTS.contains(name) ? ", with several values as " + name + "a,b" : ""));
      }
    }
    var search =
        new JobSearch(
            number(words.remove("")),
            state(words.remove("state:")),
            lists.getOrDefault("queue:", List.of()),
            lists.getOrDefault("type:", List.of()),
            wholes("version", lists),
            wholes("priority", lists),
            words.remove("group:"),
            words.remove("batch:"),
            whole("wave", words.remove("wave:")),
            words.remove("uniqueKey:"),
            words.remove("correlationId:"),
            lists.getOrDefault("node:", List.of()),
            words.remove("error:"),
            payload,
            properties,
            age("age>", words.remove("age>")),
            age("age<", words.remove("age<")));
    words.forEach(
        (name, value) -> {
          throw wrong(name + value, "specify " + KNOWN);
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
        both("queue", queues, queue),
        both("type", types, type),
        versions,
        priorities,
        group,
        batch,
        wave,
        key,
        correlation,
        nodes,
        error,
        payload,
        properties,
        olderThan,
        youngerThan);
  }

  private static List<String> both(String name, List<String> values, @Nullable String other) {
    if (other == null) {
      return values;
    }
    both(name, values.isEmpty() ? null : String.join(",", values), other);
    return List.of(other);
  }

  private static <T> @Nullable T both(String name, @Nullable T one, @Nullable T other) {
    if (one != null && other != null && !one.equals(other)) {
      throw wrong(
          name + ":" + one, "the request also has " + name + "=" + other + "; specify only one");
    }
    return one == null ? other : one;
  }

  /** Returns the values of a list; a quoted string is one value. */
  private static List<String> values(String name, String text) {
    if (text.startsWith("\"")) {
      return List.of(unquoted(text));
    }
    List<String> values = Arrays.stream(text.split(",", -1)).distinct().toList();
    if (values.contains("")) {
      throw wrong(name + text, "separate the values by single commas, without spaces");
    }
    return values;
  }

  private static List<Integer> wholes(String name, Map<String, List<String>> lists) {
    List<Integer> numbers = new ArrayList<>();
    lists.getOrDefault(name + ":", List.of()).forEach(word -> numbers.add(whole(name, word)));
    return List.copyOf(numbers);
  }

  private static String unquoted(String text) {
    return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1")
        : text;
  }

  private static @Nullable Long number(@Nullable String word) {
    if (word != null && !word.matches("\\d{1,18}")) {
      throw wrong(word, "specify " + KNOWN);
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
