package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStoreHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Lets nobody into {@code /api} without a name and a password. */
@ApplicationScoped
public class BasicAuthentication implements HttpAuthenticationMechanism {
  private static final String CHALLENGE = "Basic realm=\"readpast\", charset=\"UTF-8\"";

  @Inject IdentityStoreHandler stores;

  @Override
  public AuthenticationStatus validateRequest(
      HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
    if (!"/api".equals(request.getServletPath())) {
      return context.doNothing();
    }
    var credential = BasicCredential.read(request.getHeader("Authorization"));
    if (credential == null) {
      return refuse(request, response, "say who you are by HTTP Basic authentication");
    }
    CredentialValidationResult result = stores.validate(credential);
    return result.getStatus() == CredentialValidationResult.Status.VALID
        ? context.notifyContainerAboutLogin(result)
        : refuse(request, response, "the name or the password is wrong");
  }

  private static AuthenticationStatus refuse(
      HttpServletRequest request, HttpServletResponse response, String detail) {
    byte[] problem = Problem.of(401, detail, request.getRequestURI()).json();
    response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    response.setHeader("WWW-Authenticate", CHALLENGE);
    SecurityHeaders.HEADERS.forEach(response::setHeader);
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
