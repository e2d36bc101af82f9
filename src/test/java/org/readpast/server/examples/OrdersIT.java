package org.readpast.server.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
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

/**
 * Tests {@code src/examples/orders} without readpast.war, on one server only, because the example
 * behaves in the same way on both servers.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "readpast.server", matches = "liberty")
class OrdersIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Database database = TestPostgres.shared().newDatabase();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named("orders", database)
              .withApplication("orders", Path.of("target/examples/orders/target/orders.war"))
              .withReadyPath("/health/started"));

  @BeforeAll
  void start() {
    server.start();
    Await.until(LIMIT, "the first order", () -> order("first", 1).statusCode() == 201);
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void order_and_its_job_commit_together_and_the_job_runs() throws Exception {
    long number = Long.parseLong(order("lamp", 2).body());
    Await.until(
        LIMIT,
        "the parcel",
        () -> rows("customer_order where shipped like 'parcel-%' and id = " + number) == 1);
    Await.until(
        LIMIT,
        "the job's end",
        () ->
            rows(
                    "readpast_job_history where state = 'COMPLETED' and unique_key = 'order-"
                        + number
                        + "'")
                == 1);
  }

  @Test
  void rollback_leaves_neither_order_nor_job() throws Exception {
    HttpResponse<String> refused = order("elephant", 101);

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
    assertThat(rows("customer_order where item = 'elephant'")).isZero();
    assertThat(
            rows(
                "readpast_job_history where type = 'order.ship' and cast(payload as jsonb) ->>"
                    + " 'order' not in (select cast(id as text) from customer_order)"))
        .isZero();
    assertThat(
            rows(
                "readpast_job where type = 'order.ship' and cast(payload as jsonb) ->> 'order' not"
                    + " in (select cast(id as text) from customer_order)"))
        .isZero();
  }

  private long rows(String from) {
    return TestDatabase.count(database, "select count(*) from " + from);
  }

  private HttpResponse<String> order(String item, int quantity)
      throws IOException, InterruptedException {
    return Http.CLIENT.send(
        HttpRequest.newBuilder(server.uri("/orders/" + item + "?quantity=" + quantity))
            .timeout(Duration.ofMinutes(1))
            .POST(BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }
}
