package org.readpast.support;

import java.net.http.HttpClient;

/** The client of the tests. */
public final class Http {
  /**
   * Speaks HTTP/1.1, as the protocol of the answers is nobody's subject here: asked to go over to
   * HTTP/2, Payara now and then sends the rest of an answer as it had begun it.
   */
  public static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}
}
