package org.readpast.model;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/** Reads durations that annotations contain as strings. */
public final class AnnotatedDuration {
  private AnnotatedDuration() {}

  /**
   * Reads a duration.
   *
   * @param attribute the name of the attribute as in the source code: {@code @Retries(delay}
   * @throws IllegalArgumentException if the value is not an ISO-8601 duration; the message names
   *     the attribute and the value
   */
  public static Duration parse(String attribute, String value) {
    try {
      return Duration.parse(value);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          attribute
              + " = \""
              + Names.excerpt(value)
              + "\") is not an ISO-8601 duration; write, for example, PT10S or PT5M",
          e);
    }
  }
}
