package org.readpast.runtime;

import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;

/** A transaction that failed in a way that another try may overcome. */
public class TransientFailure extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Says what failed. */
  public TransientFailure(@Nullable Throwable cause) {
    super("the database could not do it this time: " + cause, cause);
  }
}
