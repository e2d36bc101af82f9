package org.readpast.rest.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.model.QueueRoles;
import org.readpast.rest.access.Roles;
import org.readpast.rest.signin.RoleMapping;

/**
 * Tests which tokens are accepted, with keys that the test has created. Other tests use a real
 * provider.
 */
class OidcTokensTest {
  private static final PublicJsonWebKey KEY = rsa("first");
  private static final PublicJsonWebKey FOREIGN = rsa("first");

  private final Map<String, String> documents = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;
  private String issuer;
  private OidcTokens tokens;

  private static PublicJsonWebKey rsa(String name) {
    try {
      PublicJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
      key.setKeyId(name);
      return key;
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          if (path.equals("/keys")) {
            asked.incrementAndGet();
          }
          String document = documents.get(path);
          byte[] body = (document == null ? "" : document).getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Location", issuer + "/elsewhere");
          exchange.sendResponseHeaders(
              document == null ? 302 : 200, body.length == 0 ? -1 : body.length);
          try (var out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    issuer = "http://localhost:" + server.getAddress().getPort();
    describe(issuer, issuer);
    publish(KEY);
    tokens = tokens(Duration.ofMinutes(1));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void describe(String named, String base) {
    documents.put(
        "/.well-known/openid-configuration",
        """
        {"issuer":"%s","authorization_endpoint":"%s/authorize","token_endpoint":"%s/token","jwks_uri":"%s/keys",
         "response_types_supported":["code"],"subject_types_supported":["public"],
         "id_token_signing_alg_values_supported":["RS256"]}"""
            .formatted(named, base, base, base));
  }

  private void publish(PublicJsonWebKey... keys) {
    documents.put("/keys", new JsonWebKeySet(keys).toJson());
  }

  private OidcConfig config() {
    return new OidcConfig(
        issuer,
        "provider",
        "client",
        null,
        "openid",
        "preferred_username",
        "realm_access.roles",
        new RoleMapping(Map.of("boss", java.util.Set.of(Roles.ADMIN)), QueueRoles.NONE.names()),
        null,
        "api");
  }

  private OidcTokens tokens(Duration leftAlone) {
    return new OidcTokens(config(), new OidcProvider(config()), leftAlone);
  }

  private JwtClaims claims() {
    JwtClaims claims = new JwtClaims();
    claims.setIssuer(issuer);
    claims.setAudience("api");
    claims.setSubject("4711");
    claims.setExpirationTimeMinutesInTheFuture(5);
    claims.setIssuedAtToNow();
    claims.setClaim("preferred_username", "ada");
    claims.setClaim("realm_access", Map.of("roles", List.of("boss", "other")));
    return claims;
  }

  private static String signed(JwtClaims claims, PublicJsonWebKey key, String algorithm) {
    return signed(claims, key, algorithm, jws -> {});
  }

  private static String signed(
      JwtClaims claims, PublicJsonWebKey key, String algorithm, Consumer<JsonWebSignature> more) {
    var jws = new JsonWebSignature();
    jws.setPayload(claims.toJson());
    jws.setKey(key.getPrivateKey());
    jws.setKeyIdHeaderValue(key.getKeyId());
    jws.setAlgorithmHeaderValue(algorithm);
    more.accept(jws);
    try {
      return jws.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  private String good() {
    return signed(claims(), KEY, "RS256");
  }

  private void isRefused(String token, String why) {
    assertThatThrownBy(() -> tokens.bearer(token))
        .isInstanceOfSatisfying(
            OidcException.class, e -> assertThat(e.fault()).isEqualTo(OidcFault.INVALID_TOKEN))
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain(token));
  }

  private void isRefused(Consumer<JwtClaims> change, String why) {
    JwtClaims claims = claims();
    change.accept(claims);
    isRefused(signed(claims, KEY, "RS256"), why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "RS512", "PS256", "PS384"})
  void token_signed_by_the_provider_yields_name_and_roles(String algorithm) throws Exception {
    OidcTokens.Person person = tokens.bearer(signed(claims(), KEY, algorithm));
    assertThat(person.name()).isEqualTo("ada");
    assertThat(person.roles()).containsExactly(Roles.ADMIN);
  }

  @Test
  void key_that_is_too_short_to_trust_signs_nothing() throws Exception {
    PublicJsonWebKey key = RsaJwkGenerator.generateJwk(1024);
    key.setKeyId("short");
    publish(KEY, key);
    String token = signed(claims(), key, "RS256", jws -> jws.setDoKeyValidation(false));
    isRefused(token, "no matching key");
  }

  @Test
  void elliptic_curve_signature_is_accepted() throws Exception {
    PublicJsonWebKey key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
    key.setKeyId("curve");
    publish(KEY, key);
    assertThat(tokens.bearer(signed(claims(), key, "ES256")).name()).isEqualTo("ada");
  }

  @Test
  void caller_without_the_name_claim_is_named_by_the_subject() throws Exception {
    JwtClaims claims = claims();
    claims.unsetClaim("preferred_username");
    assertThat(tokens.bearer(signed(claims, KEY, "RS256")).name()).isEqualTo("4711");
    isRefused(it -> it.setClaim("preferred_username", "a\nb"), "the name");
    isRefused(it -> it.setClaim("preferred_username", "a".repeat(256)), "the name");
  }

  @Test
  void foreign_key_with_the_same_id_is_refused() {
    isRefused(signed(claims(), FOREIGN, "RS256"), "Invalid signature");
  }

  @Test
  void public_key_is_refused_as_a_shared_secret() throws Exception {
    // Tests a classic attack, in which the public key is used as an HMAC secret.
    var jws = new JsonWebSignature();
    jws.setPayload(claims().toJson());
    jws.setKey(new HmacKey(KEY.getPublicKey().getEncoded()));
    jws.setKeyIdHeaderValue("first");
    jws.setAlgorithmHeaderValue("HS256");
    isRefused(jws.getCompactSerialization(), "Another algorithm expected");
  }

  @Test
  void unsigned_token_is_refused() throws Exception {
    var jws = new JsonWebSignature();
    jws.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
    jws.setPayload(claims().toJson());
    jws.setAlgorithmHeaderValue("none");
    isRefused(jws.getCompactSerialization(), "not a signed JWT");
    isRefused("a.b", "not a signed JWT");
    isRefused("a.b.c.d.e", "not a signed JWT");
  }

  @Test
  void token_with_another_audience_or_issuer_is_refused() {
    isRefused(it -> it.setAudience("client"), "JWT aud claim rejected");
    isRefused(it -> it.unsetClaim("aud"), "missing required aud claim");
    isRefused(it -> it.setIssuer(issuer + "/"), "JWT iss claim value rejected");
    isRefused(it -> it.unsetClaim("iss"), "missing required claims: [iss]");
    isRefused(it -> it.unsetClaim("sub"), "missing required claims: [sub]");
  }

  @Test
  void token_times_have_a_tolerance_of_one_minute() throws Exception {
    isRefused(it -> it.setExpirationTimeMinutesInTheFuture(-2), "Expired JWT");
    isRefused(it -> it.setNotBeforeMinutesInThePast(-2), "JWT before use time");
    isRefused(it -> it.unsetClaim("exp"), "missing required claims: [exp]");
    JwtClaims late = claims();
    NumericDate moment = NumericDate.now();
    moment.addSeconds(-30);
    late.setExpirationTime(moment);
    late.unsetClaim("iat");
    assertThat(tokens.bearer(signed(late, KEY, "RS256")).name()).isEqualTo("ada");
  }

  @Test
  void id_token_is_refused_as_an_access_token() {
    isRefused(it -> it.setClaim("nonce", "x"), "prohibited claims: [nonce]");
    isRefused(it -> it.setClaim("typ", "ID"), "not an access token");
    isRefused(
        signed(claims(), KEY, "RS256", jws -> jws.setHeader("typ", "logout+jwt")), "header typ");
  }

  @Test
  void id_token_must_match_this_sign_in_and_this_client() throws Exception {
    OidcRequest request = OidcRequest.begin(null);
    JwtClaims claims = claims();
    claims.setAudience("client");
    claims.setClaim("nonce", request.nonce());
    assertThat(tokens.signedIn(signed(claims, KEY, "RS256"), request).name()).isEqualTo("ada");
    isNoSignIn(claims, OidcRequest.begin(null));
    claims.setAudience("client", "other");
    isNoSignIn(claims, request);
    claims.setClaim("azp", "other");
    isNoSignIn(claims, request);
    claims.setClaim("azp", "client");
    assertThat(tokens.signedIn(signed(claims, KEY, "RS256"), request).name()).isEqualTo("ada");
    claims.setNotBeforeMinutesInThePast(-2);
    isNoSignIn(claims, request);
    claims.unsetClaim("nbf");
    claims.unsetClaim("iat");
    isNoSignIn(claims, request);
    claims.setIssuedAtToNow();
    claims.setAudience("api");
    isNoSignIn(claims, request);
  }

  private void isNoSignIn(JwtClaims claims, OidcRequest request) {
    assertThatThrownBy(() -> tokens.signedIn(signed(claims, KEY, "RS256"), request))
        .isInstanceOfSatisfying(
            OidcException.class, e -> assertThat(e.fault()).isEqualTo(OidcFault.PROVIDER));
  }

  @Test
  void keys_are_requested_twice_at_most_for_any_number_of_unknown_ids() throws Exception {
    for (int i = 0; i < 5; i++) {
      tokens.bearer(good());
      String name = "unknown-" + i;
      isRefused(
          signed(claims(), FOREIGN, "RS256", jws -> jws.setKeyIdHeaderValue(name)),
          "no matching key");
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void rotated_keys_are_found() throws Exception {
    tokens = tokens(Duration.ZERO);
    tokens.bearer(good());
    PublicJsonWebKey next = rsa("second");
    publish(next);
    assertThat(tokens.bearer(signed(claims(), next, "RS256")).name()).isEqualTo("ada");
    isRefused(good(), "no matching key");
  }

  @Test
  void unresponsive_provider_is_not_contacted_again_immediately() {
    documents.remove("/keys");
    for (int i = 0; i < 5; i++) {
      assertFault(OidcFault.UNREACHABLE);
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void unavailable_provider_is_not_reported_as_an_invalid_token() {
    server.stop(0);
    assertFault(OidcFault.UNREACHABLE);
  }

  @Test
  void metadata_of_another_issuer_or_with_insecure_addresses_is_refused() {
    describe("http://localhost:1", issuer);
    assertFault(OidcFault.PROVIDER);
    tokens = tokens(Duration.ZERO);
    describe(issuer, "http://provider.example.com");
    assertFault(OidcFault.PROVIDER);
    tokens = tokens(Duration.ZERO);
    documents.put("/.well-known/openid-configuration", "[]");
    assertFault(OidcFault.PROVIDER);
    tokens = tokens(Duration.ZERO);
    documents.put("/.well-known/openid-configuration", "x".repeat(2 << 20));
    assertFault(OidcFault.UNREACHABLE);
    tokens = tokens(Duration.ZERO);
    // The provider responds with a redirect to an address with metadata.
    documents.remove("/.well-known/openid-configuration");
    documents.put("/elsewhere", "{}");
    assertFault(OidcFault.UNREACHABLE);
  }

  private void assertFault(OidcFault fault) {
    assertThatThrownBy(() -> tokens.bearer(good()))
        .isInstanceOfSatisfying(
            OidcException.class, e -> assertThat(e.fault()).as(e.getMessage()).isEqualTo(fault));
  }
}
