package org.readpast.rest.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.model.QueueRoles;
import org.readpast.support.MapConfig;

/** Tests requests to a provider and its responses; the integration tests use a real provider. */
class OidcProviderTest {
  private static final String ROOT = "https://jobs.example.com/readpast";
  // The token has no valid signature, because exchanging the code does not check it.
  private static final String ID_TOKEN = "eyJhbGciOiJSUzI1NiJ9.e30.eA";

  private record Received(String authorization, Map<String, String> form) {}

  private final AtomicReference<Received> received = new AtomicReference<>();
  private final Map<String, String> values = new HashMap<>();
  private final OidcRequest signIn = OidcRequest.begin("");
  private String more = "";
  private int status = 200;
  private String answer =
      """
      {"access_token":"a","token_type":"Bearer","id_token":"%s"}"""
          .formatted(ID_TOKEN);
  private HttpServer server;
  private String issuer;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer = "http://localhost:" + server.getAddress().getPort();
    server.createContext("/.well-known/", exchange -> answer(exchange, 200, metadata()));
    server.createContext(
        "/token",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          received.set(
              new Received(
                  exchange.getRequestHeaders().getFirst("Authorization"), parameters(body)));
          answer(exchange, status, answer);
        });
    server.createContext("/elsewhere", exchange -> answer(exchange, 200, answer));
    server.start();
    values.put("readpast.oidc.issuer", issuer);
    values.put("readpast.oidc.client-id", "client");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String metadata() {
    return """
        {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize?tenant=a","token_endpoint":"%1$s/token?tenant=a",
         "jwks_uri":"%1$s/keys","end_session_endpoint":"%1$s/out?tenant=a","response_types_supported":["code"],
         "subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]%2$s}"""
        .formatted(issuer, more);
  }

  private void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Location", issuer + "/elsewhere");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static Map<String, String> parameters(String form) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : form.split("&")) {
      String[] parts = pair.split("=", 2);
      parameters.put(parts[0], java.net.URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return parameters;
  }

  private OpenIdConnect openId() {
    OpenIdConnect openId = new OpenIdConnect();
    openId.configuration = new MapConfig(values);
    openId.queues = QueueRoles.NONE;
    openId.read();
    return openId;
  }

  private void enter(Map<String, String> parameters) throws OidcException {
    Map<String, List<String>> all = new HashMap<>();
    parameters.forEach((name, value) -> all.put(name, List.of(value)));
    openId().enter(signIn, all, ROOT);
  }

  private void isRefused(Map<String, String> parameters, OidcFault fault, String why) {
    assertThatThrownBy(() -> enter(parameters))
        .isInstanceOfSatisfying(
            OidcException.class, e -> assertThat(e.fault()).as(e.getMessage()).isEqualTo(fault))
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("made-up", ID_TOKEN));
  }

  private void codeIsRefused(OidcFault fault, String why) {
    isRefused(Map.of("code", "made-up"), fault, why);
  }

  @Test
  void authorization_request_has_state_nonce_and_code_challenge() throws Exception {
    URI address = URI.create(openId().authorization(signIn, ROOT, true));
    assertThat(address.toString()).startsWith(issuer + "/authorize?");
    assertThat(parameters(address.getRawQuery()))
        .containsEntry("tenant", "a")
        .containsEntry("response_type", "code")
        .containsEntry("client_id", "client")
        .containsEntry("redirect_uri", ROOT + "/oidc/callback")
        .containsEntry("scope", "openid profile")
        .containsEntry("state", signIn.state().getValue())
        .containsEntry("nonce", signIn.nonce().getValue())
        .containsEntry("code_challenge_method", "S256")
        .containsEntry("prompt", "login")
        .containsKey("code_challenge")
        .doesNotContainValue(signIn.verifier().getValue());
  }

  @Test
  void sign_out_request_has_the_id_token_of_the_sign_in() {
    URI address = URI.create(openId().signOut(ID_TOKEN, ROOT));
    assertThat(address.toString()).startsWith(issuer + "/out?");
    assertThat(parameters(address.getRawQuery()))
        .containsEntry("tenant", "a")
        .containsEntry("client_id", "client")
        .containsEntry("id_token_hint", ID_TOKEN)
        .containsEntry("post_logout_redirect_uri", ROOT + "/");
  }

  @Test
  void invalid_redirect_address_starts_no_sign_in() {
    assertThatThrownBy(() -> openId().authorization(signIn, "http://a b", false))
        .hasMessageContaining("readpast.oidc.redirect-uri");
  }

  @Test
  void code_is_exchanged_with_the_verifier() {
    // The token in the response has no valid signature.
    codeIsRefused(OidcFault.UNREACHABLE, "/keys responded with 404, not 200");
    assertThat(received.get().authorization()).isNull();
    assertThat(received.get().form())
        .containsEntry("grant_type", "authorization_code")
        .containsEntry("code", "made-up")
        .containsEntry("client_id", "client")
        .containsEntry("redirect_uri", ROOT + "/oidc/callback")
        .containsEntry("code_verifier", signIn.verifier().getValue());
  }

  @ParameterizedTest
  @CsvSource({
    "plain, '', true",
    "plain, client_secret_post, false",
    "plain, client_secret_post client_secret_basic, true",
    "p&=+ lain, client_secret_post client_secret_basic, false",
    "p&=+ lain, client_secret_basic, true"
  })
  void secret_is_sent_in_a_form_that_the_provider_accepts(
      String secret, String accepted, boolean basic) {
    values.put("readpast.oidc.client-secret", secret);
    if (!accepted.isEmpty()) {
      more =
          ",\"token_endpoint_auth_methods_supported\":[\"" + accepted.replace(" ", "\",\"") + "\"]";
    }
    codeIsRefused(OidcFault.UNREACHABLE, "/keys");
    if (basic) {
      String pair = "client:" + java.net.URLEncoder.encode(secret, StandardCharsets.UTF_8);
      assertThat(received.get().authorization())
          .isEqualTo("Basic " + Base64.getEncoder().encodeToString(pair.getBytes()));
      assertThat(received.get().form()).doesNotContainKey("client_secret");
    } else {
      assertThat(received.get().authorization()).isNull();
      assertThat(received.get().form()).containsEntry("client_secret", secret);
    }
  }

  @Test
  void response_without_an_id_token_is_refused() {
    answer = "{\"access_token\":\"made-up\",\"token_type\":\"Bearer\"}";
    codeIsRefused(OidcFault.PROVIDER, "readpast.oidc.scopes must include");
    answer = "access_token=made-up";
    codeIsRefused(OidcFault.PROVIDER, "neither an ID token nor an error");
    answer = "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"id_token\":\"made-up\"}";
    codeIsRefused(OidcFault.PROVIDER, "neither an ID token nor an error");
    answer = "{\"error\":\"invalid_grant\"}";
    status = 400;
    codeIsRefused(OidcFault.UNKNOWN, "400 invalid_grant");
    answer = "{\"error\":\"<script>\"}";
    codeIsRefused(OidcFault.PROVIDER, "400 (an unknown error)");
    answer = "";
    status = 500;
    codeIsRefused(OidcFault.PROVIDER, "500 (an unknown error)");
  }

  @Test
  void redirects_and_oversized_responses_are_refused() {
    status = 302;
    codeIsRefused(OidcFault.PROVIDER, "302 (an unknown error)");
    status = 200;
    answer = "{\"access_token\":\"" + "x".repeat(2 << 20) + "\"}";
    codeIsRefused(OidcFault.UNREACHABLE, "longer than 1048576 bytes");
  }

  @Test
  void response_of_another_issuer_is_refused() {
    isRefused(Map.of("code", "made-up", "iss", issuer + "/"), OidcFault.PROVIDER, "another issuer");
    isRefused(
        Map.of("error", "access_denied", "iss", "http://localhost:1"),
        OidcFault.PROVIDER,
        "another issuer");
    isRefused(Map.of("error", "access_denied"), OidcFault.DENIED, "access_denied");
    isRefused(Map.of("state", "x"), OidcFault.PROVIDER, "neither a code nor an error");
    more = ",\"authorization_response_iss_parameter_supported\":true";
    codeIsRefused(OidcFault.PROVIDER, "another issuer");
    assertThat(received.get()).isNull();
  }

  @Test
  void incomplete_provider_metadata_is_refused() {
    more = ",\"subject_types_supported\":7";
    codeIsRefused(OidcFault.PROVIDER, "is not the metadata of an OpenID provider");
  }
}
