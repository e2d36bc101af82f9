package org.readpast.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;

/** Refuses changes that a page of another site makes with the password that a browser remembers. */
@Provider
public class CrossSiteFilter implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext request) {
    String site = request.getHeaderString("Sec-Fetch-Site");
    boolean foreign = site != null && !site.equals("same-origin") && !site.equals("none");
    if (foreign && !Authentication.HARMLESS.contains(request.getMethod())) {
      throw RequestException.forbidden(
          "a page of another site may not change anything here; send the request from elsewhere");
    }
  }
}
