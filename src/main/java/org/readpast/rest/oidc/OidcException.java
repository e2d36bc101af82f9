package org.readpast.rest.oidc;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a sign-in by OpenID Connect has failed. The message is written to the log, and
 * contains no token.
 */
public final class OidcException extends Exception {
  private final OidcFault fault;

  OidcException(OidcFault fault, String message) {
    this(fault, message, null);
  }

  OidcException(OidcFault fault, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.fault = fault;
  }

  public OidcFault fault() {
    return fault;
  }
}
