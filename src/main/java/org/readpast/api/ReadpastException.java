package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * Signals an error; the base class of all unchecked exceptions of Readpast. Callers that react to
 * the reason catch one of its subclasses: {@link JobRejectedException}, {@link NotFoundException},
 * {@link StateConflictException} or {@link DatabaseUnavailableException}.
 */
public class ReadpastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that names the thing, the rule and how to fix it. */
  public ReadpastException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a message that names the thing, the rule and how to fix it, and with
   * a cause.
   */
  public ReadpastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
