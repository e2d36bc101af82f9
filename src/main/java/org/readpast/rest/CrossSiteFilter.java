package org.readpast.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;
import org.jspecify.annotations.Nullable;

/** Refuses changes that a page of another site makes with the password that a browser remembers. */
@Provider
public class CrossSiteFilter implements ContainerRequestFilter {
  @Override
  public void filter(ContainerRequestContext request) {
    boolean foreign =
        foreign(
            request.getHeaderString("Sec-Fetch-Site"),
            request.getHeaderString("Origin"),
            request.getHeaderString("Host"));
    if (foreign && !Authentication.HARMLESS.contains(request.getMethod())) {
      throw RequestException.forbidden(
          "a page of another site may not change anything here; send the request from elsewhere,"
              + " or have the proxy hand on the header Host as it came");
    }
  }

  /**
   * Whether a page of another site makes a browser ask. Browsers that say so themselves know it
   * best: behind a proxy the host may have another name than the page. Others name the page's.
   */
  static boolean foreign(@Nullable String site, @Nullable String origin, @Nullable String host) {
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    return origin != null
        && !origin.equalsIgnoreCase("http://" + host)
        && !origin.equalsIgnoreCase("https://" + host);
  }
}
