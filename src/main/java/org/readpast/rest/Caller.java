package org.readpast.rest;

import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import org.jspecify.annotations.Nullable;

/** Who asks, for what path, and under which idempotency key. */
public class Caller {
  static final String KEY_HEADER = "Idempotency-Key";

  @Context UriInfo uri;
  @Context SecurityContext security;

  @HeaderParam(KEY_HEADER)
  @Nullable String key;

  String principal() {
    return security.getUserPrincipal().getName();
  }

  String path() {
    return uri.getRequestUri().getRawPath();
  }

  String locationOf(long job) {
    return uri.getBaseUriBuilder().path("jobs").path(Long.toString(job)).build().toString();
  }
}
