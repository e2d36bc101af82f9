package org.readpast.rest.oidc;

import com.nimbusds.jwt.JWTParser;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.LogoutRequest;
import com.nimbusds.openid.connect.sdk.Prompt;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;
import org.readpast.model.QueueRoles;
import org.readpast.rest.signin.ConfiguredUsers;

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
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  private record Provider(OidcConfig config, OidcProvider network, OidcTokens tokens) {}

  /** Holds a signed-in user, and the ID token for signing out. */
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

  /** Returns the provider's display name, or null if there is no provider. */
  public @Nullable String name() {
    return known == null ? null : known.config().name();
  }

  private Provider provider() throws OidcException {
    if (known == null) {
      throw new OidcException(OidcFault.OFF, "no OpenID provider is configured");
    }
    return known;
  }

  /**
   * Returns the address to which a user is redirected to sign in.
   *
   * @param root the root of this application, as the browser sees it
   * @param anew true if the provider is to ask for credentials even if the user is still signed in
   *     there
   */
  String authorization(OidcRequest request, String root, boolean anew) throws OidcException {
    Provider provider = provider();
    var client = new ClientID(provider.config().clientId());
    var scope = Scope.parse(provider.config().scopes());
    var parameters =
        new AuthenticationRequest.Builder(
                ResponseType.CODE, scope, client, redirectUri(provider, root))
            .endpointURI(provider.network().metadata().getAuthorizationEndpointURI())
            .state(request.state())
            .nonce(request.nonce())
            .codeChallenge(request.verifier(), CodeChallengeMethod.S256);
    return (anew ? parameters.prompt(Prompt.Type.LOGIN) : parameters).build().toURI().toString();
  }

  private static URI redirectUri(Provider provider, String root) throws OidcException {
    String said = provider.config().redirectUri();
    try {
      return URI.create(said == null ? root + OidcConfig.CALLBACK : said);
    } catch (IllegalArgumentException e) {
      throw new OidcException(
          OidcFault.PROVIDER,
          "the address of the request is not valid; set readpast.oidc.redirect-uri",
          e);
    }
  }

  /** Completes a sign-in with the parameters that the provider has sent with the redirect. */
  Entered enter(OidcRequest request, Map<String, List<String>> parameters, String root)
      throws OidcException {
    Provider provider = provider();
    URI redirectUri = redirectUri(provider, root);
    AuthenticationResponse answer = answer(provider, redirectUri, parameters);
    if (!answer.indicatesSuccess()) {
      String error = OidcProvider.named(answer.toErrorResponse().getErrorObject().getCode());
      throw new OidcException(
          error.equals("access_denied") ? OidcFault.DENIED : OidcFault.PROVIDER,
          "the provider responded with " + error);
    }
    AuthorizationCode code = answer.toSuccessResponse().getAuthorizationCode();
    if (code == null) {
      throw new OidcException(OidcFault.PROVIDER, "the provider sent neither a code nor an error");
    }
    String token = provider.network().idToken(code, request, redirectUri);
    return new Entered(withRoles(provider.tokens().signedIn(token, request)), token);
  }

  private static AuthenticationResponse answer(
      Provider provider, URI redirectUri, Map<String, List<String>> parameters)
      throws OidcException {
    AuthenticationResponse answer;
    try {
      answer = AuthenticationResponseParser.parse(redirectUri, parameters);
    } catch (ParseException e) {
      throw new OidcException(OidcFault.PROVIDER, "the response of the provider is malformed");
    }
    Issuer issuer = answer.getIssuer();
    boolean mixedUp =
        issuer == null
            ? provider.network().metadata().supportsAuthorizationResponseIssuerParam()
            : !issuer.getValue().equals(provider.config().issuer());
    if (mixedUp) {
      throw new OidcException(OidcFault.PROVIDER, "the response is from another issuer");
    }
    return answer;
  }

  /**
   * Returns the address at which the provider signs the user out, or null if it has none or does
   * not respond.
   */
  public @Nullable String signOut(String idToken, String root) {
    try {
      Provider provider = provider();
      URI address = provider.network().metadata().getEndSessionEndpointURI();
      if (address == null) {
        return null;
      }
      String redirect = redirectUri(provider, root).toString();
      String here = redirect.substring(0, redirect.length() - OidcConfig.CALLBACK.length()) + "/";
      var client = new ClientID(provider.config().clientId());
      return new LogoutRequest(
              address, JWTParser.parse(idToken), null, client, URI.create(here), null, null)
          .toURI()
          .toString();
    } catch (OidcException | java.text.ParseException e) {
      LOG.log(Level.DEBUG, "the user could not be signed out at the provider: {0}", e.getMessage());
      return null;
    }
  }

  /** Returns true if a provider is configured. */
  public boolean isSetUp() {
    return known != null;
  }

  public static boolean isBearer(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  /** Returns the user of the token in this header. */
  public OidcTokens.Person bearer(String header) throws OidcException {
    if (known == null) {
      throw new OidcException(
          OidcFault.INVALID_TOKEN,
          "this server accepts no tokens, because no OpenID provider is configured");
    }
    return withRoles(known.tokens().bearer(header.substring(BEARER.length()).strip()));
  }

  /**
   * Removes the roles of a user whose name is also in the configuration, because the audit would
   * show both as one user.
   */
  private OidcTokens.Person withRoles(OidcTokens.Person person) {
    if (!configured.knows(person.name())) {
      return person;
    }
    LOG.log(
        warned.add(ConfiguredUsers.folded(person.name())) ? Level.WARNING : Level.DEBUG,
        "READPAST-0417 ''{0}'' of the OpenID provider gets no role, because the configuration"
            + " has a user of the same name, and the audit could not distinguish the two."
            + " Rename one of them, or set readpast.oidc.name-claim to another claim",
        person.name());
    return new OidcTokens.Person(person.name(), Set.of());
  }
}
