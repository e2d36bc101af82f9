package org.readpast.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Plans runs at a fixed interval of elapsed time, starting from an anchor.
 *
 * @param every the interval, a second or more, in whole milliseconds
 */
public record Interval(Duration every, Instant anchor) implements Timing {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  public Interval {
    if (every.compareTo(SHORTEST) < 0 || every.compareTo(LONGEST) > 0 || !wholeMillis(every)) {
      throw InvalidScheduleException.of(
          "every", every.toString(), "specify PT1S to P36500D, in whole milliseconds");
    }
    if (anchor.isBefore(Instant.EPOCH)
        || anchor.isAfter(LAST)
        || anchor.getNano() % 1_000_000 != 0) {
      throw InvalidScheduleException.of(
          "anchor",
          anchor.toString(),
          "specify a time in the years 1970 to 9999, in whole milliseconds");
    }
  }

  private static boolean wholeMillis(Duration span) {
    return span.getNano() % 1_000_000 == 0;
  }

  @Override
  public Form kind() {
    return Form.EVERY;
  }

  @Override
  public String expression() {
    return every.toString();
  }

  @Override
  public ZoneId zone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Instant after(Instant moment) {
    if (moment.isBefore(anchor)) {
      return anchor;
    }
    long passed = Duration.between(anchor, moment).toMillis() / every.toMillis();
    return anchor.plusMillis(every.toMillis() * (passed + 1));
  }
}
