package org.readpast.api;

/** Thrown by a handler to say {@link JobResult#failNow(String)} from deep inside a call. */
public class FailNowException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  /** Discards the job for this reason. */
  public FailNowException(String reason) {
    super(reason);
  }

  /**
   * Discards the job for this reason.
   *
   * @param cause shown with it
   */
  public FailNowException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
