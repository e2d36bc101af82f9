package org.readpast.rest.oidc;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Accesses the OpenID provider over the network. Metadata is accepted only if it names the
 * configured issuer, and after a failure the provider is not contacted again for a while.
 */
final class OidcProvider {
  private static final Duration KNOWN = Duration.ofHours(1);
  private static final Duration LEFT_ALONE = Duration.ofSeconds(5);
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]*");
  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

  private final OidcConfig config;
  private final OidcHttp http = new OidcHttp();
  private @Nullable OIDCProviderMetadata known;
  private long learnt;
  private long failed;
  private @Nullable OidcException failure;

  OidcProvider(OidcConfig config) {
    this.config = config;
  }

  OidcHttp http() {
    return http;
  }

  /**
   * Returns the metadata, which is requested once an hour. If the provider does not respond, the
   * previous metadata is still used.
   */
  synchronized OIDCProviderMetadata metadata() throws OidcException {
    long now = System.nanoTime();
    OIDCProviderMetadata before = known;
    if (before != null && now - learnt < KNOWN.toNanos()) {
      return before;
    }
    if (failure != null && now - failed < LEFT_ALONE.toNanos()) {
      if (before != null) {
        return before;
      }
      throw new OidcException(failure.fault(), String.valueOf(failure.getMessage()), failure);
    }
    try {
      OIDCProviderMetadata found = discover();
      known = found;
      learnt = System.nanoTime();
      failure = null;
      return found;
    } catch (OidcException e) {
      failure = e;
      failed = System.nanoTime();
      if (before != null) {
        return before;
      }
      throw e;
    }
  }

  private OIDCProviderMetadata discover() throws OidcException {
    URL address = null;
    try {
      address = OIDCProviderMetadata.resolveURL(new Issuer(config.issuer()));
      var found = OIDCProviderMetadata.parse(http.retrieveResource(address).getContent());
      if (!found.getIssuer().getValue().equals(config.issuer())) {
        throw new OidcException(
            OidcFault.PROVIDER,
            address
                + " belongs to another issuer; set readpast.oidc.issuer to exactly the value of its"
                + " member 'issuer'");
      }
      trusted(found.getAuthorizationEndpointURI(), "authorization_endpoint");
      trusted(found.getTokenEndpointURI(), "token_endpoint");
      trusted(found.getJWKSetURI(), "jwks_uri");
      if (found.getEndSessionEndpointURI() != null) {
        trusted(found.getEndSessionEndpointURI(), "end_session_endpoint");
      }
      return found;
    } catch (IOException e) {
      throw new OidcException(OidcFault.UNREACHABLE, String.valueOf(e.getMessage()), e);
    } catch (GeneralException e) {
      throw new OidcException(
          OidcFault.PROVIDER, address + " is not the metadata of an OpenID provider: " + e, e);
    }
  }

  /**
   * Refuses endpoints that third parties can eavesdrop on, because the metadata can name any
   * address.
   */
  private static void trusted(@Nullable URI address, String name) throws OidcException {
    if (address == null || !OidcConfig.trusted(address.toString())) {
      throw new OidcException(
          OidcFault.PROVIDER,
          "the provider's "
              + name
              + " is missing, or is neither an https address nor on this machine");
    }
  }

  /** Exchanges the code of this sign-in for the ID token. */
  String idToken(AuthorizationCode code, OidcRequest signIn, URI redirectUri) throws OidcException {
    var grant = new AuthorizationCodeGrant(code, redirectUri, signIn.verifier());
    HTTPResponse response;
    try {
      response = http.send(tokenRequest(grant).toHTTPRequest());
    } catch (IOException e) {
      throw new OidcException(OidcFault.UNREACHABLE, String.valueOf(e.getMessage()), e);
    }
    TokenResponse answer = parsed(response);
    if (answer instanceof OIDCTokenResponse success) {
      String token = success.getOIDCTokens().getIDTokenString();
      if (token == null) {
        throw noToken();
      }
      return token;
    }
    String error = named(answer.toErrorResponse().getErrorObject().getCode());
    throw new OidcException(
        error.equals("invalid_grant") ? OidcFault.UNKNOWN : OidcFault.PROVIDER,
        "the provider responded with "
            + response.getStatusCode()
            + " "
            + error
            + " when it received the code; if this persists, compare readpast.oidc.client-id, client-secret and"
            + " redirect-uri with the settings at the provider");
  }

  private static TokenResponse parsed(HTTPResponse response) throws OidcException {
    try {
      return OIDCTokenResponseParser.parse(response);
    } catch (ParseException e) {
      // The exception is not passed on, because its message may quote a token.
      throw noToken();
    }
  }

  private static OidcException noToken() {
    return new OidcException(
        OidcFault.PROVIDER,
        "the provider returned neither an ID token nor an error; readpast.oidc.scopes must include"
            + " openid");
  }

  private TokenRequest tokenRequest(AuthorizationCodeGrant grant) throws OidcException {
    OIDCProviderMetadata metadata = metadata();
    URI endpoint = metadata.getTokenEndpointURI();
    var client = new ClientID(config.clientId());
    return config.clientSecret() == null
        ? new TokenRequest.Builder(endpoint, client, grant).build()
        : new TokenRequest.Builder(
                endpoint, authentication(metadata, client, config.clientSecret()), grant)
            .build();
  }

  /**
   * Returns the method by which the client secret is sent. Every provider must accept Basic
   * authentication. OAuth requires an encoding of special characters in the secret, which only some
   * providers decode, so such a secret is sent in the body if the provider accepts that.
   */
  private static ClientAuthentication authentication(
      OIDCProviderMetadata metadata, ClientID client, String secret) {
    List<ClientAuthenticationMethod> accepted = metadata.getTokenEndpointAuthMethods();
    boolean post =
        accepted != null && accepted.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST);
    boolean basic =
        accepted == null || accepted.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    boolean plain = PLAIN.matcher(client.getValue() + secret).matches();
    return post && !(basic && plain)
        ? new ClientSecretPost(client, new Secret(secret))
        : new ClientSecretBasic(client, new Secret(secret));
  }

  /** Returns the error code if it is an OAuth code; other strings are not repeated. */
  static String named(@Nullable String error) {
    return error != null && ERROR.matcher(error).matches() ? error : "(an unknown error)";
  }
}
