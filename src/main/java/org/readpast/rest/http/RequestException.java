package org.readpast.rest.http;

import jakarta.ws.rs.core.Response.Status;
import org.readpast.api.ReadpastException;
import org.readpast.model.Names;

/** Reports a request that is malformed or too large; the message explains how to correct it. */
public class RequestException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  private final transient Status status;

  private RequestException(Status status, String message) {
    super(message);
    this.status = status;
  }

  public static RequestException malformed(String message) {
    return new RequestException(Status.BAD_REQUEST, message);
  }

  public static RequestException tooLarge(String message) {
    return new RequestException(Status.REQUEST_ENTITY_TOO_LARGE, message);
  }

  static RequestException notFound(String message) {
    return new RequestException(Status.NOT_FOUND, message);
  }

  public static RequestException forbidden(String message) {
    return new RequestException(Status.FORBIDDEN, message);
  }

  /** Returns this exception with the index of one job in an array. */
  public RequestException at(int index) {
    return new RequestException(status, "job " + index + " (the first is 0): " + getMessage());
  }

  /** Quotes a received string so that it can be shown in a message. */
  public static String quote(String given) {
    return Names.excerpt(given);
  }

  Status status() {
    return status;
  }
}
