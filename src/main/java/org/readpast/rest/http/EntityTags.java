package org.readpast.rest.http;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import org.jspecify.annotations.Nullable;

/** Sends the status 304 to polling clients if the response has not changed. */
@Provider
public class EntityTags implements ContainerResponseFilter {
  private static final int LENGTH = 32;

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (request.getMethod().equals("GET")
        && response.getStatus() == 200
        && response.getEntity() instanceof byte[] body) {
      String tag = of(body);
      response.getHeaders().putSingle(HttpHeaders.ETAG, tag);
      if (isKnown(tag, request.getHeaderString(HttpHeaders.IF_NONE_MATCH))) {
        response.setStatus(304);
        response.setEntity(null);
      }
    }
  }

  /**
   * Returns true if the client has already received the response with this entity tag.
   *
   * @param given the header {@code If-None-Match} of the request, or null
   */
  public static boolean isKnown(String tag, @Nullable String given) {
    return tag.equals(given);
  }

  /** Returns the entity tag of a response, with its quotation marks. */
  public static String of(byte[] body) {
    return '"' + Sha256.hex(body).substring(0, LENGTH) + '"';
  }
}
