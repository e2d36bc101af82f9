package org.readpast.rest.oidc;

import jakarta.servlet.http.HttpServletResponse;

/**
 * Lists the reasons why a sign-in by OpenID Connect fails, with the messages that are shown to
 * users.
 */
public enum OidcFault {
  OFF(
      HttpServletResponse.SC_NOT_FOUND,
      "Single sign-on is not set up",
      "No OpenID provider is configured on this server. Sign in with a name and a password."),
  FOREIGN(
      HttpServletResponse.SC_FORBIDDEN,
      "Start in the console",
      "A page from another site cannot start a sign-in here."),
  UNKNOWN(
      HttpServletResponse.SC_BAD_REQUEST,
      "This sign-in is no longer valid",
      "It took longer than ten minutes, was already used, or was started in another browser or"
          + " window. You have not been signed in."),
  DENIED(
      HttpServletResponse.SC_FORBIDDEN,
      "Access was denied",
      "The sign-in was cancelled, or the provider does not allow you to use Readpast."),
  NO_ROLE(
      HttpServletResponse.SC_FORBIDDEN,
      "You have no role here",
      "The provider has signed you in, but none of your groups has a role in Readpast. Ask its"
          + " administrator for a role, or sign in as another user."),
  UNREACHABLE(
      HttpServletResponse.SC_SERVICE_UNAVAILABLE,
      "The provider does not respond",
      "Single sign-on is not available at present. Try again in a minute, or sign in with a"
          + " name and a password."),
  PROVIDER(
      HttpServletResponse.SC_BAD_GATEWAY,
      "The sign-in failed",
      "The provider and Readpast are not configured consistently. Ask the administrator of this"
          + " server to look for READPAST-0411 in its log."),
  INVALID_TOKEN(
      HttpServletResponse.SC_UNAUTHORIZED, "The token is not valid here", "Request a new one.");

  final int status;
  final String title;
  final String text;

  OidcFault(int status, String title, String text) {
    this.status = status;
    this.title = title;
    this.text = text;
  }
}
