package org.readpast.server.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Certificate;
import org.readpast.support.Database;
import org.readpast.support.Ports;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests the unchanged production variants in server-config, with a PostgreSQL whose certificate is
 * verified.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProductionIT {
  private static final String PASSWORD = "production-test";

  private final Certificate certificate = Certificate.in(BuildDirectories.run("production-keys"));
  private final TestPostgres postgres =
      TestPostgres.durable(
          "ssl=on",
          "ssl_cert_file=" + certificate.pem(),
          "ssl_key_file=" + certificate.privateKey());
  private final Database database = postgres.newDatabase();
  private final int port = Ports.free();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named(
                  "production",
                  new Database(
                      database.url() + "?sslmode=verify-full&sslrootcert=" + certificate.pem(),
                      database.user(),
                      database.password()))
              .forProduction(certificate, port)
              .withEnvironment("READPAST_ADMIN_PASSWORD", PASSWORD));
  private final HttpClient https =
      HttpClient.newBuilder()
          .sslContext(certificate.trusted())
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  @BeforeAll
  void start() {
    server.launch();
    Await.until(
        Duration.ofMinutes(3),
        "readiness by HTTPS (log: " + server.log() + ")",
        () -> get("/health/ready").statusCode() == 200);
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void job_is_enqueued_and_completed_over_https() throws Exception {
    var answer =
        send(
            signedIn("/readpast/api/queues/mail/jobs")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"type\":\"readpast.ping\",\"payload\":{}}")));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    Await.until(
        Duration.ofSeconds(20),
        () ->
            TestDatabase.count(
                    database, "select count(*) from readpast_job_history where queue = 'mail'")
                == 1);
  }

  @Test
  void responses_require_https_and_restrict_the_session_to_https() throws Exception {
    var answer =
        send(
            request("/readpast/api/session")
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"name\":\"admin\",\"password\":\"" + PASSWORD + "\"}")));

    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
        .contains("Secure", "HttpOnly")
        .containsIgnoringCase("SameSite=Strict");
    assertThat(answer.headers().firstValue("Strict-Transport-Security").orElseThrow())
        .startsWith("max-age=");
    assertThat(answer.headers().map()).doesNotContainKeys("server", "x-powered-by");
  }

  @Test
  void plain_http_is_not_served() {
    assertThat(Ports.isTaken(server.spec().httpPort())).isFalse();
  }

  @Test
  void database_connections_use_tls_only() {
    assertThat(
            TestDatabase.column(
                postgres.superuser(),
                """
                select distinct s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid)
                where a.application_name in ('readpast', 'readpast-system')"""))
        .containsExactly("t");
  }

  @Test
  void metrics_are_restricted_to_administrators_of_the_server() throws Exception {
    assertThat(get("/metrics").statusCode()).isIn(401, 403);
    assertThat(get("/readpast/api/queues").statusCode()).isEqualTo(401);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(request(path));
  }

  private HttpRequest.Builder signedIn(String path) {
    return request(path)
        .header(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(("admin:" + PASSWORD).getBytes(UTF_8)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
        .timeout(Duration.ofSeconds(30));
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return https.send(request.build(), BodyHandlers.ofString());
  }
}
