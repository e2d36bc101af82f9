package org.readpast.server.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** Tests {@code src/examples/demo} on the server that the development server starts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "readpast.server", matches = "liberty")
class DemoIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String JOBS =
      """
      (select state, queue, type from readpast_job
       union all select state, queue, type from readpast_job_history) jobs""";

  private final Database database = TestPostgres.shared().newDatabase();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named("demo", database)
              .withApplication("demo", Path.of("target/examples/demo/target/demo.war")));

  @BeforeAll
  void start() {
    server.start();
    Await.until(LIMIT, "the page", () -> get("/demo/").statusCode() == 200);
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void demo_traffic_runs_without_alarms() throws IOException {
    for (String queue : new String[] {"mail", "invoices", "exports"}) {
      Await.until(LIMIT, queue, () -> jobs("state = 'COMPLETED' and queue = '" + queue + "'") > 2);
    }

    assertThat(Files.readAllLines(server.log(), UTF_8))
        .filteredOn(line -> line.contains(" W ") || line.contains(" E "))
        // The server itself logs the expected warnings: its readiness was queried before it was
        // ready, and readpast.war does not exist.
        .filteredOn(line -> !line.contains("CWMMH0053W") && !line.contains("CWWKO1684W"))
        .filteredOn(line -> !line.contains("READPAST-0079") || !isDeliberate(line))
        .isEmpty();
  }

  @Test
  void demo_holds_a_batch_and_creates_the_catalogue() {
    Await.until(
        LIMIT,
        "the bad account",
        () -> jobs("state = 'DISCARDED' and type = 'account.close'") == 1);
    Await.until(LIMIT, "the catalogue", () -> jobs("type = 'catalogue.step'") == 12);

    assertThat(jobs("state = 'BLOCKED' and type = 'statement.make'")).isEqualTo(2);
    assertThat(count("select count(*) from readpast_schedule where enabled")).isEqualTo(2);
    assertThat(count("select count(*) from readpast_schedule where not enabled")).isEqualTo(1);
  }

  @Test
  void order_and_its_job_commit_together_or_not_at_all() throws Exception {
    JsonObject placed = order(false);
    JsonObject declined = order(true);

    assertThat(placed.getBoolean("orderExists")).isTrue();
    assertThat(placed.getBoolean("jobExists")).isTrue();
    assertThat(declined.getBoolean("orderExists")).isFalse();
    assertThat(declined.getBoolean("jobExists")).isFalse();
    assertThat(count("select count(*) from demo_order")).isEqualTo(1);
    assertThat(jobs("type = 'order.confirm'")).isEqualTo(1);
    Await.until(
        LIMIT,
        "the confirmation",
        () -> read(get("/demo/api/orders").body()).getInt("confirmed") == 1);
  }

  @Test
  void page_from_another_site_cannot_place_orders() throws Exception {
    var request =
        HttpRequest.newBuilder(server.uri("/demo/api/orders"))
            .header("Sec-Fetch-Site", "cross-site")
            .POST(BodyPublishers.noBody());

    assertThat(send(request).statusCode()).isEqualTo(403);
  }

  /**
   * One account is out of balance, one mail goes to an unknown domain 20 s after the start, and one
   * export goes to a closed target 40 s after it.
   */
  private static boolean isDeliberate(String line) {
    return Stream.of("account.close", "example.invalid", "cannot send stock-")
        .anyMatch(line::contains);
  }

  private long jobs(String condition) {
    return count("select count(*) from " + JOBS + " where " + condition);
  }

  private long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  private JsonObject order(boolean declined) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(server.uri("/demo/api/orders?declined=" + declined))
            .POST(BodyPublishers.noBody());
    HttpResponse<String> answer = send(request);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return read(answer.body());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(server.uri(path)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return Http.CLIENT.send(
        request.timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString());
  }

  private static JsonObject read(String body) {
    try (var reader = Json.createReader(new StringReader(body))) {
      return reader.readObject();
    }
  }
}
