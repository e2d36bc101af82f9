package org.readpast.model;

import java.util.regex.Pattern;
import org.readpast.api.JobRejectedException;

/** What a name of a queue or a job type may look like. */
public final class Names {
  private static final Pattern NAME = Pattern.compile("[\\p{Alnum}._-]+");

  private Names() {}

  /** Refuses what cannot be a queue's name. */
  public static void checkQueue(String name) {
    check("queue", name, 64);
  }

  /** Refuses what cannot be a job type's name. */
  public static void checkType(String name) {
    check("job type", name, 100);
  }

  /** Refuses what cannot be a schedule's name. */
  public static void checkSchedule(String name) {
    check("schedule", name, 100);
  }

  /** Refuses what cannot be a rule's name. */
  public static void checkRule(String name) {
    check("rule", name, 64);
  }

  /** Whether PostgreSQL can store the text: no NUL, no lone surrogate. */
  public static boolean storable(String text) {
    return text.indexOf('\0') < 0
        && text.codePoints()
            .noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  /** The text, short enough for a message and without control characters. */
  public static String excerpt(String text) {
    String printable = text.replaceAll("\\p{Cntrl}", "?");
    return printable.length() <= 80 ? printable : printable.substring(0, 80) + "…";
  }

  private static void check(String what, String name, int longest) {
    if (name == null || name.length() > longest || !NAME.matcher(name).matches()) {
      throw new JobRejectedException(
          what
              + " '"
              + (name == null ? "" : excerpt(name))
              + "' is not a name; give 1 to "
              + longest
              + " letters, digits and . _ -");
    }
  }
}
