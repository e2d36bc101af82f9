package org.readpast.runtime;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;

/** Collects errors, so that all of them are reported together. */
final class ConfigurationErrors {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Function<String, Optional<String>> raw;
  private final List<String> found = new ArrayList<>();

  /**
   * Creates an empty list of configuration errors; {@code raw} returns the configured text of a
   * key.
   */
  ConfigurationErrors(Function<String, Optional<String>> raw) {
    this.raw = raw;
  }

  void add(String error) {
    found.add(error);
  }

  void check(boolean holds, String key, @Nullable Object value, String wayOut) {
    if (!holds) {
      add(key + " is '" + value + "'; " + wayOut);
    }
  }

  <T> @Nullable T optional(String key, Function<String, T> parser, String wayOut) {
    return optional(key, parser, value -> "'" + value + "'", wayOut);
  }

  /** Parses the value of a key whose value must not appear in a message. */
  <T> @Nullable T secret(String key, Function<String, T> parser, String wayOut) {
    return optional(key, parser, value -> "invalid", wayOut);
  }

  private <T> @Nullable T optional(
      String key, Function<String, T> parser, UnaryOperator<String> shown, String wayOut) {
    Optional<String> value = raw.apply(key);
    if (value.isEmpty()) {
      return null;
    }
    try {
      return parser.apply(value.get().trim());
    } catch (IllegalArgumentException | DateTimeException e) {
      add(key + " is " + shown.apply(value.get()) + "; " + wayOut);
      return null;
    }
  }

  <T> T read(String key, T otherwise, Function<String, T> parser, String wayOut) {
    T value = optional(key, parser, wayOut);
    return value == null ? otherwise : value;
  }

  Duration duration(String key, String otherwise) {
    Duration value = optionalDuration(key);
    return value == null ? Duration.parse(otherwise) : value;
  }

  @Nullable Duration optionalDuration(String key) {
    Duration value = optional(key, Duration::parse, "specify an ISO-8601 duration, such as PT10S");
    check(value == null || !value.isNegative(), key, value, "specify a duration of at least zero");
    check(
        value == null || value.compareTo(LONGEST) <= 0,
        key,
        value,
        "specify at most a hundred years, P36500D");
    return value;
  }

  /** Returns a number from 0 to the maximum, or null if nothing is configured. */
  @Nullable Integer within(String key, int highest) {
    Integer value = optional(key, Integer::valueOf, "specify a number");
    check(value == null || (value >= 0 && value <= highest), key, value, "specify 0 to " + highest);
    return value;
  }

  int count(String key, int otherwise) {
    int value = read(key, otherwise, Integer::valueOf, "specify a number");
    check(value > 0 && value <= 1000, key, value, "specify 1 to 1000");
    return value;
  }

  /** Runs a step, and records a refusal as an error. */
  void guard(String key, Runnable step) {
    try {
      step.run();
    } catch (ReadpastException e) {
      add(key + ": " + e.getMessage());
    }
  }

  boolean flag(String key, boolean otherwise) {
    String value =
        read(key, String.valueOf(otherwise), Function.identity(), "specify true or false");
    check(value.equals("true") || value.equals("false"), key, value, "specify true or false");
    return value.equals("true");
  }

  /** Throws an exception with all recorded errors, if there are any. */
  void report() {
    if (!found.isEmpty()) {
      throw new ReadpastException("the configuration cannot be used: " + String.join("; ", found));
    }
  }
}
