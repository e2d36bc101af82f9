package org.readpast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** Tests the REST API as its callers use it. */
class RestIT {
  private static final String ADMIN = "admin:secret";
  private static final String PING = "{\"type\":\"readpast.ping\",\"payload\":{}}";
  // The hash of the password "secret", which both users have.
  private static final String HASH =
      "PBKDF2WithHmacSHA256:2048:c2FsdHNhbHRzYWx0c2FsdA==:Qo5S0bM1EAJCustknDKonlnWdOjdPw8Wv5BJPPdw6Tk=";
  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final ServerProcess SERVER =
      ServerProcess.of(
          ServerSpec.named("rest", DATABASE)
              .withApplication("readpast", BuildDirectories.war())
              .withAdmin("secret")
              .withEnvironment("READPAST_METRICS_AUTHENTICATION", "false")
              .withProperty("readpast.users", "viewer,operator")
              .withProperty("readpast.user.\"viewer\".password-hash", HASH)
              .withProperty("readpast.user.\"viewer\".roles", "readpast-viewer")
              .withProperty("readpast.user.\"operator\".password-hash", HASH)
              .withProperty("readpast.user.\"operator\".roles", "readpast-operator"));

  @BeforeAll
  static void start() {
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return Http.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(SERVER.uri(path)).timeout(Duration.ofSeconds(60));
  }

