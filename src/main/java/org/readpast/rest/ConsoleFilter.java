package org.readpast.rest;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * What browsers must not do with the console: run or load what is not its own, show it in a frame,
 * or keep a file beyond its version.
 */
@WebFilter(urlPatterns = "/*", asyncSupported = true, dispatcherTypes = DispatcherType.REQUEST)
public class ConsoleFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src"
          + " 'none'";

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    String path = request.getServletPath();
    if (!path.equals("/api")) {
      response.setHeader(
          "Cache-Control",
          path.startsWith("/vendor/") ? "public, max-age=31536000, immutable" : "no-cache");
    }
    chain.doFilter(request, response);
  }
}
