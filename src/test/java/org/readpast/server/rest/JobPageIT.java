package org.readpast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.LEASED;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.server.recovery.Effects;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * Tests the requests that the console's pages of a job, a batch and the nodes send to the REST API.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class JobPageIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  // The hash of the password "secret".
  private static final String HASH =
      "PBKDF2WithHmacSHA256:2048:c2FsdHNhbHRzYWx0c2FsdA==:Qo5S0bM1EAJCustknDKonlnWdOjdPw8Wv5BJPPdw6Tk=";

  private final Database database = TestPostgres.shared().newDatabase();
  private final Effects effects = new Effects(database);
  private final ServerProcess server =
      ServerProcess.of(
          effects
              .server("job-page")
              .withProperty("readpast.shutdown-grace", "PT1S")
              .withProperty("readpast.type.\"readpast.ping\".retention.payload", "PT0S")
              .withProperty("readpast.users", "operator")
              .withProperty("readpast.user.\"operator\".password-hash", HASH)
              .withProperty("readpast.user.\"operator\".roles", "readpast-operator"));
  private final RestApi admin = new RestApi(server, "admin:effects");
  private final RestApi operator = new RestApi(server, "operator:secret");

  @BeforeAll
  void start() {
    server.start();
  }

  @AfterAll
  void end() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  private long enqueue(String job) {
    var reply = operator.post("/queues/page/jobs", job);
    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
    return reply.object().getJsonNumber("id").longValue();
  }

  private JsonObject job(long id) {
    return operator.get("/jobs/" + id).object();
  }

  private List<String> reasons(long id) {
    return job(id).getJsonArray("reasons").getValuesAs(JsonString::getString);
  }

  private void awaitState(long id, String state) {
    Await.until(SOON, state, () -> job(id).getString("state").equals(state));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/jobs?quue=page | parameter 'quue' is unknown; did you mean 'queue'? known parameters:"
            + " cursor, limit, order, q, queue, state, type",
        "/nodes?all=true&some=1 | parameter 'some' is unknown; known parameters: all",
        "/queues?x | parameter 'x' is unknown; leave it out",
      })
  @Order(0)
  void unknown_parameter_is_refused_by_name(String path, String detail) {
    var reply = operator.get(path);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.object().getString("detail")).isEqualTo(detail);
  }

  @Test
  @Order(1)
  void jobs_are_paged_from_the_oldest_to_the_newest() {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(
          enqueue(
              "{\"type\":\"readpast.ping\",\"payload\":{},\"group\":\"aged\",\"delay\":\"PT1H\"}"));
    }
    String list = "/jobs?q=group%3Aaged&limit=2";
    List<Long> listed = new ArrayList<>();
    String cursor = "";
    String first = null;
    do {
      JsonObject page = operator.get(list + "&order=OLDEST" + cursor).object();
      page.getJsonArray("jobs").getValuesAs(JsonObject.class).stream()
          .map(job -> job.getJsonNumber("id").longValue())
          .forEach(listed::add);
      String next = page.getString("next", null);
      first = first == null ? next : first;
      cursor = next == null ? null : "&cursor=" + next;
    } while (cursor != null);
    assertThat(listed).isEqualTo(ids);

    assertThat(operator.get(list + "&cursor=" + first).detail())
        .contains("of the same list and order");
    var refused = operator.get("/jobs?order=priority");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.detail()).startsWith("order is 'priority'; specify NEWEST or OLDEST");
  }

  @Test
  @Order(1)
  void scheduled_job_has_a_reason_to_wait_and_runs_on_request() {
    long id = enqueue("{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    assertThat(reasons(id)).hasSize(1).first().asString().startsWith("scheduled for 20");
    var reply = operator.post("/jobs/" + id + "/run", "{}");
    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(200);
    awaitState(id, "COMPLETED");
    assertThat(job(id)).doesNotContainKey("reasons");
    assertThat(job(id).getBoolean("payloadKept")).isFalse();
    assertThat(job(id)).doesNotContainKey("payload");
    var again = operator.post("/jobs/" + id + "/run", "");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.detail()).contains("is COMPLETED; only jobs that are SCHEDULED");
  }

  @Test
  @Order(1)
  void failed_job_is_edited_reset_and_deleted() {
    long id = enqueue("{\"type\":\"readpast.ping\",\"payload\":{\"fail\":9},\"maxAttempts\":1}");
    awaitState(id, "DISCARDED");
    String text = "{\\\"fail\\\":0,\\\"big\\\":12345678901234567890}";
    var reply = operator.post("/jobs/" + id + "/reset", "{\"payloadText\":\"" + text + "\"}");
    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(200);
    assertThat(reply.object().getJsonObject("payload").getJsonNumber("big"))
        .hasToString("12345678901234567890");
    awaitState(id, "COMPLETED");

    assertThat(operator.send("DELETE", "/jobs/" + id, "").status()).isEqualTo(204);
    assertThat(operator.get("/jobs/" + id).status()).isEqualTo(404);
    assertThat(operator.send("DELETE", "/jobs/" + id, "").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @Order(1)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "reset | {\"payload\":{},\"payloadText\":\"{}\"} | 400 | specify either payload or payloadText",
        "reset | {\"payloadText\":\"{\\\"a\\\":}\"} | 400 | payloadText is not JSON: a value was expected at line 1",
        "reset | {\"payloadText\":\"null\"} | 400 | the payload is null",
        "reset | {\"payload\":null} | 400 | the payload is null",
        "reset | {\"load\":1} | 400 | field 'load' is unknown",
        "reset | [] | 400 | the body must be a JSON object",
        "reset | {\"payload\":{}} | 409 | is SCHEDULED; only jobs that are",
        "reset | {} | 409 | is SCHEDULED; only jobs that are",
        "priority | {\"priority\":10} | 400 | priority is 10; specify 0 (last) to 9 (first)",
        "priority | {} | 400 | priority is null; specify 0 (last) to 9 (first)",
        "priority | {\"priority\":\"x\"} | 400 | specify a whole number",
      })
  void bad_request_receives_a_remedy(String verb, String body, int status, String detail) {
    long id = enqueue("{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    var reply = operator.post("/jobs/" + id + "/" + verb, body);
    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(status);
    assertThat(reply.detail()).contains(detail);
  }

  @Test
  @Order(1)
  void waiting_job_gets_another_priority_and_cannot_be_deleted() {
    long id = enqueue("{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    var reply = operator.post("/jobs/" + id + "/priority", "{\"priority\":9}");
    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(200);
    assertThat(job(id).getInt("priority")).isEqualTo(9);
    var refused = operator.send("DELETE", "/jobs/" + id, "");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.detail()).contains("cancel it first");
  }

  @Test
  @Order(1)
  void graph_of_a_batch_shows_its_dependencies() {
    var reply =
        operator.post(
            "/queues/page/jobs",
            """
            [{"type":"readpast.ping","payload":{},"batch":"drawn","delay":"PT1H","ref":"a"},
             {"type":"readpast.ping","payload":{},"batch":"drawn","wave":2,"after":["a"]},
             {"type":"readpast.ping","payload":{},"batch":"drawn","delay":"PT1H"}]""");
    assertThat(reply.status()).isEqualTo(201);
    var ids = reply.object().getJsonArray("ids");
    var graph = operator.get("/batches/drawn/graph").object();
    assertThat(graph.getBoolean("complete")).isTrue();
    assertThat(graph.getJsonArray("jobs")).hasSize(2);
    assertThat(graph.getJsonArray("jobs").getJsonObject(0).getJsonArray("after")).isEmpty();
    JsonObject follower = graph.getJsonArray("jobs").getJsonObject(1);
    assertThat(follower.getJsonNumber("id")).isEqualTo(ids.getJsonNumber(1));
    assertThat(follower.getString("state")).isEqualTo("BLOCKED");
    assertThat(follower.getInt("wave")).isEqualTo(2);
    assertThat(follower.getJsonArray("after").getJsonNumber(0)).isEqualTo(ids.getJsonNumber(0));
    assertThat(operator.get("/batches/unknown/graph").status()).isEqualTo(404);
  }

  @Test
  @Order(2)
  void drained_node_completes_its_jobs_and_its_application_keeps_running() throws Exception {
    effects.enqueue(server, LEASED, 1, Does.heldBy(server, Duration.ofSeconds(8)));
    effects.awaitHeld(server, LEASED, 1);
    JsonObject node = admin.get("/nodes").body().asJsonArray().getJsonObject(0);
    assertThat(node.getBoolean("drainRequested")).isFalse();
    String drain = "/nodes/" + node.getString("id") + "/drain";
    assertThat(operator.post(drain, "").status()).isEqualTo(403);
    assertThat(admin.post("/nodes/nobody/drain", "").status()).isEqualTo(404);
    var reply = admin.post(drain, "{}");
    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(202);
    assertThat(reply.object().getBoolean("drainRequested")).isTrue();

    awaitNode("STOPPING");
    long late = enqueue("{\"type\":\"readpast.ping\",\"payload\":{}}");
    assertThat(effects.stillHeld(server, LEASED)).as("running jobs").isOne();
    awaitNode("STOPPED");
    assertThat(effects.column("select line from readpast_log order by id desc limit 1"))
        .containsExactly("let go by " + server.pid());
    assertThat(effects.count("select count(*) from readpast_failure where kind <> 'FAILED'"))
        .isZero();
    assertThat(job(late).getString("state")).isEqualTo("AVAILABLE");
    assertThat(reasons(late))
        .containsExactly("no node claims jobs: start an application that runs the engine");
    // Payara converts booleans to strings.
    assertThat(health("ready"))
        .contains("\"status\":\"UP\"")
        .containsPattern("\"draining\":\"?true");
    assertThat(health("live")).contains("\"status\":\"UP\"");
    assertThat(admin.post(drain, "").status()).as("already been drained").isEqualTo(202);
    server.stop();
    assertThat(effects.count("select count(*) from readpast_node where state <> 'STOPPED'"))
        .isZero();
  }

  private void awaitNode(String state) {
    Await.until(
        SOON,
        state,
        () ->
            admin
                .get("/nodes")
                .body()
                .asJsonArray()
                .getJsonObject(0)
                .getString("state")
                .equals(state));
  }

  private String health(String probe) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(server.uri("/health/" + probe)).build();
    return Http.CLIENT.send(request, BodyHandlers.ofString()).body();
  }
}
