package org.readpast.api;

/**
 * Thrown when a job, queue, batch, schedule, rule or node does not exist. A request that causes
 * this exception has changed nothing. The message names the missing object.
 */
public class NotFoundException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with a message that names what was not found and what the reader can do.
   */
  public NotFoundException(String message) {
    super(message);
  }
}
