package org.readpast.rest.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.JWTClaimsSetVerifier;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.validators.IDTokenClaimsVerifier;
import java.net.MalformedURLException;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens: accepts only tokens that the provider has recently signed for this application.
 */
public final class OidcTokens {
  private static final int CLOCKS_APART_SECONDS = 60;
  private static final Duration KEYS_KNOWN = Duration.ofHours(1);
  private static final Duration KEYS_AWAITED = Duration.ofSeconds(15);
  // The time between two requests for keys: an unknown key means that the keys have changed, or
  // that the token is forged.
  private static final Duration KEYS_LEFT_ALONE = Duration.ofSeconds(10);
  private static final int LONGEST_NAME = 255;

  /**
   * Only asymmetric keys are accepted, so that a party that can verify tokens cannot create one.
   */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final int SMALLEST_RSA_KEY = 2048;
  private static final DefaultJOSEObjectTypeVerifier<SecurityContext> ID_TOKEN =
      new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, null);
  private static final DefaultJOSEObjectTypeVerifier<SecurityContext> ACCESS_TOKEN =
      new DefaultJOSEObjectTypeVerifier<>(
          JOSEObjectType.JWT,
          new JOSEObjectType("at+jwt"),
          new JOSEObjectType("application/at+jwt"),
          null);

  private final OidcConfig config;
  private final OidcProvider provider;
  private final Duration leftAlone;
  private @Nullable Keys keys;
  private volatile @Nullable Exception keysFailure;

  OidcTokens(OidcConfig config, OidcProvider provider) {
    this(config, provider, KEYS_LEFT_ALONE);
  }

  /**
   * Creates a verifier. The verifier requests the keys of the provider at most twice within {@code
   * leftAlone}, whether the provider responds or not.
   */
  OidcTokens(OidcConfig config, OidcProvider provider, Duration leftAlone) {
    this.config = config;
    this.provider = provider;
    this.leftAlone = leftAlone;
  }

  /** Describes a user of the provider; a user without roles has no access. */
  public record Person(String name, Set<String> roles) {}

  /** Returns the user of the ID token that completes this sign-in. */
  Person signedIn(String idToken, OidcRequest request) throws OidcException {
    var client = new ClientID(config.clientId());
    var idTokens =
        new IDTokenClaimsVerifier(
            new Issuer(config.issuer()), client, request.nonce(), CLOCKS_APART_SECONDS);
    var times =
        new DefaultJWTClaimsVerifier<SecurityContext>(new JWTClaimsSet.Builder().build(), Set.of());
    times.setMaxClockSkew(CLOCKS_APART_SECONDS);
    try {
      return person(
          read(
              idToken,
              ID_TOKEN,
              (claims, context) -> {
                idTokens.verify(claims, context);
                // The library's verifier does not check the times and the authorized party of ID
                // tokens.
                times.verify(claims, context);
                checkParty(claims);
              }));
    } catch (OidcException e) {
      throw e.fault() == OidcFault.INVALID_TOKEN
          ? new OidcException(OidcFault.PROVIDER, "the ID token is not valid: " + e.getMessage(), e)
          : e;
    }
  }

  private void checkParty(JWTClaimsSet claims) throws BadJWTException {
    Object party = claims.getClaim("azp");
    if (party == null ? claims.getAudience().size() != 1 : !config.clientId().equals(party)) {
      throw new BadJWTException("Unexpected authorized party (azp)");
    }
  }

  /** Returns the user of the access token. */
  Person bearer(String token) throws OidcException {
    String audience = config.audience();
    if (audience == null) {
      throw new OidcException(
          OidcFault.INVALID_TOKEN,
          "this server accepts no tokens, because readpast.oidc.audience is not set");
    }
    // ID tokens and other tokens are refused by their type or their nonce, which access tokens
    // lack.
    var verifier =
        new DefaultJWTClaimsVerifier<SecurityContext>(
            Set.of(audience),
            new JWTClaimsSet.Builder().issuer(config.issuer()).build(),
            Set.of("sub", "exp"),
            Set.of("nonce"));
    verifier.setMaxClockSkew(CLOCKS_APART_SECONDS);
    JWTClaimsSet claims = read(token, ACCESS_TOKEN, verifier);
    Object kind = claims.getClaim("typ");
    if (kind != null && !"Bearer".equals(kind)) {
      throw new OidcException(OidcFault.INVALID_TOKEN, "the token is not an access token");
    }
    return person(claims);
  }

  private JWTClaimsSet read(
      String token,
      DefaultJOSEObjectTypeVerifier<SecurityContext> types,
      JWTClaimsSetVerifier<SecurityContext> claims)
      throws OidcException {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier(types);
    processor.setJWTClaimsSetVerifier(claims);
    try {
      // Unsigned tokens are refused, and encrypted tokens, because this server has no key to
      // decrypt them.
      SignedJWT signed = SignedJWT.parse(token);
      processor.setJWSKeySelector(keys());
      return processor.process(signed, null);
    } catch (ParseException e) {
      // The exception's message may quote the token.
      throw new OidcException(OidcFault.INVALID_TOKEN, "the token is not a signed JWT");
    } catch (RateLimitReachedException e) {
      // The rate limit applies because the keys were requested recently.
      Exception reason = keysFailure;
      throw reason == null
          ? new OidcException(
              OidcFault.INVALID_TOKEN, "the token is refused: no matching key(s) found", e)
          : new OidcException(OidcFault.UNREACHABLE, String.valueOf(reason.getMessage()), reason);
    } catch (KeySourceException e) {
      throw new OidcException(OidcFault.UNREACHABLE, String.valueOf(e.getMessage()), e);
    } catch (BadJOSEException | JOSEException e) {
      throw new OidcException(
          OidcFault.INVALID_TOKEN, "the token is refused: " + e.getMessage(), e);
    }
  }

  private synchronized Keys keys() throws OidcException {
    Keys known = keys;
    if (known == null) {
      try {
        known =
            new Keys(
                JWKSourceBuilder.<SecurityContext>create(
                        provider.metadata().getJWKSetURI().toURL(), provider.http())
                    .cache(KEYS_KNOWN.toMillis(), KEYS_AWAITED.toMillis())
                    // Refreshing ahead would keep threads that outlive the application.
                    .refreshAheadCache(false)
                    .rateLimited(leftAlone.toMillis())
                    .healthReporting(report -> keysFailure = report.getException())
                    .build());
      } catch (MalformedURLException e) {
        throw new OidcException(OidcFault.PROVIDER, "the provider's jwks_uri is malformed", e);
      }
      keys = known;
    }
    return known;
  }

  /** Returns the keys that may have signed a token. */
  private static final class Keys extends JWSVerificationKeySelector<SecurityContext> {
    Keys(JWKSource<SecurityContext> source) {
      super(ALGORITHMS, source);
    }

    @Override
    protected @Nullable JWKMatcher createJWKMatcher(JWSHeader header) {
      JWKMatcher matcher = super.createJWKMatcher(header);
      return matcher != null && JWSAlgorithm.Family.RSA.contains(header.getAlgorithm())
          ? new JWKMatcher.Builder(matcher).minKeySize(SMALLEST_RSA_KEY).build()
          : matcher;
    }
  }

  private Person person(JWTClaimsSet claims) throws OidcException {
    String name = text(claims, config.nameClaim());
    if (name == null) {
      name = claims.getSubject();
    }
    if (name == null
        || name.isBlank()
        || name.length() > LONGEST_NAME
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new OidcException(
          OidcFault.INVALID_TOKEN,
          "the name in the token is missing, or longer than "
              + LONGEST_NAME
              + " characters; set readpast.oidc.name-claim to a claim with a name");
    }
    Object groups = claim(claims, config.rolesClaim());
    List<?> list =
        groups instanceof List<?> several ? several : groups == null ? List.of() : List.of(groups);
    return new Person(
        name,
        config
            .roles()
            .of(list.stream().filter(String.class::isInstance).map(String.class::cast).toList()));
  }

  private static @Nullable String text(JWTClaimsSet claims, String path) {
    return claim(claims, path) instanceof String text ? text : null;
  }

  /**
   * Returns a claim by its name, which may contain dots, or by its path if there is no such name.
   */
  private static @Nullable Object claim(JWTClaimsSet claims, String path) {
    Map<String, Object> all = claims.getClaims();
    if (all.containsKey(path)) {
      return all.get(path);
    }
    Object value = all;
    for (String step : path.split("\\.")) {
      value = value instanceof Map<?, ?> members ? members.get(step) : null;
    }
    return value;
  }
}
