package org.readpast.engine;

import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;

/** Thrown if a payload cannot be converted to what the handler takes. */
public class UnreadablePayloadException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the type, and what the payload should have been
   */
  public UnreadablePayloadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
