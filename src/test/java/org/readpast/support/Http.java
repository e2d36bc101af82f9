package org.readpast.support;

import java.net.http.HttpClient;

/** The HTTP client of the tests. */
public final class Http {
  /**
   * A client that uses HTTP/1.1. If asked to upgrade to HTTP/2, Payara sometimes sends the rest of
   * an answer in the protocol in which it began, and no test is about the protocol.
   */
  public static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}
}
