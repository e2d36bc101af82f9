package org.readpast.model;

import static java.util.stream.Collectors.joining;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the stored data of a failed attempt; strings are truncated, and NUL is replaced, because
 * PostgreSQL cannot store it.
 *
 * @param exception the name of the exception class, up to 300 characters
 * @param message the message, up to 2,000 characters
 * @param trace the stack trace, up to 20,000 characters
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
    /** The node has died while it ran the attempt. */
    OWNER_LOST,
    /** The handler was not called, because it cannot read the payload. */
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
   * Returns the exception and its message as a single line of a log, so that exceptions cannot
   * forge further lines; the other data is stored with the job.
   */
  public String line() {
    return Names.excerpt(text(), LONGEST_LINE);
  }

  /**
   * Returns the line for the log, followed by the stack trace. Each line of the trace is indented,
   * so that text in an exception cannot be mistaken for a log entry.
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

  /** Creates a failure from an exception that a handler threw. */
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

  /**
   * Replaces lone surrogates, which cannot be encoded in UTF-8; truncation may have created one.
   */
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
