package org.readpast.rest.access;

import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Describes the caller of a request, the requested path, and the idempotency key. */
public class Caller {
  static final String KEY_HEADER = "Idempotency-Key";

  @Context UriInfo uri;
  @Context SecurityContext security;

  @HeaderParam(KEY_HEADER)
  @Nullable String key;

  String principal() {
    return security.getUserPrincipal().getName();
  }

  /** Returns the path with its query, if there is one. */
  String target() {
    URI asked = uri.getRequestUri();
    String query = asked.getRawQuery();
    return query == null ? asked.getRawPath() : asked.getRawPath() + "?" + query;
  }

  public String locationOf(long job) {
    return uri.getBaseUriBuilder().path("jobs").path(Long.toString(job)).build().toString();
  }
}
