package org.readpast.model;

import java.util.regex.Pattern;
import org.readpast.api.JobRejectedException;

/** What a name of a queue, a job type or a property may look like. */
public final class Names {
  // The two that are refused mean other places in an address.
  private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[\\p{Alnum}._-]+");

  private static final Pattern NOT_PRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
  private static final int LONGEST_EXCERPT = 80;

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

  /** Refuses what only a rule may call a property of a job: by it the engine steers itself. */
  public static void checkProperty(String name) {
    if (name.equals(Rule.THEN)) {
      throw new JobRejectedException(
          "property '" + Rule.THEN + "' is the engine's own; give it another name");
    }
  }

  /** Whether PostgreSQL can store the text: no NUL, no lone surrogate. */
  public static boolean storable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        i++;
        if (i == text.length() || !Character.isSurrogatePair(c, text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The text, short enough for a message and without what would end a line there, turn it round or
   * be half of a character.
   */
  public static String excerpt(String text) {
    return excerpt(text, LONGEST_EXCERPT);
  }

  /** The same, of so many characters at most. */
  public static String excerpt(String text, int longest) {
    String printable = NOT_PRINTABLE.matcher(text).replaceAll("?");
    if (printable.length() <= longest) {
      return printable;
    }
    int end = longest - (Character.isHighSurrogate(printable.charAt(longest - 1)) ? 1 : 0);
    return printable.substring(0, end) + "…";
  }

  private static void check(String what, String name, int longest) {
    if (name == null || name.length() > longest || !NAME.matcher(name).matches()) {
      throw new JobRejectedException(
          what
              + " '"
              + (name == null ? "" : excerpt(name))
              + "' is not a name; give 1 to "
              + longest
              + " letters, digits and . _ - (not just . or ..)");
    }
  }
}
