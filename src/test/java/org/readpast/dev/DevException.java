package org.readpast.dev;

/**
 * Reports an error that the developer can correct. The message contains everything that the
 * developer needs.
 */
final class DevException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DevException(String message) {
    // The exception has no stack trace, because Maven would print it below the message.
    super(message, null, false, false);
  }
}
