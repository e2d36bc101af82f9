package org.readpast.rest.oidc;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.rest.http.CrossSiteFilter;
import org.readpast.rest.signin.SignIn;

/**
 * Redirects to the OpenID provider ({@code /oidc}) and handles the response ({@code
 * /oidc/callback}). An error is shown on a page with a link to the sign-in, which contains no data
 * from the request.
 */
@WebServlet({"/oidc", OidcConfig.CALLBACK})
public class OidcServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final System.Logger LOG = System.getLogger(OidcServlet.class.getName());
  private static final String COOKIE = "readpast-oidc";
  private static final int COOKIE_SECONDS = 600;
  // An administrator must correct the logged faults; all others are user errors.
  private static final Set<OidcFault> LOGGED = Set.of(OidcFault.UNREACHABLE, OidcFault.PROVIDER);
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <meta name="color-scheme" content="light dark">
          <title>%1$s · Readpast</title>
          <script src="%3$s/console/first.js"></script>
          <link rel="icon" href="%3$s/icon.svg" type="image/svg+xml">
          <link rel="stylesheet" href="%3$s/console.css">
          <link rel="stylesheet" href="%3$s/oidc.css">
        </head>
        <body>
          <main class="sign-in">
            <div class="card">
              <h1>%1$s</h1>
              <p>%2$s</p>
              <p class="ways">%4$s</p>
            </div>
          </main>
        </body>
      </html>
      """;

  @Inject OpenIdConnect openId;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    try {
      String to =
          OidcConfig.CALLBACK.equals(request.getServletPath())
              ? back(request, response)
              : away(request, response);
      response.setStatus(HttpServletResponse.SC_SEE_OTHER);
      response.setHeader("Location", to);
    } catch (OidcException e) {
      LOG.log(
          LOGGED.contains(e.fault()) ? Level.WARNING : Level.DEBUG,
          "READPAST-0411 a sign-in with OpenID Connect failed: {0}",
          e.getMessage());
      tell(e.fault(), request, response);
    }
  }

  private String away(HttpServletRequest request, HttpServletResponse response)
      throws OidcException {
    if (CrossSiteFilter.foreign(request.getHeader("Sec-Fetch-Site"), null, null)) {
      throw new OidcException(OidcFault.FOREIGN, "a page from another site requested the sign-in");
    }
    OidcRequest signIn = OidcRequest.begin(request.getParameter("page"));
    String to = openId.authorization(signIn, root(request), request.getParameter("anew") != null);
    keep(signIn.cookie(), COOKIE_SECONDS, request, response);
    return to;
  }

  private String back(HttpServletRequest request, HttpServletResponse response)
      throws OidcException {
    OidcRequest signIn = OidcRequest.of(cookie(request));
    if (signIn == null || !signIn.stateIs(request.getParameter("state"))) {
      // The cookie stays, because a sign-in that was begun later in another tab can still be
      // completed.
      throw new OidcException(OidcFault.UNKNOWN, "this browser did not start that sign-in");
    }
    // The cookie is deleted, because each sign-in accepts a single response, valid or not.
    keep("", 0, request, response);
    Map<String, List<String>> answer = new HashMap<>();
    request.getParameterMap().forEach((name, values) -> answer.put(name, List.of(values)));
    OpenIdConnect.Entered entered = openId.enter(signIn, answer, root(request));
    if (entered.person().roles().isEmpty()) {
      throw new OidcException(
          OidcFault.NO_ROLE, "'" + entered.person().name() + "' has no role in Readpast");
    }
    SignIn.begin(request, entered.person().name(), entered.person().roles())
        .keepIdToken(request, entered.idToken());
    return context(request) + "/" + signIn.page();
  }

  /** Returns the address of this application as the browser sees it, without a trailing slash. */
  public static String root(HttpServletRequest request) {
    StringBuffer url = request.getRequestURL();
    url.setLength(url.length() - request.getRequestURI().length());
    return url.append(context(request)).toString();
  }

  /** Returns the path of this application; a request may spell it differently. */
  private static String context(HttpServletRequest request) {
    return request.getServletContext().getContextPath();
  }

  private static @Nullable String cookie(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(COOKIE)) {
          return cookie.getValue();
        }
      }
    }
    return null;
  }

  /**
   * Sets the cookie as a header, because not every server supports the SameSite attribute of
   * cookies.
   */
  private static void keep(
      String value, int seconds, HttpServletRequest request, HttpServletResponse response) {
    response.addHeader(
        "Set-Cookie",
        "%s=%s; Path=%s/oidc; Max-Age=%d; HttpOnly; SameSite=Lax%s"
            .formatted(
                COOKIE, value, context(request), seconds, request.isSecure() ? "; Secure" : ""));
  }

  private static void tell(
      OidcFault fault, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String context = context(request);
    String ways = "<a class=\"button\" href=\"" + context + "/\">Back to sign-in</a>";
    if (fault == OidcFault.NO_ROLE) {
      ways +=
          " <a class=\"button\" href=\"" + context + "/oidc?anew=1\">Sign in as another user</a>";
    }
    byte[] page =
        PAGE.formatted(fault.title, fault.text, context, ways).getBytes(StandardCharsets.UTF_8);
    response.setStatus(fault.status);
    response.setContentType("text/html;charset=UTF-8");
    response.setContentLength(page.length);
    response.getOutputStream().write(page);
  }
}
