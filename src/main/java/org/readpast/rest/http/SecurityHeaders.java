package org.readpast.rest.http;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import java.util.Map;

/** Keeps responses out of caches, and prevents browsers from guessing content types. */
@Provider
public class SecurityHeaders implements ContainerResponseFilter {
  public static final Map<String, String> HEADERS =
      Map.of("X-Content-Type-Options", "nosniff", "Cache-Control", "no-store");

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    HEADERS.forEach((name, value) -> response.getHeaders().putSingle(name, value));
  }
}
