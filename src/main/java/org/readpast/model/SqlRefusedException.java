package org.readpast.model;

import org.readpast.api.ReadpastException;

/** Reports that SQL from a user was not sent to the database, or was refused by the database. */
public class SqlRefusedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message that names the object, the rule and how to fix the problem.
   */
  public SqlRefusedException(String message) {
    super(message);
  }
}
