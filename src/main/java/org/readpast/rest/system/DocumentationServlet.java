package org.readpast.rest.system;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.rest.http.EntityTags;
import org.readpast.rest.signin.SignIn;

/**
 * Serves the pages of the documentation to users that are signed in to the console. The files are
 * below {@code WEB-INF}, so the server itself never serves them, regardless of how a path is
 * spelled.
 */
@WebServlet(DocumentationServlet.PATHS)
public class DocumentationServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  static final String PATHS = "/docs/*";

  private static final String FILES = "/WEB-INF/docs";
  private static final Pattern FILE = Pattern.compile("(?:/[A-Za-z0-9][\\w.-]*)+\\.([a-z]+)");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=UTF-8",
          "css", "text/css;charset=UTF-8",
          "js", "text/javascript;charset=UTF-8",
          "json", "application/json",
          "svg", "image/svg+xml",
          "txt", "text/plain;charset=UTF-8");

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getPathInfo();
    if (SignIn.of(request) == null) {
      see(response, request.getContextPath() + "/");
    } else if (path == null) {
      see(response, request.getContextPath() + "/docs/");
    } else {
      send(path.equals("/") ? "/index.html" : path, request.getHeader("If-None-Match"), response);
    }
  }

  private static void see(HttpServletResponse response, String place) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader("Location", place);
  }

  private void send(String path, @Nullable String known, HttpServletResponse response)
      throws IOException {
    String type = type(path);
    try (InputStream file =
        type == null ? null : getServletContext().getResourceAsStream(FILES + path)) {
      if (file == null) {
        response.sendError(HttpServletResponse.SC_NOT_FOUND);
        return;
      }
      byte[] content = file.readAllBytes();
      String tag = EntityTags.of(content);
      response.setHeader("Cache-Control", "private, no-cache");
      response.setHeader("ETag", tag);
      if (EntityTags.isKnown(tag, known)) {
        response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
        return;
      }
      response.setContentType(type);
      response.getOutputStream().write(content);
    }
  }

  private static @Nullable String type(String path) {
    var file = FILE.matcher(path);
    return file.matches() ? TYPES.get(file.group(1)) : null;
  }
}
