package org.readpast.rest.access;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.CallerPrincipal;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.Set;
import org.readpast.rest.http.ConsoleFilter;
import org.readpast.rest.http.CrossSiteFilter;
import org.readpast.rest.http.Problem;
import org.readpast.rest.http.SecurityHeaders;
import org.readpast.rest.oidc.OidcException;
import org.readpast.rest.oidc.OidcFault;
import org.readpast.rest.oidc.OidcTokens;
import org.readpast.rest.oidc.OpenIdConnect;
import org.readpast.rest.signin.PasswordCheck;
import org.readpast.rest.signin.SignIn;

/**
 * Authenticates requests to {@code /api}. Callers send a name and a password, with each request or
 * once to {@link SessionResource}, or an access token of the OpenID provider. A caller with a
 * session must send its CSRF token with each change, which pages from other sites cannot do.
 */
@ApplicationScoped
public class Authentication implements HttpAuthenticationMechanism {
  private static final System.Logger LOG = System.getLogger(Authentication.class.getName());
  static final String TOKEN_HEADER = "X-CSRF-Token";
  static final String REFUSED = "readpast.refused";

  private static final String RETRY_AFTER_SECONDS = "60";
  private static final String BASIC = "Basic realm=\"readpast\", charset=\"UTF-8\"";
  // The scheme is a custom one, because browsers show their own dialog for a challenge with a known
  // scheme.
  static final String SESSION = "Session realm=\"readpast\"";
  private static final String BEARER = "Bearer realm=\"readpast\", error=\"invalid_token\"";

  @Inject PasswordCheck passwords;
  @Inject OpenIdConnect openId;

  @Override
  public AuthenticationStatus validateRequest(
      HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
    if (!"/api".equals(request.getServletPath())) {
      return context.doNothing();
    }
    String header = request.getHeader("Authorization");
    SignIn signIn = SignIn.of(request);
    if (header == null && signIn != null) {
      boolean safe = CrossSiteFilter.HARMLESS.contains(request.getMethod());
      return safe || signIn.tokenIs(request.getHeader(TOKEN_HEADER))
          ? admit(request, context, signIn.name(), signIn.roles())
          : refuse(
              request,
              response,
              403,
              TOKEN_HEADER + " is missing or wrong; GET api/session returns it");
    }
    if (SessionResource.PATH.equals(request.getPathInfo())) {
      return context.doNothing();
    }
    if (header != null && OpenIdConnect.isBearer(header)) {
      return bearer(header, request, response, context);
    }
    var credential = BasicCredential.read(header);
    if (credential == null) {
      return refuse(request, response, 401, "sign in, or authenticate with HTTP Basic");
    }
    PasswordCheck.Result result = passwords.check(credential, request.getRemoteAddr());
    if (result.isValid()) {
      CredentialValidationResult who = result.validation();
      CallerAccess.keep(request, who.getCallerGroups());
      return context.notifyContainerAboutLogin(who);
    }
    result.headers().forEach(response::setHeader);
    return refuse(request, response, result.status(), result.detail());
  }

  private static AuthenticationStatus admit(
      HttpServletRequest request, HttpMessageContext context, String name, Set<String> roles) {
    CallerAccess.keep(request, roles);
    return context.notifyContainerAboutLogin(new CallerPrincipal(name), roles);
  }

  private AuthenticationStatus bearer(
      String header,
      HttpServletRequest request,
      HttpServletResponse response,
      HttpMessageContext context) {
    try {
      OidcTokens.Person person = openId.bearer(header);
      return person.roles().isEmpty()
          ? refuse(
              request,
              response,
              403,
              "the user of the token has no role in Readpast; ask an administrator for one")
          : admit(request, context, person.name(), person.roles());
    } catch (OidcException e) {
      if (e.fault() == OidcFault.INVALID_TOKEN) {
        if (openId.isSetUp()) {
          response.setHeader("WWW-Authenticate", BEARER);
        }
        return refuse(request, response, 401, String.valueOf(e.getMessage()));
      }
      LOG.log(
          Level.WARNING,
          "READPAST-0084 the access token of a REST request could not be checked, and the"
              + " request was refused with status 503: {0}",
          e.getMessage());
      response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
      return refuse(
          request,
          response,
          503,
          "the token cannot be checked at present; try again in a minute, or ask an"
              + " administrator to look for READPAST-0084 in the server's log");
    }
  }

  private static AuthenticationStatus refuse(
      HttpServletRequest request, HttpServletResponse response, int status, String detail) {
    byte[] problem = Problem.of(status, detail, request.getRequestURI()).json();
    request.setAttribute(REFUSED, status);
    response.setStatus(status);
    if (status == HttpServletResponse.SC_UNAUTHORIZED
        && !response.containsHeader("WWW-Authenticate")) {
      boolean page = "empty".equals(request.getHeader("Sec-Fetch-Dest"));
      response.setHeader("WWW-Authenticate", page ? SESSION : BASIC);
    }
    SecurityHeaders.HEADERS.forEach(response::setHeader);
    ConsoleFilter.HEADERS.forEach(response::setHeader);
    response.setContentType(Problem.MEDIA_TYPE);
    response.setContentLength(problem.length);
    try {
      response.getOutputStream().write(problem);
      response.flushBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return AuthenticationStatus.SEND_FAILURE;
  }
}
