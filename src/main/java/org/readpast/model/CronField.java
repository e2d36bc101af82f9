package org.readpast.model;

import java.util.List;
import java.util.Locale;

/**
 * Represents one field of a cron expression as the set of values that match.
 *
 * @param bits a bit set: bit n is set if the value n matches
 * @param everything true if the field is {@code *}
 * @param starred true if the field begins with {@code *}
 */
record CronField(long bits, boolean everything, boolean starred) {

  /** Identifies a field of a cron expression, its permitted values, and the names of its values. */
  enum Part {
    MINUTE("minute", 0, 59, List.of()),
    HOUR("hour", 0, 23, List.of()),
    DAY("day of month", 1, 31, List.of()),
    MONTH(
        "month",
        1,
        12,
        List.of(
            "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
    WEEKDAY("day of week", 0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

    private final String title;
    private final int lowest;
    private final int highest;
    private final List<String> names;

    Part(String title, int lowest, int highest, List<String> names) {
      this.title = title;
      this.lowest = lowest;
      this.highest = highest;
      this.names = names;
    }

    private String allowed() {
      return lowest
          + "-"
          + highest
          + (names.isEmpty() ? "" : " or " + names.get(0) + "-" + names.get(names.size() - 1));
    }
  }

  static CronField parse(Part part, String text) {
    long bits = 0;
    for (String item : text.split(",", -1)) {
      bits |= item(part, item);
    }
    // In cron, both 0 and 7 mean Sunday.
    boolean sunday = part == Part.WEEKDAY && (bits & 1L << 7) != 0;
    long whole = sunday ? (bits | 1L) & ~(1L << 7) : bits;
    return new CronField(whole, text.equals("*"), text.startsWith("*"));
  }

  private static long item(Part part, String item) {
    String[] stepped = item.split("/", 2);
    String range = stepped[0];
    int from = part.lowest;
    int to = part == Part.WEEKDAY ? 6 : part.highest;
    if (!range.equals("*")) {
      String[] ends = range.split("-", 2);
      from = value(part, ends[0], item);
      to = ends.length == 1 ? from : value(part, ends[1], item);
      if (part == Part.WEEKDAY && ends.length == 2 && to == 0 && from > 0) {
        to = 7;
      }
      if (stepped.length == 2 && ends.length == 1) {
        throw wrong(
            part, item, "a step needs a range: " + item.replace("/", "-" + part.highest + "/"));
      }
      if (from > to) {
        throw wrong(
            part,
            item,
            "the first value of a range must not be greater than the last; specify two ranges,"
                + " separated by a comma");
      }
    }
    int step = stepped.length == 1 ? 1 : step(part, stepped[1], item);
    long bits = 0;
    for (int value = from; value <= to; value += step) {
      bits |= 1L << value;
    }
    return bits;
  }

  private static int value(Part part, String text, String item) {
    int named = part.names.indexOf(text.toUpperCase(Locale.ROOT));
    if (named >= 0) {
      return named + part.lowest;
    }
    int value = text.matches("[0-9]{1,2}") ? Integer.parseInt(text) : -1;
    if (value < part.lowest || value > part.highest) {
      throw wrong(part, item, "specify *, or a list of values and ranges of " + part.allowed());
    }
    return value;
  }

  private static int step(Part part, String text, String item) {
    int step = text.matches("[0-9]{1,2}") ? Integer.parseInt(text) : 0;
    if (step < 1 || step > part.highest) {
      throw wrong(part, item, "specify a step of 1 to " + part.highest);
    }
    return step;
  }

  private static InvalidScheduleException wrong(Part part, String item, String wayOut) {
    return InvalidScheduleException.of("cron: the " + part.title, item, wayOut);
  }

  boolean fits(int value) {
    return (bits & 1L << value) != 0;
  }

  /** Returns the first matching value at or after the given one, or -1. */
  int from(int value) {
    long rest = bits & (-1L << value);
    return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
  }
}
