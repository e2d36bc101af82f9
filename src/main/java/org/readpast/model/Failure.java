package org.readpast.model;

import static java.util.stream.Collectors.joining;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a failed attempt: truncated, and free of the NUL that PostgreSQL cannot store.
 *
 * @param exception class name, at most 300 characters
 * @param message at most 2,000 characters
 * @param trace stack trace, at most 20,000 characters
 */
public record Failure(
    Kind kind, @Nullable String exception, @Nullable String message, @Nullable String trace) {

  private static final int LONGEST_LINE = 300;

  /** Why an attempt did not end well. */
  public enum Kind {
    /** The handler threw, or failed the job. */
    FAILED,
    /** The handler asked to be tried later. */
    RETRY_LATER,
    /** It took longer than it may. */
    TIMED_OUT,
    /** The node that worked it died. */
    OWNER_LOST,
    /** The payload does not fit the handler, which was not called. */
    UNREADABLE
  }

  public Failure {
    exception = clean(exception, 300);
    message = clean(message, 2_000);
    trace = clean(trace, 20_000);
  }

  /** In one text: what was thrown, and what it said. */
  public String text() {
    return Stream.of(exception, message).filter(Objects::nonNull).collect(joining(": "));
  }

  /** The same in one line of a log, which nobody can forge; the rest is with the job. */
  public String line() {
    return Names.excerpt(text(), LONGEST_LINE);
  }

  /**
   * The line with the stack trace below it. Each line of the trace is indented, so that none passes
   * for a line of the log itself: it has the texts of exceptions in it.
   */
  public String lineAndTrace() {
    return trace == null
        ? line()
        : trace
            .lines()
            .map(text -> "\n    " + Names.excerpt(text, LONGEST_LINE))
            .collect(joining("", line(), ""));
  }

  /** Without a stack trace. */
  public static Failure of(Kind kind, String message) {
    return new Failure(kind, null, message, null);
  }

  /** From what a handler threw. */
  public static Failure of(Kind kind, Throwable thrown) {
    StringWriter trace = new StringWriter();
    try {
      thrown.printStackTrace(new PrintWriter(trace));
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      trace.write("(the exception cannot be printed: " + e.getClass().getName() + ")");
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

  /** A lone surrogate cannot be encoded in UTF-8, also one that the cut has left alone. */
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
