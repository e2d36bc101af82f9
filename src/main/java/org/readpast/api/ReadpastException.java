package org.readpast.api;

import org.jspecify.annotations.Nullable;

/** The base of everything that Readpast throws. */
public class ReadpastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message that names the thing, the rule and the way out. */
  public ReadpastException(String message) {
    super(message);
  }

  /** The same, with what caused it. */
  public ReadpastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
