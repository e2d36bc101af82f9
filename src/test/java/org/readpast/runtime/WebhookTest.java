package org.readpast.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobContext;

class WebhookTest {
  private static final byte[] KEY = "a key of at least 24 bytes".getBytes(UTF_8);
  private static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(KEY);
  private static final String REPORT = "{\"event\":\"job.discarded\",\"name\":\"ä\"}";

  private record Received(Map<String, List<String>> headers, String body) {
    String header(String name) {
      return headers.get(name) == null ? null : headers.get(name).get(0);
    }
  }

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private URI url;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          received.add(new Received(Map.copyOf(exchange.getRequestHeaders()), body));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    url = URI.create("http://localhost:" + server.getAddress().getPort() + "/hook");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Received post(Webhook webhook) throws Exception {
    var context =
        (JobContext)
            Proxy.newProxyInstance(
                JobContext.class.getClassLoader(),
                new Class<?>[] {JobContext.class},
                (proxy, method, arguments) -> 4711L);
    webhook.handler().work().work(REPORT, context);
    return received.get(received.size() - 1);
  }

  @Test
  void report_is_signed_with_its_id_and_its_time() throws Exception {
    Received report = post(new Webhook(url, Webhook.signer(SECRET)));
    assertThat(report.body()).isEqualTo(REPORT);
    String id = report.header("Webhook-id");
    String time = report.header("Webhook-timestamp");
    assertThat(id).isEqualTo("4711");
    assertThat(Long.parseLong(time)).isBetween(now() - 60, now());
    // The signature is computed by its definition, and not by the library that has signed the
    // report.
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    byte[] expected = mac.doFinal((id + "." + time + "." + REPORT).getBytes(UTF_8));
    assertThat(report.header("Webhook-signature"))
        .isEqualTo("v1," + Base64.getEncoder().encodeToString(expected));
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }

  @Test
  void without_a_secret_there_is_no_signature() throws Exception {
    Received report = post(new Webhook(url, null));
    assertThat(report.header("Webhook-id")).isEqualTo("4711");
    assertThat(report.header("Webhook-signature")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "whsec_",
        "a key of at least 24 bytes",
        "whsec_a key of at least 24 bytes",
        "YSBrZXkgb2YgYXQgbGVhc3QgMjQgYnl0ZXM=",
        "whsec_dG9vIHNob3J0"
      })
  void malformed_secret_is_refused(String secret) {
    assertThatThrownBy(() -> Webhook.signer(secret)).isInstanceOf(IllegalArgumentException.class);
  }
}
