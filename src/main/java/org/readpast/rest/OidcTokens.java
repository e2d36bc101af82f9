package org.readpast.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jose4j.http.SimpleGet;
import org.jose4j.http.SimpleResponse;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.HttpsJwks;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.jwt.consumer.JwtContext;
import org.jose4j.keys.resolvers.HttpsJwksVerificationKeyResolver;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens: it accepts only those that the provider has recently signed for this
 * application.
 */
final class OidcTokens {
  private static final int CLOCKS_APART_SECONDS = 60;
  private static final Duration KEYS_KNOWN = Duration.ofHours(1);
  // A token with an unknown key may follow a key change, or be forged.
  private static final Duration KEYS_LEFT_ALONE = Duration.ofSeconds(10);
  private static final int LONGEST_NAME = 255;

  /** Asymmetric keys only, so that a party that can verify these tokens cannot create one. */
  private static final String[] ALGORITHMS = {
    AlgorithmIdentifiers.RSA_USING_SHA256,
    AlgorithmIdentifiers.RSA_USING_SHA384,
    AlgorithmIdentifiers.RSA_USING_SHA512,
    AlgorithmIdentifiers.RSA_PSS_USING_SHA256,
    AlgorithmIdentifiers.RSA_PSS_USING_SHA384,
    AlgorithmIdentifiers.RSA_PSS_USING_SHA512,
    AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
    AlgorithmIdentifiers.ECDSA_USING_P384_CURVE_AND_SHA384,
    AlgorithmIdentifiers.ECDSA_USING_P521_CURVE_AND_SHA512,
  };

  private final OidcConfig config;
  private final OidcProvider provider;
  private final Duration leftAlone;
  private @Nullable HttpsJwksVerificationKeyResolver keys;

  OidcTokens(OidcConfig config, OidcProvider provider) {
    this(config, provider, KEYS_LEFT_ALONE);
  }

  /**
   * Creates a verifier; the provider is not asked for its keys again within {@code leftAlone},
   * whether it answered or not.
   */
  OidcTokens(OidcConfig config, OidcProvider provider, Duration leftAlone) {
    this.config = config;
    this.provider = provider;
    this.leftAlone = leftAlone;
  }

  /** Describes a user that the provider knows; a user without roles may do nothing here. */
  record Person(String name, Set<String> roles) {}

  /** Returns the user of the ID token that completes this sign-in. */
  Person signedIn(String idToken, OidcRequest request) throws OidcException {
    try {
      JwtClaims claims = read(idToken, config.clientId()).getJwtClaims();
      Object party = claims.getClaimValue("azp");
      boolean ours = party == null ? audiences(claims) == 1 : config.clientId().equals(party);
      if (!ours || !request.nonceIs(text(claims, "nonce")) || !claims.hasClaim("iat")) {
        throw new OidcException(
            OidcFault.PROVIDER, "the ID token is for another application, or of another sign-in");
      }
      return person(claims);
    } catch (OidcException e) {
      throw e.fault() == OidcFault.INVALID_TOKEN
          ? new OidcException(OidcFault.PROVIDER, "of the ID token: " + e.getMessage(), e)
          : e;
    }
  }

  /** Returns the user of the access token. */
  Person bearer(String token) throws OidcException {
    String audience = config.audience();
    if (audience == null) {
      throw new OidcException(
          OidcFault.INVALID_TOKEN, "no tokens are taken here: readpast.oidc.audience is not set");
    }
    JwtContext context = read(token, audience);
    JwtClaims claims = context.getJwtClaims();
    // ID tokens and other tokens have a type or a nonce that access tokens do not have.
    Object kind = claims.getClaimValue("typ");
    if (!accessType(context.getJoseObjects().get(0).getHeader("typ"))
        || kind != null && !"Bearer".equals(kind)
        || claims.hasClaim("nonce")) {
      throw new OidcException(OidcFault.INVALID_TOKEN, "the token is not an access token");
    }
    return person(claims);
  }

  private static boolean accessType(@Nullable String type) {
    return type == null
        || Set.of("jwt", "at+jwt", "application/at+jwt").contains(type.toLowerCase(Locale.ROOT));
  }

