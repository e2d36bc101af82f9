package org.readpast.rest.signin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds the signed-in user as it is stored in the session. */
public record SignIn(String name, Set<String> roles, String token) {
  // The attributes are strings, which a server can serialize when it saves sessions at a
  // redeployment.
  private static final String NAME = "readpast.name";
  private static final String ROLES = "readpast.roles";
  private static final String TOKEN = "readpast.token";
  private static final String BEGUN = "readpast.begun";
  // An open page keeps a session active, so sessions end after a fixed time and the roles are
  // determined again.
  private static final Duration LONGEST = Duration.ofHours(12);
  private static final String ID_TOKEN = "readpast.id-token";

  /** Returns the signed-in user, or null if no user is signed in. */
  public static @Nullable SignIn of(HttpServletRequest request) {
    // Payara accepts a session id in the URL despite SessionCookie. Other users may see a URL, so
    // such an id is ignored.
    boolean inAddress = request.isRequestedSessionIdFromURL();
    HttpSession session = inAddress ? null : request.getSession(false);
    try {
      return session != null
              && session.getAttribute(NAME) instanceof String name
              && session.getAttribute(ROLES) instanceof String roles
              && session.getAttribute(TOKEN) instanceof String token
              && lasts(session.getAttribute(BEGUN), Instant.now())
          ? new SignIn(name, Set.of(roles.split(",")), token)
          : null;
    } catch (IllegalStateException e) {
      // A concurrent request has signed the user out.
      return null;
    }
  }

  /** Begins a new session, so that a session that an attacker may have planted is worthless. */
  public static SignIn begin(HttpServletRequest request, String name, Set<String> roles) {
    end(request);
    HttpSession session = request.getSession(true);
    // The id is changed, because Liberty gives a new session the id that the request contained.
    request.changeSessionId();
    SignIn signIn = new SignIn(name, roles, new String(RecentLogins.random()));
    session.setAttribute(NAME, name);
    session.setAttribute(ROLES, String.join(",", roles));
    session.setAttribute(TOKEN, signIn.token);
    session.setAttribute(BEGUN, Instant.now().toString());
    return signIn;
  }

  /** Returns true if the session is still valid; always true for a caller without a session. */
  public static boolean goesOn(@Nullable HttpSession session) {
    try {
      return session == null
          || session.getAttribute(NAME) != null
              && lasts(session.getAttribute(BEGUN), Instant.now());
    } catch (IllegalStateException e) {
      return false;
    }
  }

  static boolean lasts(@Nullable Object begun, Instant now) {
    return begun instanceof String moment && Instant.parse(moment).plus(LONGEST).isAfter(now);
  }

  public static void end(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    if (session != null) {
      try {
        session.invalidate();
      } catch (IllegalStateException e) {
        // A concurrent request has ended the session.
      }
    }
  }

  /** Stores the ID token, which identifies the user to the provider when signing out. */
  public void keepIdToken(HttpServletRequest request, String idToken) {
    request.getSession(true).setAttribute(ID_TOKEN, idToken);
  }

  /**
   * Returns the stored ID token, or null if the user has signed in with a password or is not signed
   * in.
   */
  public static @Nullable String idToken(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    try {
      return session != null && session.getAttribute(ID_TOKEN) instanceof String token
          ? token
          : null;
    } catch (IllegalStateException e) {
      return null;
    }
  }

  public boolean tokenIs(@Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }
}
