package org.readpast.rest.oidc;

import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds a sign-in that is in progress. The sign-in is stored only in a cookie of the browser that
 * began it, because the session cookie is not sent with a redirect from another site.
 *
 * @param state the provider returns it, so that a user cannot be made to complete another user's
 *     sign-in
 * @param nonce the token contains it, so that the token belongs to this sign-in
 * @param verifier sent to the provider with the code, so that a stolen code is worthless
 * @param page the console page to open afterwards: {@code #/...}
 */
record OidcRequest(State state, Nonce nonce, CodeVerifier verifier, String page) {
  private static final Pattern COOKIE =
      Pattern.compile("([\\w-]{43})\\.([\\w-]{43})\\.([\\w-]{43})\\.([\\w-]{0,2000})");
  // The pattern matches only characters that a browser sends in a URL, so none that could end a
  // header.
  private static final Pattern PAGE = Pattern.compile("#/[!-~]{0,1400}");
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  static OidcRequest begin(@Nullable String page) {
    String known = page != null && PAGE.matcher(page).matches() ? page : "";
    return new OidcRequest(new State(), new Nonce(), new CodeVerifier(), known);
  }

  String cookie() {
    String kept = BASE64.encodeToString(page.getBytes(StandardCharsets.UTF_8));
    return String.join(".", state.getValue(), nonce.getValue(), verifier.getValue(), kept);
  }

  /** Parses the cookie; returns null if it does not contain a valid sign-in. */
  static @Nullable OidcRequest of(@Nullable String cookie) {
    var parts = COOKIE.matcher(cookie == null ? "" : cookie);
    if (!parts.matches()) {
      return null;
    }
    try {
      String page =
          new String(Base64.getUrlDecoder().decode(parts.group(4)), StandardCharsets.UTF_8);
      return PAGE.matcher(page).matches() || page.isEmpty()
          ? new OidcRequest(
              new State(parts.group(1)),
              new Nonce(parts.group(2)),
              new CodeVerifier(parts.group(3)),
              page)
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  boolean stateIs(@Nullable String given) {
    return state.getValue().equals(given);
  }
}
