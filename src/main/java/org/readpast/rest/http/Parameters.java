package org.readpast.rest.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.SearchOrder;

/** Reads path and query parameters. */
public final class Parameters {
  static final int DEFAULT_LIMIT = 50;
  static final int HIGHEST_LIMIT = 200;
  private static final int HIGHEST_NEXT = 100;

  private Parameters() {}

  public static long id(String given) {
    try {
      if (given.matches("[0-9]{1,19}")) {
        return Long.parseLong(given);
      }
    } catch (NumberFormatException e) {
      // A number that is larger than any id is reported as not found.
    }
    throw RequestException.notFound(
        "job '" + RequestException.quote(given) + "' does not exist; ids are whole numbers");
  }

  public static boolean flag(String name, @Nullable String given) {
    if (given == null || given.equals("false")) {
      return false;
    }
    if (given.equals("true")) {
      return true;
    }
    throw RequestException.malformed(
        name + " is '" + RequestException.quote(given) + "'; specify true or false");
  }

  public static int limit(@Nullable String given) {
    if (given == null) {
      return DEFAULT_LIMIT;
    }
    int limit = given.matches("[0-9]{1,9}") ? Integer.parseInt(given) : 0;
    if (limit < 1 || limit > HIGHEST_LIMIT) {
      throw RequestException.malformed(
          "limit is '" + RequestException.quote(given) + "'; specify 1 to " + HIGHEST_LIMIT);
    }
    return limit;
  }

  /** Returns a time, given with any offset from UTC. */
  public static @Nullable Instant moment(String name, @Nullable String given) {
    if (given == null || given.isEmpty()) {
      return null;
    }
    try {
      Instant moment = OffsetDateTime.parse(given).toInstant();
      if (keepable(moment)) {
        return moment;
      }
    } catch (DateTimeException e) {
      // Invalid times are reported by the exception at the end.
    }
    throw RequestException.malformed(
        name
            + " is '"
            + RequestException.quote(given)
            + "'; specify a time such as 2026-03-29T00:30:00Z, in the years 1 to 9999");
  }

  /** Returns true if the year of the time can be written and read by all parts of the system. */
  static boolean keepable(Instant moment) {
    int year = moment.atOffset(ZoneOffset.UTC).getYear();
    return year >= 1 && year <= 9999;
  }

  /** Returns the number of next planned times to show. */
  public static int next(@Nullable String given, int otherwise) {
    return number("next", given, otherwise, HIGHEST_NEXT);
  }

  /** Returns a number from 0 to the highest one. */
  public static int number(String name, @Nullable String given, int otherwise, int highest) {
    if (given == null) {
      return otherwise;
    }
    int number = given.matches("[0-9]{1,9}") ? Integer.parseInt(given) : -1;
    if (number < 0 || number > highest) {
      throw RequestException.malformed(
          name + " is '" + RequestException.quote(given) + "'; specify 0 to " + highest);
    }
    return number;
  }

  public static @Nullable JobState state(@Nullable String given, List<JobState> allowed) {
    if (given == null) {
      return null;
    }
    return oneOf("state", given, allowed);
  }

  /** Returns the order of a search, which is the newest job first if none is given. */
  public static SearchOrder order(@Nullable String given) {
    return given == null
        ? SearchOrder.NEWEST
        : constant(
            "order",
            given,
            Arrays.asList(SearchOrder.values()),
            "NEWEST or OLDEST, the orders that have an index");
  }

  /** Returns the allowed constant that a parameter names. */
  public static <E extends Enum<E>> E oneOf(String name, String given, List<E> allowed) {
    return constant(
        name,
        given,
        allowed,
        "one of " + allowed.stream().map(Enum::name).collect(Collectors.joining(", ")));
  }

  /**
   * @param expected the allowed values in words
   */
  private static <E extends Enum<E>> E constant(
      String name, String given, List<E> allowed, String expected) {
    return allowed.stream()
        .filter(one -> one.name().equals(given))
        .findFirst()
        .orElseThrow(
            () ->
                RequestException.malformed(
                    name + " is '" + RequestException.quote(given) + "'; specify " + expected));
  }

  public static List<JobState> allStates() {
    return Arrays.asList(JobState.values());
  }
}
