package org.readpast.api;

/**
 * Thrown when a job, queue, batch, schedule, rule or node does not exist. Nothing was changed. The
 * message names it.
 */
public class NotFoundException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that names what was not found and how to proceed. */
  public NotFoundException(String message) {
    super(message);
  }
}
