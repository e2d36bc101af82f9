package org.readpast.api;

/** Thrown when a request, such as an enqueue, breaks a rule. No job was enqueued or changed. */
public class JobRejectedException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that names the field, the rule and how to fix it. */
  public JobRejectedException(String message) {
    super(message);
  }

  /**
   * Creates an exception with a message that names the field, the rule and how to fix it, and with
   * a cause.
   */
  public JobRejectedException(String message, Throwable cause) {
    super(message, cause);
  }
}
