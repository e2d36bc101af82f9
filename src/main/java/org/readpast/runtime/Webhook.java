package org.readpast.runtime;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Reports;
import org.readpast.api.Backoff;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.Handling;
import org.readpast.model.RetryPolicy;

/**
 * Posts the reports of {@link Reports} to one address. The configuration names and allows the
 * address; no content of a job influences it.
 *
 * @param secret the key with which each request is signed, or null to send unsigned requests
 */
record Webhook(URI url, @Nullable String secret) {
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
   * Returns true if requests can be posted to the address and it contains no user name or password.
   */
  static boolean postable(URI url) {
    return url.getHost() != null
        && url.getUserInfo() == null
        && ("https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme()));
  }

  /** Returns the handling of the webhook's jobs. */
  Handling handling() {
    return new Handling(
        Reports.WEBHOOK,
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
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .header("X-Readpast-Delivery", Long.toString(context.id()))
            .POST(BodyPublishers.ofString(payload));
    if (secret != null) {
      request.header("X-Readpast-Signature", "sha256=" + signature(payload, secret));
    }
    int status = send(request.build());
    if (status / 100 != 2) {
      throw new ReadpastException(url.getHost() + " answered " + status);
    }
    return JobResult.done();
  }

  /**
   * Sends a request with a new client: a cached client would keep threads, even after an undeploy.
   * It uses HTTP/1.1, because one request gains nothing from HTTP/2 and the negotiation could fail.
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

  /** Returns the HMAC-SHA256 of the body in hexadecimal digits. */
  static String signature(String payload, String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HmacSHA256 is not available", e);
    }
  }
}
