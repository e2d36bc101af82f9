package org.readpast.admin;

import org.readpast.api.ReadpastException;

/** Reports that an idempotency key was used before with a different request. */
public class KeyReusedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  KeyReusedException(String key) {
    super(
        "the idempotency key '"
            + key
            + "' was used with a different request in the last 24 hours; repeat that"
            + " request unchanged, or use a new key");
  }
}
