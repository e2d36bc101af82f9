package org.readpast.rest;

import jakarta.ws.rs.core.Response.Status;
import org.readpast.api.ReadpastException;
import org.readpast.model.Names;

/** A request that cannot be understood or is too large; the message says what to do. */
class RequestException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  private final transient Status status;

  private RequestException(Status status, String message) {
    super(message);
    this.status = status;
  }

  static RequestException malformed(String message) {
    return new RequestException(Status.BAD_REQUEST, message);
  }

  static RequestException tooLarge(String message) {
    return new RequestException(Status.REQUEST_ENTITY_TOO_LARGE, message);
  }

  static RequestException notFound(String message) {
    return new RequestException(Status.NOT_FOUND, message);
  }

  static RequestException forbidden(String message) {
    return new RequestException(Status.FORBIDDEN, message);
  }

  /** The same about one job of an array. */
  RequestException at(int index) {
    return new RequestException(status, "job " + index + " (the first is 0): " + getMessage());
  }

  /** What came in, fit to be shown in a message. */
  static String quote(String given) {
    return Names.excerpt(given);
  }

  Status status() {
    return status;
  }
}
