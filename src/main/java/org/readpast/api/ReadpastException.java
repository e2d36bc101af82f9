package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * Reports an error; the base class of all unchecked exceptions of Readpast. To react to a specific
 * reason, catch one of the subclasses: {@link JobRejectedException}, {@link NotFoundException},
 * {@link StateConflictException} or {@link DatabaseUnavailableException}.
 */
public class ReadpastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message that names the object, the rule and how to fix the problem.
   */
  public ReadpastException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a message that names the object, the rule and how to fix the problem,
   * and with a cause.
   */
  public ReadpastException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
