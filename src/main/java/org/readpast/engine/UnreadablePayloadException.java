package org.readpast.engine;

import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;

/** Thrown if a payload cannot be converted to the type that the handler accepts. */
public class UnreadablePayloadException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message a message that names the job type and the expected payload
   */
  public UnreadablePayloadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
