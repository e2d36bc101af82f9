package org.readpast.api;

/**
 * The database did not answer, or has no connection left. A call inside a transaction has marked
 * that transaction for rollback; a call without one has changed nothing, unless only the answer to
 * its commit was lost. Try again later: the engine itself resumes its work as soon as the database
 * answers.
 */
public class DatabaseUnavailableException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** With what failed last. */
  public DatabaseUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
