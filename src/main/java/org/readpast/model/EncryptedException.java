package org.readpast.model;

import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;

/** Reports an encrypted string that this application cannot decrypt. */
public final class EncryptedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  EncryptedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
