package org.readpast.api;

/** A request, such as an enqueue, that breaks a rule; nothing was enqueued or changed. */
public class JobRejectedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** With a message that names the field, the rule and the way out. */
  public JobRejectedException(String message) {
    super(message);
  }

  /** With such a message, and with what caused it. */
  public JobRejectedException(String message, Throwable cause) {
    super(message, cause);
  }
}