  private JwtContext read(String token, String audience) throws OidcException {
    // Three parts: a signed token. An encrypted one has five parts, and there is no key for it
    // here.
    if (token.chars().filter(c -> c == '.').count() != 2) {
      throw new OidcException(OidcFault.INVALID_TOKEN, "the token is not a signed JWT");
    }
    JwtConsumer consumer =
        new JwtConsumerBuilder()
            .setVerificationKeyResolver(keys())
            .setJwsAlgorithmConstraints(ConstraintType.PERMIT, ALGORITHMS)
            .setExpectedIssuer(true, config.issuer())
            .setExpectedAudience(true, audience)
            .setRequireExpirationTime()
            .setRequireSubject()
            .setAllowedClockSkewInSeconds(CLOCKS_APART_SECONDS)
            .build();
    try {
      return consumer.process(token);
    } catch (InvalidJwtException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof KeysException unreachable) {
          throw unreachable.reason;
        }
      }
      // The exception's own message contains the token.
      throw new OidcException(OidcFault.INVALID_TOKEN, wrong(e));
    }
  }

  private static String wrong(InvalidJwtException e) {
    if (e.hasErrorCode(ErrorCodes.EXPIRED) || e.hasErrorCode(ErrorCodes.NOT_YET_VALID)) {
      return "the token has expired, or is not valid yet";
    }
    if (e.hasErrorCode(ErrorCodes.AUDIENCE_INVALID)
        || e.hasErrorCode(ErrorCodes.AUDIENCE_MISSING)) {
      return "the token is for another audience";
    }
    if (e.hasErrorCode(ErrorCodes.ISSUER_INVALID) || e.hasErrorCode(ErrorCodes.ISSUER_MISSING)) {
      return "the token is of another issuer";
    }
    return e.hasErrorCode(ErrorCodes.SIGNATURE_INVALID)
        ? "the token's signature is wrong"
        : "the token is malformed, lacks what it must have, or is not signed by the provider";
  }

  private synchronized HttpsJwksVerificationKeyResolver keys() throws OidcException {
    HttpsJwksVerificationKeyResolver known = keys;
    if (known == null) {
      var jwks = new HttpsJwks(provider.metadata().keys());
      jwks.setSimpleHttpGet(new Fetch(provider, leftAlone));
      jwks.setDefaultCacheDuration(KEYS_KNOWN.toSeconds());
      jwks.setRetainCacheOnErrorDuration(leftAlone.toSeconds());
      jwks.setRefreshReprieveThreshold(leftAlone.toMillis());
      known = new HttpsJwksVerificationKeyResolver(jwks);
      // Keys without an id are tried one after the other.
      known.setDisambiguateWithVerifySignature(true);
      keys = known;
    }
    return known;
  }

  /** Requests the provider's keys; after a failure it does not request them again immediately. */
  private static final class Fetch implements SimpleGet {
    private final OidcProvider provider;
    private final Duration leftAlone;
    private long failed;
    private @Nullable OidcException failure;

    Fetch(OidcProvider provider, Duration leftAlone) {
      this.provider = provider;
      this.leftAlone = leftAlone;
    }

    @Override
    public synchronized SimpleResponse get(String address) throws IOException {
      OidcException before = failure;
      if (before != null && System.nanoTime() - failed < leftAlone.toNanos()) {
        throw new KeysException(before);
      }
      try {
        byte[] body = provider.get(address);
        failure = null;
        return new Fetched(new String(body, StandardCharsets.UTF_8));
      } catch (OidcException e) {
        failure = e;
        failed = System.nanoTime();
        throw new KeysException(e);
      }
    }
  }

  private static final class KeysException extends IOException {
    private final transient OidcException reason;

    KeysException(OidcException reason) {
      super(reason);
      this.reason = reason;
    }
  }

  private record Fetched(String body) implements SimpleResponse {
    @Override
    public int getStatusCode() {
      return 200;
    }

    @Override
    public String getStatusMessage() {
      return "OK";
    }

    @Override
    public Collection<String> getHeaderNames() {
      return List.of();
    }

    @Override
    public List<String> getHeaderValues(String name) {
      return List.of();
    }

    @Override
    public String getBody() {
      return body;
    }
  }

  private Person person(JwtClaims claims) throws OidcException {
    String name = text(claims, config.nameClaim());
    if (name == null) {
      name = text(claims, "sub");
    }
    if (name == null
        || name.isBlank()
        || name.length() > LONGEST_NAME
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new OidcException(
          OidcFault.INVALID_TOKEN,
          "the name in the token is missing, or longer than "
              + LONGEST_NAME
              + " characters; set readpast.oidc.name-claim");
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

  private static @Nullable String text(JwtClaims claims, String path) {
    return claim(claims, path) instanceof String text ? text : null;
  }

  /** Returns a claim by its name, which may contain dots, or else by its path. */
  private static @Nullable Object claim(JwtClaims claims, String path) {
    if (claims.hasClaim(path)) {
      return claims.getClaimValue(path);
    }
    Object value = claims.getClaimsMap();
    for (String step : path.split("\\.")) {
      value = value instanceof Map<?, ?> members ? members.get(step) : null;
    }
    return value;
  }

  private static int audiences(JwtClaims claims) throws OidcException {
    try {
      return claims.getAudience().size();
    } catch (MalformedClaimException e) {
      throw new OidcException(OidcFault.INVALID_TOKEN, "its audience is malformed");
    }
  }
}
