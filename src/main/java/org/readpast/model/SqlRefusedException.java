package org.readpast.model;

import org.readpast.api.ReadpastException;

/** Reports SQL from a user that is not sent to the database, or that the database refuses. */
public class SqlRefusedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that names the thing, the rule and how to fix it. */
  public SqlRefusedException(String message) {
    super(message);
  }
}
