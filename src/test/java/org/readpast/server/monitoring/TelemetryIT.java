package org.readpast.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.LibertyServer;
import org.readpast.support.OtlpCollector;
import org.readpast.support.OtlpCollector.Span;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests what monitoring tools see of known work: metrics, exported spans, and fields of log lines.
 */
class TelemetryIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final OtlpCollector COLLECTOR = new OtlpCollector();
  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final ServerProcess SERVER =
      ServerProcess.of(
          Shop.server("telemetry", DATABASE)
              .withProperty("otel.sdk.disabled", "false")
              .withProperty("otel.exporter.otlp.protocol", "http/protobuf")
              .withProperty("otel.exporter.otlp.endpoint", COLLECTOR.endpoint())
              .withProperty("otel.bsp.schedule.delay", "200")
              .withProperty("otel.metric.export.interval", "1000")
              .withEnvironment("WLP_LOGGING_MESSAGE_FORMAT", "JSON")
              .withEnvironment("WLP_LOGGING_MESSAGE_SOURCE", "message"));

  @BeforeAll
  static void work() {
    SERVER.start();
    RestApi rest = Shop.admin(SERVER);
    for (String order :
        new String[] {
          Shop.order("well", 0, "\"correlationId\": \"basket\","),
          Shop.order("second", 1, ""),
          Shop.order("never", 9, "\"maxAttempts\": 2,"),
          Shop.order("later", 0, "\"delay\": \"PT1H\",")
        }) {
      Shop.enqueue(rest, order);
    }
    Await.until(
        SOON,
        "ends",
        () -> TestDatabase.count(DATABASE, "select count(*) from readpast_job_history") == 3);
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
    COLLECTOR.close();
  }

  private static List<String> metrics() throws Exception {
    var request =
        HttpRequest.newBuilder(SERVER.uri("/metrics?scope=application")).timeout(SOON).build();
    return Http.CLIENT
        .send(request, BodyHandlers.ofString())
        .body()
        .lines()
        // Payara 6 may print all metrics once for each application (payara/Payara#8111).
        .distinct()
        .toList();
  }

  /**
   * @param labels the required labels; others are allowed
   */
  private static List<Double> values(String name, String... labels) throws Exception {
    return metrics().stream()
        .filter(line -> line.startsWith(name + "{"))
        .filter(line -> List.of(labels).stream().allMatch(line::contains))
        .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .toList();
  }

  private static void awaitValue(double value, String name, String... labels) {
    Await.until(
        SOON,
        name + List.of(labels) + " = " + value,
        () -> {
          List<Double> found = values(name, labels);
          if (!found.equals(List.of(value))) {
            throw new IllegalStateException(
                found + " of " + metrics().stream().filter(l -> l.contains("readpast")).toList());
          }
          return true;
        });
  }

  @Test
  void metrics_cover_the_work_of_each_application() throws Exception {
    String shop = "readpast_application=\"shop\"";
    String war = "readpast_application=\"readpast\"";
    String queue = "messaging_destination_name=\"orders\"";
    awaitValue(5, "messaging_client_consumed_messages_total", shop, queue);
    awaitValue(0, "messaging_client_consumed_messages_total", war, queue);
    awaitValue(4, "messaging_client_sent_messages_total", war, queue);
    awaitValue(2, "readpast_completed_total", shop, queue);
    awaitValue(3, "readpast_failed_total", shop, queue);
    awaitValue(2, "readpast_retried_total", shop, queue);
    awaitValue(1, "readpast_discarded_total", shop, queue);
    awaitValue(8, "readpast_concurrency", shop, queue);
    String type = "readpast_job_type=\"shop.order\"";
    awaitValue(2, "readpast_type_completed_total", shop, type);
    awaitValue(3, "readpast_type_failed_total", shop, type);
    awaitValue(1, "readpast_type_discarded_total", shop, type);
    awaitValue(4, "readpast_type_enqueued_total", war, type);
    awaitValue(5, "readpast_type_run_duration_seconds_count", shop, type);
    awaitValue(16, "readpast_workers_limit", shop);
    awaitValue(0, "readpast_workers_busy", shop);
    awaitValue(5, "messaging_process_duration_seconds_count", shop, queue);
    awaitValue(5, "messaging_process_duration_seconds_bucket", shop, queue, "le=\"+Inf\"");
    awaitValue(5, "readpast_wait_duration_seconds_count", shop, queue);
    List<Double> upTo = values("messaging_process_duration_seconds_bucket", shop, queue);
    assertThat(upTo).hasSize(13).contains(5.0);
    assertThat(values("messaging_process_duration_seconds_sum", shop, queue).get(0)).isPositive();
  }

  @Test
  void every_engine_reports_the_depths_of_the_database() {
    for (String application : new String[] {"shop", "readpast"}) {
      String of = "readpast_application=\"" + application + "\"";
      String queue = "messaging_destination_name=\"orders\"";
      awaitValue(1, "readpast_jobs", of, queue, "readpast_state=\"SCHEDULED\"");
      awaitValue(1, "readpast_jobs", of, queue, "readpast_state=\"DISCARDED\"");
      awaitValue(0, "readpast_jobs", of, queue, "readpast_state=\"AVAILABLE\"");
      Await.until(
          SOON,
          () ->
              values("readpast_oldest_age_seconds", of, queue, "readpast_state=\"SCHEDULED\"")
                      .get(0)
                  > 0);
    }
  }

  @Test
  void metrics_never_identify_a_job() throws Exception {
    assertThat(metrics().stream().filter(line -> line.contains("readpast_application")))
        .isNotEmpty()
        .noneMatch(line -> line.contains("job_id") || line.contains("message_id"));
  }

  private static List<Span> spans(String name, int number) {
    Await.until(
        SOON,
        number + " spans " + name,
        () -> {
          if (named(name).size() != number) {
            throw new IllegalStateException(COLLECTOR.spans().toString());
          }
          return true;
        });
    return named(name);
  }

  private static List<Span> named(String name) {
    return COLLECTOR.spans().stream().filter(span -> span.name().equals(name)).toList();
  }

  @Test
  void each_attempt_is_a_trace_linked_to_its_enqueue() {
    List<Span> enqueued = spans("enqueue orders", 4);
    List<Span> processed = spans("process orders", 5);
    assertThat(enqueued).allMatch(span -> span.kind() == 4);
    if (SERVER instanceof LibertyServer) {
      // The span of the REST request; Payara 6 provides no current span here.
      assertThat(enqueued).noneMatch(span -> span.parent().isEmpty());
    }
    assertThat(processed).allMatch(span -> span.kind() == 5 && span.parent().isEmpty());
    for (Span attempt : processed) {
      Span producer =
          enqueued.stream()
              .filter(span -> attempt.links().equals(List.of(span.trace() + ' ' + span.id())))
              .findFirst()
              .orElseThrow(() -> new AssertionError(attempt + " is linked to none of " + enqueued));
      assertThat(attempt.trace()).isNotEqualTo(producer.trace());
      assertThat(attempt.attributes().get("messaging.message.id"))
          .isEqualTo(producer.attributes().get("messaging.message.id"));
      assertThat(attempt.attributes())
          .containsEntry("messaging.system", "readpast")
          .containsEntry("messaging.destination.name", "orders")
          .containsEntry("messaging.operation.type", "process")
          .containsEntry("readpast.job.type", "shop.order")
          .containsEntry("readpast.application", "shop");
      assertThat(producer.attributes())
          .containsEntry("messaging.operation.type", "send")
          .containsEntry("readpast.application", "readpast");
    }
    assertThat(processed)
        .extracting(span -> span.attributes().get("readpast.outcome"))
        .containsExactlyInAnyOrder("completed", "retried", "completed", "retried", "discarded");
    assertThat(processed.stream().filter(span -> span.status() == 2))
        .hasSize(3)
        .allMatch(span -> span.events().contains("exception"))
        .allMatch(
            span -> span.attributes().get("error.type").equals("java.lang.IllegalStateException"));
    assertThat(enqueued)
        .extracting(span -> span.attributes().get("messaging.message.conversation_id"))
        .contains("basket");
  }

  @Test
  void log_lines_of_a_handler_carry_the_ids_of_job_and_trace() throws Exception {
    List<Span> processed = spans("process orders", 5);
    Span second =
        processed.stream()
            .filter(span -> span.attributes().get("readpast.outcome").equals("completed"))
            .filter(span -> span.attributes().get("readpast.attempt").equals("2"))
            .findFirst()
            .orElseThrow();
    String job = second.attributes().get("messaging.message.id");
    Pattern line =
        Pattern.compile(
            SERVER instanceof LibertyServer
                ? "(?=.*\"message\":\"order second\")(?=.*\"ext_readpast_job_id\":\""
                    + job
                    + "\")"
                    + "(?=.*\"ext_readpast_job_type\":\"shop.order\")"
                    + "(?=.*\"ext_readpast_queue\":\"orders\")(?=.*\"ext_readpast_attempt\":\"2\")"
                    + "(?=.*\"ext_trace_id\":\""
                    + second.trace()
                    + "\").*"
                : "_ThreadName=readpast_job_id="
                    + job
                    + " readpast_job_type=shop.order"
                    + " readpast_queue=orders readpast_attempt=2 trace_id="
                    + second.trace()
                    + "] \\[timeMillis: \\d+] \\[levelValue: \\d+] \\[\\[\\s+order second");
    Await.until(
        SOON,
        "log line " + line,
        () -> {
          String log = Files.readString(SERVER.log());
          if (!line.matcher(log).find()) {
            throw new IllegalStateException(
                log.lines()
                    .filter(l -> l.contains("order ") || l.contains("readpast_job_id"))
                    .toList()
                    .toString());
          }
          return true;
        });
    assertThat(Files.readString(SERVER.log()).lines().filter(l -> l.contains("READPAST-0001")))
        .isNotEmpty()
        .noneMatch(l -> l.contains("readpast_job_id"));
  }

  @Test
  @EnabledIfSystemProperty(named = "readpast.server", matches = "liberty")
  void opentelemetry_has_the_same_numbers() {
    String shop =
        "{messaging.destination.name=orders, messaging.operation.name=receive,"
            + " messaging.system=readpast, readpast.application=shop}";
    String process =
        "{messaging.destination.name=orders, messaging.operation.name=process,"
            + " messaging.system=readpast, readpast.application=shop}";
    awaitPoint("messaging.client.consumed.messages" + shop, 5);
    awaitPoint("messaging.process.duration" + process, 2);
    awaitPoint(
        "messaging.process.duration"
            + process.replace("{", "{error.type=java.lang.IllegalStateException, "),
        3);
    awaitPoint(
        "readpast.jobs{messaging.destination.name=orders, readpast.application=shop,"
            + " readpast.state=SCHEDULED}",
        1);
    awaitPoint(
        "readpast.type.completed{readpast.application=shop, readpast.job.type=shop.order}", 2);
    awaitPoint("readpast.workers.limit{readpast.application=shop}", 16);
    awaitPoint(
        "readpast.discarded{messaging.destination.name=orders, readpast.application=shop}", 1);
  }

  private static void awaitPoint(String point, double value) {
    Await.until(
        SOON,
        point + " = " + value,
        () -> {
          if (!Double.valueOf(value).equals(COLLECTOR.points().get(point))) {
            throw new IllegalStateException(
                COLLECTOR.points().keySet().stream()
                    .filter(k -> k.contains("readpast"))
                    .toList()
                    .toString());
          }
          return true;
        });
  }
}
