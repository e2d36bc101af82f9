package org.readpast.dev;

/** Something that the developer can put right; its message is all there is to say. */
final class DevException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DevException(String message) {
    // No stack trace: Maven would print it below the one line that matters.
    super(message, null, false, false);
  }
}
