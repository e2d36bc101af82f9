package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * The base of everything that Readpast throws. Callers that react to the reason catch one of its
 * subclasses: {@link JobRejectedException}, {@link NotFoundException}, {@link
 * StateConflictException} or {@link DatabaseUnavailableException}.
 */
public class ReadpastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message that names the thing, the rule and the way out. */
  public ReadpastException(String message) {
    super(message);
  }

  /** With such a message, and with what caused it. */
  public ReadpastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
