package org.readpast.model;

import org.readpast.api.ReadpastException;

/** SQL that somebody has given and that is not sent, or that the database refuses. */
public class SqlRefusedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** With a message that names the thing, the rule and the way out. */
  public SqlRefusedException(String message) {
    super(message);
  }
}
