package org.readpast.api;

/**
 * Thrown by a handler to discard its job from deep inside a call, as {@link
 * JobResult#failNow(String)} does.
 */
public class FailNowException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that discards the job for the given reason. */
  public FailNowException(String reason) {
    super(reason);
  }

  /**
   * Creates an exception that discards the job for the given reason.
   *
   * @param cause the cause, which is shown together with the reason
   */
  public FailNowException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
