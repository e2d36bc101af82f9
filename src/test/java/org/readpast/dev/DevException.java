package org.readpast.dev;

/** An error that the developer can correct. Its message says everything that is needed. */
final class DevException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DevException(String message) {
    // No stack trace, because Maven would print it below the message.
    super(message, null, false, false);
  }
}
