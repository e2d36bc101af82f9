package org.readpast.store;

import org.readpast.api.ReadpastException;

/** The database did not do what was asked, also after several tries. */
public class DatabaseUnavailableException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Says what failed last. */
  public DatabaseUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
