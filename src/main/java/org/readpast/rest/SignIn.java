package org.readpast.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Somebody who is signed in, as the session knows it. */
record SignIn(String name, Set<String> roles, String token) {
  // As texts: a server that writes its sessions down at a redeployment can do so with these.
  private static final String NAME = "readpast.name";
  private static final String ROLES = "readpast.roles";
  private static final String TOKEN = "readpast.token";
  private static final String BEGUN = "readpast.begun";
  // Open pages keep a session in use; what somebody may do is asked anew after this time.
  private static final Duration LONGEST = Duration.ofHours(12);
  private static final String ID_TOKEN = "readpast.id-token";

  /** Null when nobody is. */
  static @Nullable SignIn of(HttpServletRequest request) {
    // Payara takes it from the address whatever SessionCookie says, where others may see it.
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
      // Signed out a moment ago.
      return null;
    }
  }

  /** Begins a new session: one that somebody else may have seeded is worth nothing afterwards. */
  static SignIn begin(HttpServletRequest request, String name, Set<String> roles) {
    end(request);
    HttpSession session = request.getSession(true);
    // Liberty gives the new one the id that the request came with.
    request.changeSessionId();
    SignIn signIn = new SignIn(name, roles, new String(RecentLogins.random()));
    session.setAttribute(NAME, name);
    session.setAttribute(ROLES, String.join(",", roles));
    session.setAttribute(TOKEN, signIn.token);
    session.setAttribute(BEGUN, Instant.now().toString());
    return signIn;
  }

  /** Whether it goes on; of somebody without a session always. */
  static boolean goesOn(@Nullable HttpSession session) {
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

  static void end(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    if (session != null) {
      try {
        session.invalidate();
      } catch (IllegalStateException e) {
        // Another request has just ended it.
      }
    }
  }

  /** For the provider to know who leaves, when somebody does who came in through it. */
  void keepIdToken(HttpServletRequest request, String idToken) {
    request.getSession(true).setAttribute(ID_TOKEN, idToken);
  }

  /** Null when somebody came in by a password, or is not here. */
  static @Nullable String idToken(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    try {
      return session != null && session.getAttribute(ID_TOKEN) instanceof String token
          ? token
          : null;
    } catch (IllegalStateException e) {
      return null;
    }
  }

  boolean tokenIs(@Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }
}
