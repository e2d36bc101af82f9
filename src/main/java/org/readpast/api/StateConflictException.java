package org.readpast.api;

/**
 * Thrown when the state of a job, queue, batch, schedule, rule or node does not allow a request. A
 * request that causes this exception has changed nothing. The message names the object, its state
 * and what the reader can do.
 */
public class StateConflictException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message that names the object, its state and what the reader can
   * do.
   */
  public StateConflictException(String message) {
    super(message);
  }
}
