package org.readpast.api;

/**
 * A job, queue, batch, schedule, rule or node that does not exist; nothing was changed. The message
 * names it.
 */
public class NotFoundException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** With a message that names the thing and the way out. */
  public NotFoundException(String message) {
    super(message);
  }
}
