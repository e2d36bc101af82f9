package org.readpast.rest.http;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses changes that a page from another site requests with a password that the browser has
 * stored.
 */
@Provider
public class CrossSiteFilter implements ContainerRequestFilter {
  /** Lists the HTTP methods that change nothing. */
  public static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");

  @Override
  public void filter(ContainerRequestContext request) {
    boolean foreign =
        foreign(
            request.getHeaderString("Sec-Fetch-Site"),
            request.getHeaderString("Origin"),
            request.getHeaderString("Host"));
    if (foreign && !HARMLESS.contains(request.getMethod())) {
      throw RequestException.forbidden(
          "a page from another site must not change anything here; send the request from a page"
              + " of this server, or configure the proxy to forward the Host header unchanged");
    }
  }

  /**
   * Returns true if a page from another site has caused the request. If the browser sends fetch
   * metadata, the decision is based on that, because behind a proxy the host may have another name.
   * If the browser sends no fetch metadata, the Origin header is compared with the host.
   */
  public static boolean foreign(
      @Nullable String site, @Nullable String origin, @Nullable String host) {
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    return origin != null
        && !origin.equalsIgnoreCase("http://" + host)
        && !origin.equalsIgnoreCase("https://" + host);
  }
}
