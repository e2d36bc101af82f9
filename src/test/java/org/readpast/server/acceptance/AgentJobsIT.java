package org.readpast.server.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.support.Acceptance;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/**
 * Tests an agent that starts jobs at planned times, on two servers: each planned second has one job
 * regardless of which server crashes, and operators can control the schedule.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AgentJobsIT {
  private static final int SECONDS = Acceptance.size(20, 120);
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String SECRET = "of both sides";

  private static final String WEBHOOK_SECRET = "whsec_dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==";

  private record Told(Map<String, List<String>> headers, String body) {}

  private final Database database = TestPostgres.shared().newDatabase();
  private final List<Told> told = new CopyOnWriteArrayList<>();
  private final HttpServer hearer = hearer();
  private final ServerProcess[] servers = {server("agent-first"), server("agent-second")};

  private HttpServer hearer() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/hook",
          exchange -> {
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            told.add(new Told(Map.copyOf(exchange.getRequestHeaders()), body));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private ServerProcess server(String name) {
    return ServerProcess.of(
        ServerSpec.named(name, database)
            .withApplication("readpast", BuildDirectories.war())
            .withProperty("readpast.node.name", name)
            .withProperty("readpast.schedule.\"nightly\".daily", "02:30")
            .withProperty("readpast.schedule.\"nightly\".zone", "Europe/Berlin")
            .withProperty("readpast.schedule.\"nightly\".type", "readpast.ping")
            .withProperty(
                "readpast.webhook.url",
                "http://localhost:" + hearer.getAddress().getPort() + "/hook")
            .withProperty("readpast.webhook.allow", "hooks.example.org, localhost")
            .withEnvironment("READPAST_WEBHOOK_SECRET", WEBHOOK_SECRET)
            .withAdmin(SECRET));
  }

  @BeforeAll
  void start() {
    var other = CompletableFuture.runAsync(servers[1]::start);
    servers[0].start();
    other.join();
  }

  @AfterAll
  void end() {
    for (var server : servers) {
      if (server.isAlive()) {
        server.kill();
      }
    }
    hearer.stop(0);
  }

  private HttpResponse<String> send(ServerProcess server, String method, String path, String body)
      throws Exception {
    var login = Base64.getEncoder().encodeToString(("admin:" + SECRET).getBytes(UTF_8));
    return Http.CLIENT.send(
        HttpRequest.newBuilder(server.uri("/readpast/api" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Basic " + login)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return send(servers[0], method, path, body);
  }

  @Test
  @Order(1)
  void schedule_is_defined_shown_disabled_run_and_deleted() throws Exception {
    var answer =
        send(
            "PUT",
            "/schedules/report",
            """
            {"cron": "0 6 * * MON-FRI", "zone": "America/New_York", "type": "readpast.ping",
             "payload": {"fail": 1}, "queue": "reports", "overlap": "SKIP", "latestStart": "PT2H"}""");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(answer.body())
        .startsWith(
            "{\"name\":\"report\",\"cron\":\"0 6 * * MON-FRI\",\"zone\":\"America/New_York\","
                + "\"type\":\"readpast.ping\",\"queue\":\"reports\",\"priority\":4,"
                + "\"catchUp\":\"ONCE\",\"catchUpCap\":100,\"overlap\":\"SKIP\","
                + "\"latestStart\":\"PT2H\",\"enabled\":true,")
        .containsPattern("\"nextRuns\":\\[(\"[0-9-]+T1[01]:00:00Z\",?){5}]")
        .endsWith(",\"payload\":{\"fail\": 1}}");

    assertThat(send("PATCH", "/schedules/report", "{\"enabled\":false}").body())
        .contains("\"enabled\":false", "\"nextRuns\":[]");
    var again = send("PUT", "/schedules/report", "{\"every\":\"PT1H\",\"type\":\"readpast.ping\"}");
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.body()).contains("\"every\":\"PT1H\"", "\"enabled\":false");

    var run = send("POST", "/schedules/report/runs", "");
    assertThat(run.statusCode()).as(run.body()).isEqualTo(201);
    assertThat(run.headers().firstValue("Location").orElse("")).contains("/readpast/api/jobs/");
    Await.until(
        SOON,
        "its end in the history",
        () -> send("GET", "/schedules/report/runs", "").body().contains("\"COMPLETED\""));
    assertThat(send("GET", "/schedules/report/runs?limit=1", "").body())
        .contains("\"manual\":true", "\"startedAt\":", "\"endedAt\":", "\"attempts\":1");

    assertThat(send("GET", "/schedules?next=0", "").body())
        .contains("\"name\":\"nightly\"", "\"name\":\"report\"");
    assertThat(send("DELETE", "/schedules/report", "").statusCode()).isEqualTo(204);
    assertThat(send("GET", "/schedules/report", "").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @Order(2)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "PUT | /schedules/s | {\"cron\":\"0 0 30 2 *\",\"type\":\"readpast.ping\"} | 400 | no"
            + " date matches",
        "PUT | /schedules/s | {\"cron\":\"@daily\",\"type\":\"readpast.ping\",\"zone\":\"Mars\"} | 400 | zone is 'Mars'",
        "PUT | /schedules/s | {\"every\":\"PT0.1S\",\"type\":\"readpast.ping\"} | 400 | every is 'PT0.1S'",
        "PUT | /schedules/s | {\"every\":\"PT1S\",\"cron\":\"@daily\",\"type\":\"t\"} | 400 |"
            + " exactly one of",
        "PUT | /schedules/s | {\"every\":\"PT1S\"} | 400 | type is missing",
        "PUT | /schedules/s | {\"every\":\"PT1S\",\"type\":\"readpast.ping\",\"queue\":[]} | 400 | queue is []",
        "PUT | /schedules/s | {\"evry\":\"PT1S\",\"type\":\"readpast.ping\"} | 400 | 'evry' is"
            + " unknown",
        "PUT | /schedules/s | {\"every\":\"PT1S\",\"type\":\"nope\"} | 422 | nope",
        "PUT | /schedules/s | {\"every\":\"PT1S\",\"type\":\"readpast.webhook\"} | 400 |"
            + " enqueued by the engine only",
        "POST | /queues/q/jobs | {\"type\":\"readpast.webhook\",\"payload\":{}} | 400 |"
            + " enqueued by the engine only",
        "PUT | /batches/forged |"
            + " {\"onFinish\":{\"type\":\"readpast.webhook\",\"queue\":\"q\",\"payload\":{}}} |"
            + " 400 | enqueued by the engine only",
        "PUT | /batches/forged | {\"onFinish\":{\"type\":\"nope\",\"queue\":\"q\",\"payload\":{}}} | 422 | nope",
        "GET | /batches/forged | `` | 404 | does not exist",
        "PUT | /schedules/a%20b | {\"every\":\"PT1S\",\"type\":\"readpast.ping\"} | 400 | schedule 'a b'",
        "PUT | /schedules/nightly | {\"every\":\"PT1S\",\"type\":\"readpast.ping\"} | 409 | cannot be changed here",
        "DELETE | /schedules/nightly | `` | 409 | cannot be deleted here",
        "DELETE | /schedules/none | `` | 404 | does not exist; known schedules: nightly",
        "PATCH | /schedules/none | {\"enabled\":true} | 404 | does not exist",
        "PATCH | /schedules/nightly | {} | 400 | enabled is missing",
        "POST | /schedules/none/runs | `` | 404 | does not exist",
        "GET | /schedules/none/runs | `` | 404 | does not exist",
        "GET | /schedules/nightly/runs?limit=0 | `` | 400 | limit",
        "GET | /schedules/nightly/runs?cursor=x | `` | 400 | cursor",
        "GET | /schedules/nightly?next=1000 | `` | 400 | next",
      })
  void bad_request_receives_a_remedy(
      String method, String path, String body, int status, String detail) throws Exception {
    var answer = send(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(answer.body()).contains(detail);
  }

  @Test
  @Order(3)
  void dead_letter_is_sent_to_the_webhook_once_and_signed() throws Exception {
    send(
        "POST",
        "/queues/letters/jobs",
        "{\"type\":\"readpast.ping\",\"payload\":{\"fail\":9},\"maxAttempts\":1}");
    Await.until(SOON, "the call", () -> !told.isEmpty());
    Await.until(
        SOON,
        "the end of the webhook's job",
        () ->
            count(
                    database,
                    "select count(*) from readpast_job_history where type = 'readpast.webhook'"
                        + " and state = 'COMPLETED'")
                == 1);

    assertThat(told).hasSize(1);
    assertThat(told.get(0).body())
        .contains(
            "\"event\":\"job.discarded\"",
            "\"queue\":\"letters\"",
            "\"exception\":\"java.lang.IllegalStateException\"")
        .doesNotContain("fail\":9");
    new Webhook(WEBHOOK_SECRET).verify(told.get(0).body(), told.get(0).headers());
  }

  @Test
  @Order(4)
  void reset_of_a_webhook_job_cannot_change_its_signed_content() throws Exception {
    long id =
        count(database, "select id from readpast_job_history where type = 'readpast.webhook'");
    var answer = send("POST", "/jobs/" + id + "/reset", "{\"payload\":{\"event\":\"forged\"}}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains("enqueued by the engine only");
  }

  @Test
  @Order(5)
  void every_planned_second_has_one_job_despite_crashes() throws Exception {
    var random = new Random();
    var mode = Acceptance.full() ? "LEASED" : "TRANSACTIONAL";
    send(
        "PUT",
        "/schedules/tick",
        "{\"every\":\"PT1S\",\"type\":\"readpast.ping\",\"queue\":\"ticks\",\"catchUp\":\"NONE\","
            + "\"payload\":{\"sleep\":\"PT0.2S\",\"mode\":\""
            + mode
            + "\"}}");
    Await.until(SOON, "the first job", () -> runs() > 0);
    var declared = send("PATCH", "/schedules/nightly", "{\"enabled\":false}");
    assertThat(declared.body())
        .contains("\"declared\":{\"node\":\"agent-", "\"owner\":\"readpast\"", "\"nextRuns\":[]");
    int kills = 0;
    ServerProcess victim = servers[0];
    for (long next = 1 + random.nextInt(5); runs() < SECONDS; next = runs() + random.nextInt(5)) {
      long due = Math.min(next, SECONDS);
      Await.until(Duration.ofMinutes(3), due + " runs", () -> runs() >= due);
      // One server is always running: a server is killed only while the other is up.
      if (runs() < SECONDS && ready(servers[0]) && ready(servers[1])) {
        victim = servers[random.nextInt(2)];
        victim.kill();
        kills++;
        CompletableFuture.runAsync(victim::launch);
      }
    }
    send(other(victim), "PATCH", "/schedules/tick", "{\"enabled\":false}");
    Await.until(
        Duration.ofSeconds(60),
        "the end of all jobs",
        () -> count(database, "select count(*) from readpast_job where queue = 'ticks'") == 0);

    assertThat(kills).isPositive();
    assertThat(
            value(
                database,
                """
                select count(*) = extract(epoch from max(planned_at) - min(planned_at)) + 1
                from readpast_schedule_run where schedule = 'tick'"""))
        .as("each second between the first and the last has a run")
        .isEqualTo("t");
    assertThat(runs()).isGreaterThanOrEqualTo(SECONDS);
    assertThat(
            column(
                database,
                """
                select r.planned_at || ' ' || coalesce(r.skipped, '-') || ' ' || count(h.id)
                from readpast_schedule_run r left join readpast_job_history h
                  on h.properties ->> 'readpast.schedule' = r.schedule
                  and cast(h.properties ->> 'readpast.planned-at' as timestamptz) = r.planned_at
                  and h.state = 'COMPLETED'
                where r.schedule = 'tick' group by r.planned_at, r.skipped, r.job_id
                having count(h.id) <> 1 or max(h.id) <> r.job_id"""))
        .as("planned seconds without exactly one completed job")
        .isEmpty();
    assertThat(count(database, "select count(*) from readpast_job_history where queue = 'ticks'"))
        .isEqualTo(runs());
    victim.awaitReady();
    assertThat(send(victim, "GET", "/schedules/nightly", "").body())
        .as("declared again, and still disabled")
        .contains("\"enabled\":false", "\"nextRuns\":[]");
    System.out.println(
        "agent jobs: "
            + value(
                database,
                """
                select concat_ws(' ', count(*), 'runs, latest fired after',
                  max(decided_at - planned_at), 'median',
                  percentile_cont(0.5) within group (order by decided_at - planned_at))
                from readpast_schedule_run where schedule = 'tick'""")
            + ", "
            + kills
            + " kills");
  }

  private static boolean ready(ServerProcess server) throws InterruptedException {
    try {
      return server.isReady();
    } catch (IOException e) {
      return false;
    }
  }

  private ServerProcess other(ServerProcess server) {
    return server == servers[0] ? servers[1] : servers[0];
  }

  private long runs() {
    return count(database, "select count(*) from readpast_schedule_run where schedule = 'tick'");
  }
}
