package org.readpast.api;

import java.time.Duration;

/**
 * Thrown by a handler to retry its job later from deep inside a call, as {@link
 * JobResult#retryLater(Duration)} does.
 */
public class RetryLaterException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  private final Duration pause;

  /**
   * Creates an exception that retries the job after the given pause, without counting the attempt.
   *
   * @param pause the pause before the next attempt, from PT0S to P36500D
   * @throws IllegalArgumentException if the pause is out of range
   */
  public RetryLaterException(Duration pause) {
    super("the handler asked to be retried in " + pause);
    this.pause = JobResult.RetryLater.check(pause);
  }

  /** Returns how long to wait before the next attempt. */
  public Duration pause() {
    return pause;
  }
}
