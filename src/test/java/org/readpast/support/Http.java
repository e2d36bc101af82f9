package org.readpast.support;

import java.net.http.HttpClient;

/** Contains the HTTP client of the tests. */
public final class Http {
  /**
   * Uses HTTP/1.1. If a client requests an upgrade to HTTP/2, Payara sometimes sends the rest of a
   * response in the old protocol, and the tests are not about the protocol.
   */
  public static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}
}
