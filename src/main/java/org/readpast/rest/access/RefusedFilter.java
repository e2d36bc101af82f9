package org.readpast.rest.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;

/**
 * Stops requests that {@link Authentication} has refused. Without this filter, a server calls the
 * resource if none of its own constraints applies, and a resource that is open to all would execute
 * the refused request.
 */
@Provider
@PreMatching
public class RefusedFilter implements ContainerRequestFilter {
  @Context HttpServletRequest request;

  @Override
  public void filter(ContainerRequestContext context) {
    if (request.getAttribute(Authentication.REFUSED) instanceof Integer status) {
      context.abortWith(Response.status(status).build());
    }
  }
}
