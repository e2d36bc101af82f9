package org.readpast.api;

/**
 * Thrown when the state of a job, queue, batch, schedule, rule or node does not allow a request.
 * Nothing was changed. The message names the thing, its state and how to proceed.
 */
public class StateConflictException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that names the thing, its state and how to proceed. */
  public StateConflictException(String message) {
    super(message);
  }
}
