package org.readpast.rest;

import jakarta.servlet.http.HttpServletResponse;

/** Lists why a sign-in by OpenID Connect fails, with the text shown to the user. */
enum OidcFault {
  OFF(
      HttpServletResponse.SC_NOT_FOUND,
      "Single sign-on is not set up",
      "This server knows no OpenID provider. Sign in with a name and a password."),
  FOREIGN(
      HttpServletResponse.SC_FORBIDDEN,
      "Begin in the console",
      "A page of another site may not begin a sign-in here."),
  UNKNOWN(
      HttpServletResponse.SC_BAD_REQUEST,
      "This sign-in is over",
      "It took longer than ten minutes, has been used already, or was begun in another browser or"
          + " window. Nobody was signed in by it."),
  DENIED(
      HttpServletResponse.SC_FORBIDDEN,
      "You were not let in",
      "The sign-in was cancelled, or the provider does not let you use Readpast."),
  NO_ROLE(
      HttpServletResponse.SC_FORBIDDEN,
      "You have no role here",
      "The provider knows you, but none of your groups may do anything in Readpast. Ask its"
          + " administrator for a role, or sign in as somebody else."),
  UNREACHABLE(
      HttpServletResponse.SC_SERVICE_UNAVAILABLE,
      "The provider does not answer",
      "Single sign-on does not work at the moment. Try again in a minute, or sign in with a name"
          + " and a password."),
  PROVIDER(
      HttpServletResponse.SC_BAD_GATEWAY,
      "The sign-in has failed",
      "The provider and Readpast do not agree. The server's log says about what; tell its"
          + " administrator."),
  INVALID_TOKEN(
      HttpServletResponse.SC_UNAUTHORIZED, "The token is not valid here", "Ask for a new one.");

  final int status;
  final String title;
  final String text;

  OidcFault(int status, String title, String text) {
    this.status = status;
    this.title = title;
    this.text = text;
  }
}
