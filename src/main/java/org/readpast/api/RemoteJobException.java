package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * Reports a failure between applications that call each other's EJBs, in either direction. A {@link
 * RemoteJobHandler} also throws it to retry its job later or to discard it. This exception is
 * checked and therefore an application exception: the caller receives it without a wrapper.
 */
public class RemoteJobException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final long pauseMillis;

  /**
   * Creates an exception for a refused request, or for the failure of a handler.
   *
   * @param code a short code for programs; {@link RemoteJobQueue} lists the codes that it uses
   */
  public RemoteJobException(String code, @Nullable String message) {
    this(code, message, 0);
  }

  private RemoteJobException(String code, @Nullable String message, long pauseMillis) {
    // The cause is omitted, because the other application may lack its class.
    super(message);
    this.code = code;
    this.pauseMillis = pauseMillis;
  }

  /**
   * Creates an exception with which a handler retries its job after a pause, without counting the
   * attempt.
   */
  public static RemoteJobException retryLater(long pauseMillis) {
    return new RemoteJobException(
        "RETRY_LATER", "asked to be retried in " + pauseMillis + " ms", pauseMillis);
  }

  /** Creates an exception with which a handler discards its job, even if attempts remain. */
  public static RemoteJobException failNow(String reason) {
    return new RemoteJobException("FAIL_NOW", reason);
  }

  /**
   * Creates an exception with which a handler reports that it cannot read the payload. The job is
   * then left to other nodes, or waits for a node that can read it; no attempt is counted.
   */
  public static RemoteJobException unreadable(String reason) {
    return new RemoteJobException("UNREADABLE", reason);
  }

  /** Returns a short code for programs. */
  public String code() {
    return code;
  }

  /** Returns the pause of {@link #retryLater} in milliseconds; 0 otherwise. */
  public long pauseMillis() {
    return pauseMillis;
  }
}
