package org.readpast.rest.access;

import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Parses the Authorization header by RFC 7617. */
final class BasicCredential {
  private static final String SCHEME = "Basic ";

  private BasicCredential() {}

  /** Returns the credential; null if the header is missing or malformed, or has another scheme. */
  static @Nullable UsernamePasswordCredential read(@Nullable String header) {
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
      String pair = new String(bytes, StandardCharsets.UTF_8);
      int colon = pair.indexOf(':');
      return colon < 1
          ? null
          : new UsernamePasswordCredential(pair.substring(0, colon), pair.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
