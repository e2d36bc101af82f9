package org.readpast.rest;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;
import org.readpast.model.QueueRoles;

/**
 * Authenticates users of an OpenID provider: people through its own page (authorization code flow
 * with PKCE), programs by its access tokens.
 */
@ApplicationScoped
public class OpenIdConnect {
  private static final System.Logger LOG = System.getLogger(OpenIdConnect.class.getName());
  private static final String BEARER = "Bearer ";

  @Inject Config configuration;
  @Inject ConfiguredUsers configured;
  @Inject QueueRoles queues;

  private @Nullable Provider known;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private record Provider(OidcConfig config, OidcProvider network, OidcTokens tokens) {}

  /** Holds a signed-in user, and the token for the sign-out. */
  record Entered(OidcTokens.Person person, String idToken) {}

  /** Reads the provider's configuration once. */
  @PostConstruct
  void read() {
    List<String> faults = new ArrayList<>();
    OidcConfig config = OidcConfig.read(configuration, queues.names(), faults);
    faults.forEach(fault -> LOG.log(Level.ERROR, "READPAST-0410 {0}", fault));
    if (config != null) {
      OidcProvider network = new OidcProvider(config);
      known = new Provider(config, network, new OidcTokens(config, network));
    }
  }

  /** Returns the provider's display name; null: there is no provider. */
  @Nullable String name() {
    return known == null ? null : known.config().name();
  }

  private Provider provider() throws OidcException {
    if (known == null) {
      throw new OidcException(OidcFault.OFF, "no OpenID provider is configured");
    }
    return known;
  }

  /**
   * Returns the address to which a user is sent to sign in.
   *
   * @param root of this application, as the browser sees it
   * @param anew true: the provider asks again even if it still knows the user
   */
  String authorization(OidcRequest request, String root, boolean anew) throws OidcException {
    Provider provider = provider();
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("response_type", "code");
    parameters.put("client_id", provider.config().clientId());
    parameters.put("redirect_uri", redirectUri(provider, root));
    parameters.put("scope", provider.config().scopes());
    parameters.put("state", request.state());
    parameters.put("nonce", request.nonce());
    parameters.put("code_challenge", request.challenge());
    parameters.put("code_challenge_method", "S256");
    if (anew) {
      parameters.put("prompt", "login");
    }
    return with(provider.network().metadata().authorization(), parameters);
  }

  private static String redirectUri(Provider provider, String root) {
    String said = provider.config().redirectUri();
    return said == null ? root + OidcConfig.CALLBACK : said;
  }

  private static String with(String address, Map<String, String> parameters) {
    return address + (address.contains("?") ? "&" : "?") + OidcProvider.form(parameters);
  }

  /**
   * Completes a sign-in with the parameters that the provider has returned for the state of this
   * request.
   *
   * @param answer the parameters, each with its first value
   */
  Entered enter(OidcRequest request, Map<String, String> answer, String root) throws OidcException {
    Provider provider = provider();
    String issuer = answer.get("iss");
    boolean mixedUp =
        issuer == null
            ? provider.network().metadata().namesIssuer()
            : !issuer.equals(provider.config().issuer());
    if (mixedUp) {
      throw new OidcException(OidcFault.PROVIDER, "the answer is of another issuer");
    }
    String error = answer.get("error");
    if (error != null) {
      throw new OidcException(
          error.equals("access_denied") ? OidcFault.DENIED : OidcFault.PROVIDER,
          "the provider answered " + OidcProvider.named(error));
    }
    String code = answer.get("code");
    if (code == null || code.isEmpty()) {
      throw new OidcException(OidcFault.PROVIDER, "the provider sent neither a code nor an error");
    }
    String token =
        provider.network().idToken(code, request.verifier(), redirectUri(provider, root));
    return new Entered(withRoles(provider.tokens().signedIn(token, request)), token);
  }

  /**
   * Returns the address at which the provider signs the user out; null if it has none, or does not
   * answer.
   */
  @Nullable String signOut(String idToken, String root) {
    try {
      Provider provider = provider();
      String address = provider.network().metadata().endSession();
      if (address == null) {
        return null;
      }
      String redirect = redirectUri(provider, root);
      Map<String, String> parameters = new LinkedHashMap<>();
      parameters.put("client_id", provider.config().clientId());
      parameters.put("id_token_hint", idToken);
      parameters.put(
          "post_logout_redirect_uri",
          redirect.substring(0, redirect.length() - OidcConfig.CALLBACK.length()) + "/");
      return with(address, parameters);
    } catch (OidcException e) {
      LOG.log(Level.DEBUG, "nobody was signed out at the provider: {0}", e.getMessage());
      return null;
    }
  }

  /** Returns true if a provider is configured. */
  boolean isSetUp() {
    return known != null;
  }

  static boolean isBearer(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  /** Returns the user of the token in this header. */
  OidcTokens.Person bearer(String header) throws OidcException {
    if (known == null) {
      throw new OidcException(
          OidcFault.INVALID_TOKEN, "no tokens are taken here: no OpenID provider is configured");
    }
    return withRoles(known.tokens().bearer(header.substring(BEARER.length()).strip()));
  }

  /**
   * Removes the roles of a user whose name the configuration has too, because the audit would show
   * both as one user.
   */
  private OidcTokens.Person withRoles(OidcTokens.Person person) {
    if (!configured.knows(person.name())) {
      return person;
    }
    LOG.log(
        told.add(UserConfig.folded(person.name())) ? Level.WARNING : Level.DEBUG,
        "READPAST-0417 ''{0}'' of the OpenID provider has no role here, because the configuration has"
            + " a user of that name, and in the audit they would be one; give one of them another"
            + " name, or choose another claim by readpast.oidc.name-claim",
        person.name());
    return new OidcTokens.Person(person.name(), Set.of());
  }
}
