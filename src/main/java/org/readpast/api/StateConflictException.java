package org.readpast.api;

/**
 * A request that the state of a job, queue, batch, schedule, rule or node does not allow; nothing
 * was changed. The message names the thing, its state and the way out.
 */
public class StateConflictException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** With a message that names the thing, its state and the way out. */
  public StateConflictException(String message) {
    super(message);
  }
}
