package org.readpast.rest.http;

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
 * Sets headers that restrict browsers: they must not run or load foreign content in the console,
 * show the console in a frame, or cache a file beyond its version. The filter also handles error
 * dispatches, because some errors have not passed through it as requests.
 */
@WebFilter(
    urlPatterns = "/*",
    asyncSupported = true,
    dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ERROR})
public class ConsoleFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  public static final Map<String, String> HEADERS =
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
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      // A file that does not exist in this version may exist in the next one.
      response.setHeader("Cache-Control", "no-store");
      chain.doFilter(request, response);
      return;
    }
    if (!CrossSiteFilter.HARMLESS.contains(request.getMethod()) && isFile(request)) {
      // For a file, the server would ignore the method and return the content.
      response.setHeader("Allow", "GET, HEAD");
      response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
      return;
    }
    String path = request.getRequestURI().substring(request.getContextPath().length());
    if (!path.startsWith("/api/")) {
      response.setHeader(
          "Cache-Control",
          path.startsWith("/vendor/") ? "public, max-age=31536000, immutable" : "no-cache");
    }
    chain.doFilter(request, response);
  }

  private static boolean isFile(HttpServletRequest request) throws IOException {
    String servlet = request.getServletPath();
    if (servlet.equals("/api")) {
      // Most changing requests go to the API, which has no files.
      return false;
    }
    String more = request.getPathInfo();
    String path = more == null ? servlet : servlet + more;
    return path.isEmpty() || request.getServletContext().getResource(path) != null;
  }
}
