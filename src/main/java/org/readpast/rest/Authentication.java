package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.CallerPrincipal;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStoreHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * Lets nobody into {@code /api} without a name and a password: sent with each request, or once to
 * {@link SessionResource}. Whoever is in by a session must name its token with each change, which
 * no page of another site can.
 */
@ApplicationScoped
public class Authentication implements HttpAuthenticationMechanism {
  static final String TOKEN_HEADER = "X-CSRF-Token";
  static final String REFUSED = "readpast.refused";
  static final Set<String> HARMLESS = Set.of("GET", "HEAD", "OPTIONS");

  private static final String BASIC = "Basic realm=\"readpast\", charset=\"UTF-8\"";
  // Browsers put their own dialogue over a page that is challenged by a scheme they know.
  static final String SESSION = "Session realm=\"readpast\"";

  @Inject IdentityStoreHandler stores;

  @Override
  public AuthenticationStatus validateRequest(
      HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
    if (!"/api".equals(request.getServletPath())) {
      return context.doNothing();
    }
    SignIn signIn = SignIn.of(request);
    if (request.getHeader("Authorization") == null && signIn != null) {
      boolean safe = HARMLESS.contains(request.getMethod());
      return safe || signIn.tokenIs(request.getHeader(TOKEN_HEADER))
          ? context.notifyContainerAboutLogin(new CallerPrincipal(signIn.name()), signIn.roles())
          : refuse(
              request,
              response,
              403,
              TOKEN_HEADER + " is missing or wrong; GET api/session has it");
    }
    if (SessionResource.PATH.equals(request.getPathInfo())) {
      return context.doNothing();
    }
    var credential = BasicCredential.read(request.getHeader("Authorization"));
    if (credential == null) {
      return refuse(
          request, response, 401, "sign in, or say who you are by HTTP Basic authentication");
    }
    CredentialValidationResult result = stores.validate(credential);
    return result.getStatus() == CredentialValidationResult.Status.VALID
        ? context.notifyContainerAboutLogin(result)
        : refuse(request, response, 401, "the name or the password is wrong");
  }

  private static AuthenticationStatus refuse(
      HttpServletRequest request, HttpServletResponse response, int status, String detail) {
    byte[] problem = Problem.of(status, detail, request.getRequestURI()).json();
    request.setAttribute(REFUSED, status);
    response.setStatus(status);
    if (status == HttpServletResponse.SC_UNAUTHORIZED) {
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
