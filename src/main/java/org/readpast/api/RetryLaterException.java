package org.readpast.api;

import java.time.Duration;

/** Thrown by a handler to say {@link JobResult#retryLater(Duration)} from deep inside a call. */
public class RetryLaterException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  private final Duration pause;

  /** Tries again after this pause; does not count as an attempt. */
  public RetryLaterException(Duration pause) {
    super("the handler asked to be tried again in " + pause);
    this.pause = JobResult.RetryLater.check(pause);
  }

  /** How long to wait. */
  public Duration pause() {
    return pause;
  }
}
