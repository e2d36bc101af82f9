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
 * Posts what {@link Reports} tells to one address, which configuration names and allows; nothing
 * that a job holds has a say in where it goes.
 *
 * @param secret with which each request is signed; null: it is not
 */
record Webhook(URI url, @Nullable String secret) {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(15);

  /** Whether the address is among the allowed ones, each a host or {@code host:port}. */
  static boolean allowed(URI url, List<String> allowed) {
    String host = url.getHost();
    return host != null
        && allowed.stream()
            .anyMatch(
                one ->
                    one.equalsIgnoreCase(host) || one.equalsIgnoreCase(host + ":" + url.getPort()));
  }

  /** Whether it is an address that can be posted to, without a name and password in it. */
  static boolean postable(URI url) {
    return url.getHost() != null
        && url.getUserInfo() == null
        && ("https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme()));
  }

  /** How its jobs are worked. */
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
   * With a client of its own: a kept one would keep threads, also after an undeploy. In HTTP/1.1:
   * one request gains nothing by HTTP/2, and to ask for it is a way to fail.
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

  /** HMAC-SHA256 of the body, in hexadecimal digits. */
  static String signature(String payload, String secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }
}
