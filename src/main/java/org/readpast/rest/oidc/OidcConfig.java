package org.readpast.rest.oidc;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;
import org.readpast.rest.signin.RoleMapping;

/**
 * Holds the configuration of the OpenID provider that authenticates users, and of its claims.
 *
 * @param clientSecret the client secret, or null for a public client
 * @param redirectUri the redirect URI, or null to derive it from the request
 * @param audience the audience of access tokens, or null if access tokens are not accepted
 */
record OidcConfig(
    String issuer,
    String name,
    String clientId,
    @Nullable String clientSecret,
    String scopes,
    String nameClaim,
    String rolesClaim,
    RoleMapping roles,
    @Nullable String redirectUri,
    @Nullable String audience) {
  /** Contains the path below the application's root to which the provider redirects users. */
  static final String CALLBACK = "/oidc/callback";

  private static final String PREFIX = "readpast.oidc.";
  private static final Set<String> SUFFIXES =
      Set.of("client-id", "client-secret", "audience", "redirect-uri", "name");

  /**
   * Reads the configuration; returns null if no provider is configured, or if the configuration is
   * invalid, in which case faults are reported.
   */
  static @Nullable OidcConfig read(
      Config config, Set<String> roleNames, Collection<String> faults) {
    String issuer = text(config, "issuer").orElse(null);
    if (issuer == null) {
      SUFFIXES.stream()
          .filter(suffix -> text(config, suffix).isPresent())
          .sorted()
          .findFirst()
          .ifPresent(
              suffix ->
                  faults.add(
                      PREFIX
                          + "issuer is missing, so no user can sign in with OpenID"
                          + " Connect; specify the address of the provider, or remove "
                          + PREFIX
                          + suffix));
      return null;
    }
    List<String> found = new ArrayList<>();
    String clientId = text(config, "client-id").orElse("");
    if (!trusted(issuer) || URI.create(issuer).getRawQuery() != null) {
      found.add(
          PREFIX
              + "issuer is '"
              + issuer
              + "', so no user can sign in with OpenID Connect; specify an https address"
              + " without a query, exactly as in the provider's tokens (http is"
              + " allowed for this machine only)");
    }
    if (clientId.isEmpty()) {
      found.add(
          PREFIX
              + "client-id is missing, so no user can sign in with OpenID Connect; specify"
              + " the id under which this application is registered at the provider");
    }
    String scopes = text(config, "scopes").orElse("openid profile");
    if (!List.of(scopes.split(" ")).contains("openid")) {
      found.add(
          PREFIX
              + "scopes is '"
              + scopes
              + "'; specify scopes separated by spaces, including openid");
    }
    String redirect = text(config, "redirect-uri").orElse(null);
    if (redirect != null && !(trusted(redirect) && redirect.endsWith(CALLBACK))) {
      found.add(
          PREFIX
              + "redirect-uri is '"
              + redirect
              + "'; specify the address of this application as browsers see it, with https"
              + " and ending in "
              + CALLBACK);
    }
    faults.addAll(found);
    RoleMapping roles = RoleMapping.read(config, PREFIX + "role.", roleNames, faults);
    return found.isEmpty()
        ? new OidcConfig(
            issuer,
            text(config, "name").orElseGet(() -> URI.create(issuer).getHost()),
            clientId,
            text(config, "client-secret").orElse(null),
            scopes,
            text(config, "name-claim").orElse("preferred_username"),
            text(config, "roles-claim").orElse("groups"),
            roles,
            redirect,
            text(config, "audience").orElse(null))
        : null;
  }

  /** Returns true if data sent to this address cannot be read by third parties. */
  static boolean trusted(String address) {
    try {
      URI uri = new URI(address);
      String host = uri.getHost();
      return host != null
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && loopback(host));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  // The decision is made by name, because a name server may return different addresses.
  private static boolean loopback(String host) {
    return host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
  }

  private static Optional<String> text(Config config, String suffix) {
    return config
        .getOptionalValue(PREFIX + suffix, String.class)
        .map(String::strip)
        .filter(value -> !value.isEmpty());
  }

  /** Returns the configuration as a string without the client secret. */
  @Override
  public String toString() {
    return "OidcConfig[" + issuer + ", " + clientId + "]";
  }
}