  private static HttpResponse<String> as(String user, String method, String path, String body)
      throws Exception {
    return send(
        request("/readpast/api" + path)
            .header("Authorization", basic(user))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body)));
  }

  private static String basic(String user) {
    return "Basic " + Base64.getEncoder().encodeToString(user.getBytes());
  }

  private static HttpResponse<String> enqueue(String body) throws Exception {
    return as(ADMIN, "POST", "/queues/rest/jobs", body);
  }

  private static long id(HttpResponse<String> answer) {
    var matcher = Pattern.compile("\"id\":(\\d+)").matcher(answer.body());
    assertThat(matcher.find()).as(answer.body()).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static String job(long id) throws Exception {
    return as(ADMIN, "GET", "/jobs/" + id, "").body();
  }

  @ParameterizedTest
  @CsvSource({
    "viewer:secret, GET, /queues, 200",
    "viewer:secret, GET, /jobs, 200",
    "viewer:secret, GET, /nodes, 200",
    "viewer:secret, POST, /queues/rest/jobs, 403",
    "viewer:secret, PATCH, /queues/rest, 403",
    "viewer:secret, GET, /listener, 200",
    "viewer:secret, GET, /types, 200",
    "operator:secret, POST, /queues/rest/purge, 403",
    "viewer:secret, POST, /jobs/1/cancellation, 403",
    "viewer:secret, POST, /jobs/1/reset, 403",
    "viewer:secret, POST, /jobs/bulk, 403",
    "operator:secret, GET, /jobs, 200",
    "operator:secret, POST, /queues/rest/jobs, 400",
    "operator:secret, POST, /jobs/4711/cancellation, 404",
    "admin:secret, POST, /jobs/bulk, 400",
    "admin:wrong, GET, /jobs, 401",
    "nobody:secret, GET, /jobs, 401",
  })
  void roles_restrict_the_operations(String user, String method, String path, int status)
      throws Exception {
    assertThat(as(user, method, path, method.equals("GET") ? "" : "{}").statusCode())
        .isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"''", "Basic", "Basic !!!", "Basic YWRtaW4=", "Bearer x", "garbage"})
  void caller_without_valid_credentials_gets_a_challenge(String authorization) throws Exception {
    var answer = send(request("/readpast/api/queues").header("Authorization", authorization));
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("WWW-Authenticate").orElse("")).startsWith("Basic ");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
  }

  @Test
  void job_is_enqueued_run_and_shown_with_its_attempts() throws Exception {
    var answer =
        enqueue("{\"type\":\"readpast.ping\",\"payload\":{\"fail\":1},\"uniqueKey\":\"u\"}");
    assertThat(answer.statusCode()).isEqualTo(201);
    long id = id(answer);
    assertThat(answer.headers().firstValue("Location").orElse(""))
        .endsWith("/readpast/api/jobs/" + id);
    Await.until(Duration.ofSeconds(60), () -> job(id).contains("\"COMPLETED\""));
    assertThat(job(id))
        .contains("\"attempts\":[{\"attempt\":1,")
        .contains("{\"attempt\":2,")
        .contains("\"retriesRemaining\":3,\"lastFailure\":\"")
        .contains("\"error\":{\"kind\":\"FAILED\"");
  }

  @Test
  void waiting_jobs_are_moved_to_a_known_type_and_version() throws Exception {
    long id = id(enqueue("{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}"));
    assertThat(job(id)).contains("\"type\":\"readpast.ping\",\"version\":1,");
    String move = "{\"action\":\"MOVE\",%s\"matching\":{\"q\":\"" + id + "\"}}";
    assertThat(bulk(move.formatted("")).statusCode()).isEqualTo(400);
    assertThat(bulk(move.formatted("\"type\":\"sql\",\"version\":2,")).body())
        .contains("sql@2", "known types");
    assertThat(bulk(move.formatted("\"type\":\"readpast.rule\",")).body())
        .contains("\"changed\":1");
    assertThat(job(id)).contains("\"type\":\"readpast.rule\",\"version\":1,");
    assertThat(enqueue("{\"type\":\"readpast.ping\",\"version\":2,\"payload\":{}}").body())
        .contains("readpast.ping@2");
    assertThat(enqueue("{\"type\":\"readpast.ping\",\"version\":0,\"payload\":{}}").statusCode())
        .isEqualTo(400);
  }

  private static HttpResponse<String> bulk(String body) throws Exception {
    return as("operator:secret", "POST", "/jobs/bulk", body);
  }

  @Test
  void two_thousand_jobs_posted_singly_and_in_arrays_all_complete() throws Exception {
    String together = "[" + String.join(",", Collections.nCopies(1_000, PING)) + "]";
    assertThat(as(ADMIN, "POST", "/queues/many/jobs", together).statusCode()).isEqualTo(201);
    List<Integer> statuses =
        IntStream.range(0, 1_000)
            .parallel()
            .mapToObj(i -> statusOfPosted("/queues/many/jobs"))
            .distinct()
            .toList();
    assertThat(statuses).containsExactly(201);
    Await.until(
        Duration.ofSeconds(60),
        "all jobs completed",
        () ->
            TestDatabase.count(
                    DATABASE,
                    "select count(*) from readpast_job_history where queue = 'many' and state ="
                        + " 'COMPLETED' and attempt = 1")
                == 2_000);
    assertThat(TestDatabase.count(DATABASE, "select count(*) from readpast_job where queue='many'"))
        .isZero();
  }

  private static int statusOfPosted(String path) {
    try {
      return as(ADMIN, "POST", path, PING).statusCode();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void payload_is_returned_with_every_digit() throws Exception {
    String payload =
        "{\"z\": 12345678901234567890.10, \"a\":1e400,\"n\":-0,\"u\":\"\\u0000\\ud800ü😀\"}";
    long id =
        id(enqueue("{\"type\":\"readpast.ping\",\"delay\":\"PT1H\",\"payload\":" + payload + "}"));
    assertThat(job(id)).endsWith(",\"payload\":" + payload + "}");
  }

  @Test
  void array_is_enqueued_in_one_transaction() throws Exception {
    String delayed = "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}";
    assertThat(enqueue("[" + delayed + "," + delayed + "]").body())
        .matches("\\{\"ids\":\\[\\d+,\\d+]}");
    String before = as(ADMIN, "GET", "/jobs?limit=1", "").body();
    var refused = enqueue("[" + delayed + ",{\"type\":\"nope\",\"payload\":1}]");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(as(ADMIN, "GET", "/jobs?limit=1", "").body()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "POST  | /queues/rest/jobs | {           | 400",
        "POST  | /queues/rest/jobs | ``          | 400",
        "POST  | /queues/a%20b/jobs | {}         | 400",
        "POST  | /queues/rest/jobs | {\"type\":\"nope\",\"payload\":1} | 422",
        "PATCH | /queues/nowhere   | {\"paused\":true} | 404",
        "PATCH | /queues/rest      | {}          | 400",
        "PATCH | /queues/rest      | {\"globalConcurrency\":-1} | 400",
        "PATCH | /queues/rest      | {\"reserved\":1001} | 400",
        "POST  | /queues/nowhere/purge | {}      | 404",
        "POST  | /queues/rest/jobs | {\"type\":\"readpast.ping\",\"contentType\":\"x\",\"payload\":\"\"} | 400",
        "POST  | /queues/rest/jobs | {\"type\":\"readpast.ping\",\"contentType\":\"image/png\",\"payload\":\"?\"} | 400",
        "GET   | /jobs/abc         | ``          | 404",
        "GET   | /jobs/99999999999999999999 | `` | 404",
        "GET   | /jobs?limit=0     | ``          | 400",
        "GET   | /jobs?state=DONE  | ``          | 400",
        "GET   | /jobs?cursor=x    | ``          | 400",
        "GET   | /jobs?queue=%00   | ``          | 400",
        "GET   | /nothing          | ``          | 404",
        "DELETE | /jobs            | ``          | 405",
      })
  void bad_request_receives_a_problem(String method, String path, String body, int status)
      throws Exception {
    var answer = as(ADMIN, method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.body()).contains("\"status\":" + status, "\"detail\":\"", "\"title\":\"");
  }

  @Test
  void deeply_nested_large_and_unknown_bodies_are_refused() throws Exception {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);
    assertThat(enqueue("{\"type\":\"t\",\"payload\":" + deep + "}").statusCode()).isEqualTo(400);
    String large = "\"" + "x".repeat(1 << 20) + "\"";
    assertThat(enqueue("{\"type\":\"t\",\"payload\":" + large + "}").statusCode()).isEqualTo(413);
    assertThat(enqueue("\"" + "x".repeat(34 << 20) + "\"").statusCode()).isEqualTo(413);
    var text =
        request("/readpast/api/queues/rest/jobs")
            .header("Authorization", basic(ADMIN))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(PING));
    assertThat(send(text).statusCode()).isEqualTo(415);
  }

  @Test
  void repeated_post_returns_the_first_response() throws Exception {
    var first = withKey("key-1", PING);
    assertThat(first.statusCode()).isEqualTo(201);
    var second = withKey("key-1", PING);
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(withKey("key-1", PING.replace("{}", "{\"fail\":0}")).statusCode()).isEqualTo(422);
    assertThat(withKey("x".repeat(256), PING).statusCode()).isEqualTo(400);
  }

  @Test
  void idempotency_key_does_not_cover_another_query() throws Exception {
    var job = enqueue("{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    var id = Pattern.compile("\"id\":(\\d+)").matcher(job.body());
    assertThat(id.find()).as(job.body()).isTrue();
    as(ADMIN, "POST", "/jobs/" + id.group(1) + "/cancellation", "");
    for (String query : List.of("", "?force=true")) {
      var answer =
          send(
              request("/readpast/api/jobs/" + id.group(1) + "/reset" + query)
                  .header("Authorization", basic(ADMIN))
                  .header("Idempotency-Key", "reset-1")
                  .POST(BodyPublishers.noBody()));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(query.isEmpty() ? 200 : 422);
    }
  }

  private static HttpResponse<String> withKey(String key, String body) throws Exception {
    return send(
        request("/readpast/api/queues/rest/jobs")
            .header("Authorization", basic(ADMIN))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)));
  }

  @Test
  void waiting_job_is_cancelled_and_reset() throws Exception {
    long id = id(enqueue("{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}"));
    assertThat(as(ADMIN, "POST", "/jobs/" + id + "/reset", "").statusCode()).isEqualTo(409);
    assertThat(as(ADMIN, "POST", "/jobs/" + id + "/cancellation", "").body())
        .contains("\"state\":\"CANCELLED\"");
    assertThat(as(ADMIN, "POST", "/jobs/" + id + "/cancellation", "").statusCode()).isEqualTo(409);
    assertThat(
            as(ADMIN, "POST", "/jobs/bulk", "{\"action\":\"RESET\",\"ids\":[" + id + ",4711]}")
                .body())
        .contains("\"changed\":1", "\"found\":2");
    Await.until(Duration.ofSeconds(30), () -> job(id).contains("\"COMPLETED\""));
  }

  @Test
  void waiting_job_is_rescheduled() throws Exception {
    String job =
        "/jobs/" + id(enqueue("{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}"));
    String later = "{\"at\":\"2099-01-01T06:00:00Z\"}";
    assertThat(as(ADMIN, "POST", job + "/reschedule", later).body())
        .contains("\"state\":\"SCHEDULED\"", "\"availableAt\":\"2099-01-01T06:00:00Z\"");
    assertThat(as(ADMIN, "POST", job + "/reschedule", "{\"at\":\"soon\"}").statusCode())
        .isEqualTo(400);
    assertThat(as(ADMIN, "POST", job + "/cancellation", "").statusCode()).isEqualTo(200);
    assertThat(as(ADMIN, "POST", job + "/reschedule", later).statusCode()).isEqualTo(409);
  }

  @Test
  void queue_is_paused_and_resumed() throws Exception {
    as(ADMIN, "POST", "/queues/paused/jobs", PING);
    assertThat(as(ADMIN, "PATCH", "/queues/paused", "{\"paused\":true,\"concurrency\":2}").body())
        .contains("\"paused\":true,\"concurrency\":2");
    assertThat(
            as(ADMIN, "PATCH", "/queues/paused", "{\"concurrency\":null,\"paused\":false}").body())
        .contains("\"paused\":false,\"concurrency\":null");
  }

  @Test
  void queue_is_limited_and_purged() throws Exception {
    as(ADMIN, "POST", "/queues/purged/jobs", PING);
    assertThat(
            as(ADMIN, "PATCH", "/queues/purged", "{\"globalConcurrency\":0,\"reserved\":2}").body())
        .contains("\"globalConcurrency\":0", "\"reserved\":2", "\"concurrency\":null");
    String delayed = PING.replace("}}", "},\"delay\":\"PT1H\"}");
    var answer = as(ADMIN, "POST", "/queues/purged/jobs", delayed);
    assertThat(as(ADMIN, "POST", "/queues/purged/purge", "").body()).contains("\"cancelled\":");
    assertThat(as(ADMIN, "GET", "/jobs/" + id(answer), "").body())
        .contains("\"state\":\"CANCELLED\"");
  }

  @Test
  void payload_of_another_content_type_is_shown_as_stored() throws Exception {
    var answer =
        as(
            ADMIN,
            "POST",
            "/queues/content/jobs",
            "{\"type\":\"readpast.ping\",\"contentType\":\"image/png\",\"payload\":\"AP9/\",\"delay\":\"PT1H\"}");
    assertThat(answer.body()).contains("\"contentType\":\"image/png\"", "\"payload\":\"AP9/\"");
  }

  @Test
  void job_types_with_limits_are_listed() throws Exception {
    DATABASE.execute(
        "insert into readpast_type values ('rest.limited', 1); insert into readpast_type_limit values ('rest.limited', 6)");
    assertThat(as(ADMIN, "PATCH", "/types/rest.limited", "{\"globalConcurrency\":7}").body())
        .isEqualTo("{\"name\":\"rest.limited\",\"concurrency\":null,\"globalConcurrency\":7}");
    assertThat(as(ADMIN, "PATCH", "/types/rest.limited", "{\"globalConcurrency\":10001}").body())
        .contains(
            "globalConcurrency is 10001; specify 0 to 10000, or null to restore the configured"
                + " value");
    assertThat(as(ADMIN, "PATCH", "/types/rest.none", "{\"globalConcurrency\":1}").body())
        .contains("job type 'rest.none' does not exist");
    // Nodes read limits every five seconds.
    Await.until(
        Duration.ofSeconds(30),
        "the limit",
        () ->
            as(ADMIN, "GET", "/types", "")
                .body()
                .contains(
                    "{\"name\":\"rest.limited\",\"concurrency\":null,\"globalConcurrency\":7}"));
  }

  @Test
  void listener_counters_appear_in_rest_and_in_metrics() throws Exception {
    as(ADMIN, "POST", "/queues/counted/jobs", "[" + PING + "," + PING + "]");
    Await.until(
        Duration.ofSeconds(30),
        "the counters",
        () ->
            Pattern.compile("\\{[^{}]*\"queue\":\"counted\"[^}]*")
                .matcher(as(ADMIN, "GET", "/listener", "").body())
                .results()
                .anyMatch(
                    found ->
                        found.group().contains("\"received\":2")
                            && found.group().contains("\"completed\":2")));
    Await.until(
        Duration.ofSeconds(30),
        "the metrics",
        () -> send(request("/metrics")).body().lines().anyMatch(RestIT::isReceivedTwice));
  }

  private static boolean isReceivedTwice(String line) {
    // One server writes the number as 2.0, the other one as 2.
    return line.matches(
        "messaging_client_consumed_messages_total\\{.*name=\"counted\".*} 2(\\.0)?");
  }

  @Test
  void node_is_shown_with_its_version() throws Exception {
    assertThat(as(ADMIN, "GET", "/nodes", "").body())
        .containsPattern("\"version\":\"\\d+\\.\\d+\\.\\d+");
  }

  @Test
  void page_from_another_site_changes_nothing() throws Exception {
    var request =
        request("/readpast/api/jobs/1/cancellation")
            .header("Authorization", basic(ADMIN))
            .header("Sec-Fetch-Site", "cross-site")
            .POST(BodyPublishers.noBody());
    assertThat(send(request).statusCode()).isEqualTo(403);
  }

  @Test
  void health_and_api_description_are_public() throws Exception {
    for (String probe : new String[] {"started", "live", "ready"}) {
      assertThat(send(request("/health/" + probe)).statusCode()).isEqualTo(200);
    }
    assertThat(send(request("/openapi")).body())
        .contains(
            "/api/queues/{queue}/jobs",
            "/api/queues/{queue}:",
            "/api/queues:",
            "/api/listener:",
            "/api/jobs:",
            "/api/jobs/{id}:",
            "/api/jobs/{id}/cancellation:",
            "/api/jobs/{id}/reset:",
            "/api/jobs/bulk:",
            "/api/nodes:",
            "/api/schedules:",
            "/api/schedules/{name}:",
            "/api/schedules/{name}/runs:");
  }
}
