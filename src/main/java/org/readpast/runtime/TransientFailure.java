package org.readpast.runtime;

import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;

/** Reports that a transaction has failed, but that another attempt may succeed. */
public class TransientFailure extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with the cause of the failure. */
  public TransientFailure(@Nullable Throwable cause) {
    super("the database could not execute this transaction: " + cause, cause);
  }
}
