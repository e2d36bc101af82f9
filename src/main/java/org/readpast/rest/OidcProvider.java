package org.readpast.rest;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * Accesses the OpenID provider over the network. Requests have short timeouts, metadata is accepted
 * only if it names the configured issuer, and after a failure the provider is not contacted again
 * for a while.
 */
final class OidcProvider {
  private static final int CONNECT_MILLIS = 3_000;
  private static final int ANSWER_MILLIS = 5_000;
  private static final int LONGEST_ANSWER = 1 << 20;
  private static final Duration KNOWN = Duration.ofHours(1);
  private static final Duration LEFT_ALONE = Duration.ofSeconds(5);
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]*");
  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

  private final OidcConfig config;
  private @Nullable Metadata known;
  private long learnt;
  private long failed;
  private @Nullable OidcException failure;

  OidcProvider(OidcConfig config) {
    this.config = config;
  }

  /**
   * Holds the provider's metadata.
   *
   * @param namesIssuer true if the provider identifies itself in its redirects
   * @param basic true if it accepts the secret by HTTP Basic authentication
   * @param post true if it accepts the secret among the parameters
   */
  record Metadata(
      String authorization,
      String token,
      String keys,
      @Nullable String endSession,
      boolean namesIssuer,
      boolean basic,
      boolean post) {

    /**
     * Returns true if the secret is sent in the body. Every provider must accept Basic. For a
     * secret with special characters OAuth requires an encoding, which only some providers decode.
     */
    boolean secretInBody(String secret) {
      return post && !(basic && PLAIN.matcher(secret).matches());
    }
  }

  /**
   * Returns the metadata, which is requested once an hour. If the provider does not answer, the
   * previous metadata stays valid.
   */
  synchronized Metadata metadata() throws OidcException {
    long now = System.nanoTime();
    Metadata before = known;
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
      Metadata found = discover();
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

  private Metadata discover() throws OidcException {
    String address = config.issuer().replaceFirst("/$", "") + "/.well-known/openid-configuration";
    JsonObject said = json(get(address), address);
    if (!config.issuer().equals(said.getString("issuer", null))) {
      throw new OidcException(
          OidcFault.PROVIDER,
          address
              + " is of another issuer; set readpast.oidc.issuer to exactly what its member"
              + " 'issuer' says");
    }
    JsonValue methods = said.get("token_endpoint_auth_methods_supported");
    return new Metadata(
        endpoint(said, "authorization_endpoint"),
        endpoint(said, "token_endpoint"),
        endpoint(said, "jwks_uri"),
        said.containsKey("end_session_endpoint") ? endpoint(said, "end_session_endpoint") : null,
        said.getBoolean("authorization_response_iss_parameter_supported", false),
        !(methods instanceof Iterable<?> list) || contains(list, "client_secret_basic"),
        methods instanceof Iterable<?> list && contains(list, "client_secret_post"));
  }

  private static boolean contains(Iterable<?> values, String text) {
    for (Object value : values) {
      if (value instanceof JsonString string && string.getString().equals(text)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns an endpoint of the metadata. The document can name any address, so only addresses that
   * no third party can eavesdrop on are accepted.
   */
  private static String endpoint(JsonObject said, String name) throws OidcException {
    String address = said.getString(name, "");
    if (!OidcConfig.trusted(address)) {
      throw new OidcException(
          OidcFault.PROVIDER,
          "the provider's " + name + " is missing, or neither https nor on this machine");
    }
    return address;
  }

  /** Exchanges the code for the ID token. */
  String idToken(String code, String verifier, String redirectUri) throws OidcException {
    Metadata metadata = metadata();
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", redirectUri);
    form.put("code_verifier", verifier);
    String basic = null;
    String secret = config.clientSecret();
    if (secret == null || metadata.secretInBody(config.clientId() + secret)) {
      form.put("client_id", config.clientId());
      if (secret != null) {
        form.put("client_secret", secret);
      }
    } else {
      String pair = encoded(config.clientId()) + ":" + encoded(secret);
      basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
    Reply reply = send(metadata.token(), form(form), basic);
    JsonObject said = json(reply.body(), metadata.token());
    if (reply.status() != 200) {
      String error = named(said.getString("error", ""));
      throw new OidcException(
          error.equals("invalid_grant") ? OidcFault.UNKNOWN : OidcFault.PROVIDER,
          "the provider answered "
              + reply.status()
              + " "
              + error
              + " to the code; if it goes on, compare readpast.oidc.client-id, client-secret and"
              + " redirect-uri with what it knows");
    }
    String token = said.getString("id_token", null);
    if (token == null) {
      throw new OidcException(
          OidcFault.PROVIDER, "the provider gave no ID token; readpast.oidc.scopes needs openid");
    }
    return token;
  }

  /** Returns the error if it is an OAuth code; other texts are not repeated. */
  static String named(@Nullable String error) {
    return error != null && ERROR.matcher(error).matches() ? error : "(an unknown error)";
  }

  static String form(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  byte[] get(String address) throws OidcException {
    Reply reply = send(address, null, null);
    if (reply.status() != 200) {
      throw new OidcException(
          OidcFault.UNREACHABLE, address + " answered " + reply.status() + ", not 200");
    }
    return reply.body();
  }

  private record Reply(int status, byte[] body) {}

  /**
   * Sends a request with an HttpURLConnection. The threads of the newer HttpClient would outlive
   * the application.
   */
  private static Reply send(String address, @Nullable String form, @Nullable String basic)
      throws OidcException {
    try {
      var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
      try {
        if (connection instanceof HttpsURLConnection secure) {
          // Called only if the certificate is for another name, which a server's own verifier may
          // accept.
          secure.setHostnameVerifier((host, session) -> false);
        }
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "application/json");
        if (basic != null) {
          connection.setRequestProperty("Authorization", "Basic " + basic);
        }
        if (form != null) {
          connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
          connection.setDoOutput(true);
          connection.getOutputStream().write(form.getBytes(StandardCharsets.US_ASCII));
        }
        int status = connection.getResponseCode();
        InputStream stream =
            status < 400 ? connection.getInputStream() : connection.getErrorStream();
        return new Reply(status, stream == null ? new byte[0] : read(stream));
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new OidcException(OidcFault.UNREACHABLE, address + " does not answer: " + e, e);
    }
  }

  private static byte[] read(InputStream stream) throws IOException {
    try (stream) {
      byte[] body = stream.readNBytes(LONGEST_ANSWER + 1);
      if (body.length > LONGEST_ANSWER) {
        throw new IOException("its answer is longer than " + LONGEST_ANSWER + " bytes");
      }
      return body;
    }
  }

  private static JsonObject json(byte[] body, String address) throws OidcException {
    try (var reader = Json.createReader(new ByteArrayInputStream(body))) {
      return reader.readObject();
    } catch (JsonException | IllegalStateException e) {
      throw new OidcException(
          OidcFault.PROVIDER, address + " answers with something else than a JSON object");
    }
  }
}
