package org.readpast.model;

import static java.util.stream.Collectors.joining;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is stored of a failed attempt: truncated, and without the NUL that PostgreSQL cannot
 * store.
 *
 * @param exception class name, at most 300 characters
 * @param message at most 2,000 characters
 * @param trace stack trace, at most 20,000 characters
 */
public record Failure(
    Kind kind, @Nullable String exception, @Nullable String message, @Nullable String trace) {

  private static final int LONGEST_LINE = 300;

  /** Identifies why an attempt did not succeed. */
  public enum Kind {
    /** The handler threw an exception, or failed the job. */
    FAILED,
    /** The handler requested a later attempt. */
    RETRY_LATER,
    /** The attempt exceeded its timeout. */
    TIMED_OUT,
    /** The node that ran it died. */
    OWNER_LOST,
    /** The payload does not fit the handler, which was not called. */
    UNREADABLE
  }

  public Failure {
    exception = clean(exception, 300);
    message = clean(message, 2_000);
    trace = clean(trace, 20_000);
  }

  /** Returns the exception and its message as one text. */
  public String text() {
    return Stream.of(exception, message).filter(Objects::nonNull).collect(joining(": "));
  }

  /**
   * Returns the text as one line of a log; exceptions cannot forge further lines, and the rest is
   * stored with the job.
   */
  public String line() {
    return Names.excerpt(text(), LONGEST_LINE);
  }

  /**
   * Returns the line with the stack trace below it. Each line of the trace is indented, so that no
   * text of an exception in it can be mistaken for a line of the log itself.
   */
  public String lineAndTrace() {
    return trace == null
        ? line()
        : trace
            .lines()
            .map(text -> "\n    " + Names.excerpt(text, LONGEST_LINE))
            .collect(joining("", line(), ""));
  }

  /** Returns a failure without a stack trace. */
  public static Failure of(Kind kind, String message) {
    return new Failure(kind, null, message, null);
  }

  /** Returns a failure for what a handler threw. */
  public static Failure of(Kind kind, Throwable thrown) {
    StringWriter trace = new StringWriter();
    try {
      thrown.printStackTrace(new PrintWriter(trace));
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      trace.write("(the stack trace cannot be printed: " + e.getClass().getName() + ")");
    }
    return new Failure(kind, thrown.getClass().getName(), messageOf(thrown), trace.toString());
  }

  private static @Nullable String messageOf(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      return "(the exception's message cannot be read: " + e.getClass().getName() + ")";
    }
  }

  private static @Nullable String clean(@Nullable String text, int most) {
    if (text == null) {
      return null;
    }
    String printable = text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
    if (printable.length() <= most) {
      return wellFormed(printable);
    }
    return wellFormed(printable.substring(0, most - 1)) + "…";
  }

  /** Replaces lone surrogates, which cannot be encoded in UTF-8; truncation may have caused one. */
  private static String wellFormed(String text) {
    StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
        continue;
      }
      clean = clean == null ? new StringBuilder(text) : clean;
      clean.setCharAt(i, '\uFFFD');
    }
    return clean == null ? text : clean.toString();
  }
}
