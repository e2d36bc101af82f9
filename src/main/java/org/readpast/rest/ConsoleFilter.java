package org.readpast.rest;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/**
 * What browsers must not do with the console: run or load what is not its own, show it in a frame,
 * or keep a file beyond its version.
 */
@WebFilter(urlPatterns = "/*", asyncSupported = true, dispatcherTypes = DispatcherType.REQUEST)
public class ConsoleFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
              + " object-src 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HEADERS.forEach(response::setHeader);
    String path = request.getRequestURI().substring(request.getContextPath().length());
    if (!path.startsWith("/api/")) {
      response.setHeader(
          "Cache-Control",
          path.startsWith("/vendor/") ? "public, max-age=31536000, immutable" : "no-cache");
    }
    chain.doFilter(request, response);
  }
}
