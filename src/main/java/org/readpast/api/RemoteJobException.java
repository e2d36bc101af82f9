package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * What goes wrong between applications that call each other's EJBs, in either direction; and how a
 * {@link RemoteJobHandler} says that it will not work a job now, or ever. Checked, and so an
 * application exception by itself: it arrives as what it is.
 */
public class RemoteJobException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final long pauseMillis;

  /**
   * A refusal, or a handler's failure.
   *
   * @param code short, for programs: {@link RemoteJobQueue} says which it uses
   */
  public RemoteJobException(String code, @Nullable String message) {
    this(code, message, 0);
  }

  private RemoteJobException(String code, @Nullable String message, long pauseMillis) {
    // No cause: its class may be unknown to the other application.
    super(message);
    this.code = code;
    this.pauseMillis = pauseMillis;
  }

  /** For handlers: try again after this pause, without counting this attempt. */
  public static RemoteJobException retryLater(long pauseMillis) {
    return new RemoteJobException(
        "RETRY_LATER", "asked to be tried again in " + pauseMillis + " ms", pauseMillis);
  }

  /** For handlers: discard the job, whatever attempts remain. */
  public static RemoteJobException failNow(String reason) {
    return new RemoteJobException("FAIL_NOW", reason);
  }

  /**
   * For handlers: the payload cannot be read. The job is left to other nodes, or waits for one that
   * can read it; no attempt is counted.
   */
  public static RemoteJobException unreadable(String reason) {
    return new RemoteJobException("UNREADABLE", reason);
  }

  /** Short, for programs. */
  public String code() {
    return code;
  }

  /** Of {@link #retryLater}; else 0. */
  public long pauseMillis() {
    return pauseMillis;
  }
}
