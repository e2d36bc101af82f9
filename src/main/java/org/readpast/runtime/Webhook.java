package org.readpast.runtime;

import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Reports;
import org.readpast.api.Backoff;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.HandlerDefinition;
import org.readpast.model.RetryPolicy;

/**
 * Posts the reports of {@link Reports} to one address, in the format of Standard Webhooks. The
 * configuration names and allows the address, and the content of a job never influences it.
 *
 * @param signer signs each request, or null if requests are not signed
 */
record Webhook(URI url, com.standardwebhooks.@Nullable Webhook signer) {
  private static final String SECRET_PREFIX = "whsec_";
  private static final int SHORTEST_KEY = 24;
  private static final int LONGEST_KEY = 64;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(15);

  /** Returns true if the address is allowed; each entry is a host or {@code host:port}. */
  static boolean allowed(URI url, List<String> allowed) {
    String host = url.getHost();
    return host != null
        && allowed.stream()
            .anyMatch(
                one ->
                    one.equalsIgnoreCase(host) || one.equalsIgnoreCase(host + ":" + url.getPort()));
  }

  /**
   * Returns true if the address accepts HTTP POST requests and contains no user name or password.
   */
  static boolean postable(URI url) {
    return url.getHost() != null
        && url.getUserInfo() == null
        && ("https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme()));
  }

  /**
   * Returns a signer for a secret in the format of Standard Webhooks.
   *
   * @throws IllegalArgumentException if the secret does not have this format
   */
  static com.standardwebhooks.Webhook signer(String secret) {
    byte[] key =
        secret.startsWith(SECRET_PREFIX)
            ? Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()))
            : new byte[0];
    if (key.length < SHORTEST_KEY || key.length > LONGEST_KEY) {
      throw new IllegalArgumentException("it is not a key of 24 to 64 bytes");
    }
    try {
      return new com.standardwebhooks.Webhook(key);
    } catch (EmptyWebhookSecretException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Returns the handler of the webhook's jobs. */
  HandlerDefinition handler() {
    return new HandlerDefinition(
        Reports.WEBHOOK,
        null,
        ReceiveMode.LEASED,
        CONNECT.plus(ANSWER).plusSeconds(10),
        1,
        new RetryPolicy(
            8, Backoff.EXPONENTIAL, Duration.ofSeconds(5), Duration.ofHours(1), 0.2, List.of()),
        Set.of(),
        OnLostLease.CONTINUE,
        this::post,
        null);
  }

  private JobResult post(String payload, JobContext context) throws Exception {
    // All attempts send the same id, so that the receiver can ignore an event that it has already
    // received.
    String id = Long.toString(context.id());
    long now = Instant.now().getEpochSecond();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", Long.toString(now))
            .POST(BodyPublishers.ofString(payload));
    if (signer != null) {
      request.header("webhook-signature", signer.sign(id, now, payload));
    }
    int status = send(request.build());
    if (status / 100 != 2) {
      throw new ReadpastException(url.getHost() + " answered " + status);
    }
    return JobResult.done();
  }

  /**
   * Sends a request with a new client, because a cached client would keep threads even after an
   * undeployment. The request uses HTTP/1.1, because HTTP/2 has no advantage for a single request,
   * and the negotiation could fail.
   */
  private static int send(HttpRequest request) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .executor(threads)
          .build()
          .send(request, BodyHandlers.discarding())
          .statusCode();
    } finally {
      threads.shutdownNow();
    }
  }
}
