package org.readpast.model;

import java.lang.reflect.Method;
import java.util.regex.Pattern;
import org.readpast.api.JobRejectedException;

/**
 * Checks the names of queues, rules, job types and schedules. Applications specify the names of
 * queues, rules, job types and schedules explicitly. The job type or schedule of a method has a
 * default name if it has no explicit one: {@code <owner>~<full.class.Name>.<method>}, which cannot
 * equal an explicit name.
 */
public final class Names {
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_DEFAULT_NAME = 300;
  private static final int LONGEST_METHOD = LONGEST_DEFAULT_NAME - Owner.LONGEST - 1;

  private static final Pattern NOT_PRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
  private static final int LONGEST_EXCERPT = 80;

  private Names() {}

  /** Refuses a string that is not a valid queue name. */
  public static void checkQueue(String name) {
    check("queue", name, 64);
  }

  /** Refuses a string that is not a valid job type, explicit or default. */
  public static void checkType(String name) {
    checkExplicitOrDefault("job type", name);
  }

  /** Refuses a string that is not a valid explicit job type. */
  public static void checkExplicitType(String name) {
    check("job type", name, LONGEST_NAME);
  }

  /**
   * Refuses a string that is not a valid job type, either with or without a version as in {@code
   * name@version}.
   */
  public static void checkVersionedType(String stated) {
    int at = stated == null ? -1 : stated.indexOf(StoredType.SEPARATOR);
    if (at < 0) {
      checkType(stated);
      return;
    }
    checkType(stated.substring(0, at));
    StoredType.checkVersion(versionAfter(stated, at));
  }

  /** Returns the number after a position: 1 to 4 digits without a leading zero; 0 for others. */
  private static int versionAfter(String stated, int at) {
    int digits = stated.length() - at - 1;
    if (digits < 1 || digits > 4 || stated.charAt(at + 1) == '0') {
      return 0;
    }
    int version = 0;
    for (int i = at + 1; i < stated.length(); i++) {
      int digit = stated.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      version = 10 * version + digit;
    }
    return version;
  }

  /** Refuses a string that is not a valid schedule name, explicit or default. */
  public static void checkSchedule(String name) {
    checkExplicitOrDefault("schedule", name);
  }

  /** Refuses a string that is not a valid explicit schedule name. */
  public static void checkExplicitSchedule(String name) {
    check("schedule", name, LONGEST_NAME);
  }

  /**
   * Returns the explicit job type of a method, or the result of {@link #ofMethod} if it is empty.
   *
   * @throws JobRejectedException if the text is not a valid name
   */
  public static String typeOf(String explicit, Class<?> bean, Method method) {
    if (explicit.isEmpty()) {
      return ofMethod(bean, method.getName());
    }
    checkExplicitType(explicit);
    return explicit;
  }

  /**
   * Returns the explicit schedule name of a method, or the result of {@link #ofMethod} if it is
   * empty.
   *
   * @throws JobRejectedException if the text is not a valid name
   */
  public static String scheduleOf(String explicit, Class<?> bean, Method method) {
    if (explicit.isEmpty()) {
      return ofMethod(bean, method.getName());
    }
    checkExplicitSchedule(explicit);
    return explicit;
  }

  /**
   * Returns the default name of a method without its owner, which {@link Owner#complete} adds.
   *
   * @throws JobRejectedException if the class name or the method name cannot be part of a name
   */
  public static String ofMethod(Class<?> bean, String method) {
    String name = bean.getName().replace('$', '.') + "." + method;
    if (name.length() > LONGEST_METHOD || !isName(name)) {
      throw new JobRejectedException(
          "'"
              + excerpt(name)
              + "' cannot be part of a default name, which consists of up to "
              + LONGEST_METHOD
              + " letters, digits and . _ - of the class and the method; specify an explicit"
              + " name");
    }
    return Owner.SEPARATOR + name;
  }

  /** Returns true if the name does not contain its owner yet. */
  public static boolean isOfMethod(String name) {
    return !name.isEmpty() && name.charAt(0) == Owner.SEPARATOR;
  }

  /** Refuses a string that is not a valid rule name. */
  public static void checkRule(String name) {
    check("rule", name, 64);
  }

  /** Returns true if PostgreSQL can store the text: it contains no NUL and no lone surrogate. */
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
   * Returns a part of the text that is short enough for a message, without characters that would
   * end the line, reverse its direction, or be half of a surrogate pair.
   */
  public static String excerpt(String text) {
    return excerpt(text, LONGEST_EXCERPT);
  }

  /** Returns such a part of the text, up to the given number of characters. */
  public static String excerpt(String text, int longest) {
    String printable = NOT_PRINTABLE.matcher(text).replaceAll("?");
    if (printable.length() <= longest) {
      return printable;
    }
    int end = longest - (Character.isHighSurrogate(printable.charAt(longest - 1)) ? 1 : 0);
    return printable.substring(0, end) + "…";
  }

  /**
   * Returns true if a string consists of letters, digits and {@code . _ -}, and is not "." or "..",
   * which refer to other paths in a URL. Each enqueue checks several names, so the check is not a
   * regular expression.
   */
  static boolean isName(String text) {
    return isPart(text, 0, text.length()) && !text.equals(".") && !text.equals("..");
  }

  /** Returns true if a string consists of two or three parts, of the characters of names. */
  static boolean isDefaultName(String text) {
    int first = text.indexOf(Owner.SEPARATOR);
    if (first < 0) {
      return false;
    }
    int second = text.indexOf(Owner.SEPARATOR, first + 1);
    int end = second < 0 ? text.length() : second;
    return isPart(text, 0, first)
        && isPart(text, first + 1, end)
        && (second < 0 || isPart(text, second + 1, text.length()));
  }

  private static boolean isPart(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean allowed =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '.'
              || c == '_'
              || c == '-';
      if (!allowed) {
        return false;
      }
    }
    return from < to;
  }

  private static void checkExplicitOrDefault(String what, String name) {
    if (name == null || name.length() > LONGEST_DEFAULT_NAME || !isDefaultName(name)) {
      check(what, name, LONGEST_NAME);
    }
  }

  private static void check(String what, String name, int longest) {
    if (name == null || name.length() > longest || !isName(name)) {
      throw new JobRejectedException(
          what
              + " '"
              + (name == null ? "" : excerpt(name))
              + "' is not a valid name; specify 1 to "
              + longest
              + " letters, digits and . _ - (not just . or ..)");
    }
  }
}
