package org.readpast.rest;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds a sign-in in progress. It is stored only in a cookie of the browser that began it, because
 * the session's cookie is not sent with a redirect from another site.
 *
 * @param state returned by the provider, so that a user cannot be made to complete another user's
 *     sign-in
 * @param nonce returned in the token, so that the token belongs to this sign-in
 * @param verifier sent to the provider with the code, so that a stolen code is worthless
 * @param page the console page to open afterwards: {@code #/...}
 */
record OidcRequest(String state, String nonce, String verifier, String page) {
  private static final Pattern COOKIE =
      Pattern.compile("([\\w-]{43})\\.([\\w-]{43})\\.([\\w-]{43})\\.([\\w-]{0,2000})");
  // Only characters that a browser sends in an address, so nothing that could end a header.
  private static final Pattern PAGE = Pattern.compile("#/[!-~]{0,1400}");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  static OidcRequest begin(@Nullable String page) {
    String known = page != null && PAGE.matcher(page).matches() ? page : "";
    return new OidcRequest(random(), random(), random(), known);
  }

  private static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return BASE64.encodeToString(bytes);
  }

  String cookie() {
    String kept = BASE64.encodeToString(page.getBytes(StandardCharsets.UTF_8));
    return String.join(".", state, nonce, verifier, kept);
  }

  /** Returns null if the cookie is not a valid sign-in. */
  static @Nullable OidcRequest of(@Nullable String cookie) {
    var parts = COOKIE.matcher(cookie == null ? "" : cookie);
    if (!parts.matches()) {
      return null;
    }
    try {
      String page =
          new String(Base64.getUrlDecoder().decode(parts.group(4)), StandardCharsets.UTF_8);
      return PAGE.matcher(page).matches() || page.isEmpty()
          ? new OidcRequest(parts.group(1), parts.group(2), parts.group(3), page)
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the verifier's hash, which the provider stores with the code (PKCE, S256). */
  String challenge() {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return BASE64.encodeToString(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  boolean stateIs(@Nullable String given) {
    return same(state, given);
  }

  boolean nonceIs(@Nullable String given) {
    return same(nonce, given);
  }

  private static boolean same(String ours, @Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            ours.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}
