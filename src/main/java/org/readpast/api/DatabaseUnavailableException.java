package org.readpast.api;

/**
 * Thrown when the database does not respond or has no connection left. A call inside a transaction
 * has marked that transaction for rollback. A call outside a transaction has changed nothing,
 * unless only the response to its commit was lost. Try again later: the engine itself resumes its
 * work as soon as the database responds.
 */
public class DatabaseUnavailableException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose cause is the last failure. */
  public DatabaseUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
