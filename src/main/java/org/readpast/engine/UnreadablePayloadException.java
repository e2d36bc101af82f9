package org.readpast.engine;

import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;

/** A payload that cannot be turned into what the handler takes. */
public class UnreadablePayloadException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Names the type and what the payload should have been. */
  public UnreadablePayloadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
