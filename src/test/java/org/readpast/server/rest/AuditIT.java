package org.readpast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/** Tests that actions are audited and shown, and that masked values are hidden from viewers. */
class AuditIT {
  // The hash of the password "secret".
  private static final String HASH =
      "PBKDF2WithHmacSHA256:2048:c2FsdHNhbHRzYWx0c2FsdA==:Qo5S0bM1EAJCustknDKonlnWdOjdPw8Wv5BJPPdw6Tk=";
  private static final String PAYLOAD =
      "{\"card\": {\"number\": 4111111111111111.10, \"owner\": \"Eve\"}, \"user\": {\"password\": \"pw\"}, \"n\": 1e400}";
  private static final String MASKED =
      "{\"card\": {\"number\": \"***\", \"owner\": \"Eve\"}, \"user\": {\"password\": \"***\"}, \"n\": 1e400}";
  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final ServerProcess SERVER =
      ServerProcess.of(
          ServerSpec.named("audit", DATABASE)
              .withApplication("readpast", BuildDirectories.war())
              .withAdmin("secret")
              .withProperty("readpast.payload.masked", "password, card.number")
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

  private static HttpResponse<String> as(String user, String method, String path, String body)
      throws Exception {
    String login = Base64.getEncoder().encodeToString((user + ":secret").getBytes());
    return Http.CLIENT.send(
        HttpRequest.newBuilder(SERVER.uri("/readpast/api" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Basic " + login)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static String audit(String query) throws Exception {
    return as("viewer", "GET", "/audit?" + query, "").body();
  }

  private static long delayed(String queue, String payload) throws Exception {
    var answer =
        as(
            "operator",
            "POST",
            "/queues/" + queue + "/jobs",
            "{\"type\":\"readpast.ping\",\"delay\":\"PT1H\",\"payload\":" + payload + "}");
    var id = Pattern.compile("\"id\":(\\d+)").matcher(answer.body());
    assertThat(id.find()).as(answer.body()).isTrue();
    return Long.parseLong(id.group(1));
  }

  @Test
  void actions_are_audited_under_the_name_of_the_caller() throws Exception {
    long id = delayed("deeds", "{}");
    as("operator", "POST", "/jobs/" + id + "/cancellation", "");
    as("admin", "POST", "/jobs/" + id + "/reset", "");
    as("admin", "PATCH", "/queues/deeds", "{\"paused\":true}");
    delayed("deeds", "{}");
    as("admin", "POST", "/queues/deeds/purge", "");
    as("viewer", "POST", "/jobs/" + id + "/reset", "");
    assertThat(audit("target=" + id))
        .matches(
            "\\{\"entries\":\\[\\{\"id\":\\d+,\"at\":\"[^\"]+Z\",\"who\":\"admin\",\"action\":\"job.reset\","
                + "\"target\":\""
                + id
                + "\",\"detail\":\\{\"state\":\\{\"from\":\"CANCELLED\",\"to\":\"AVAILABLE\"}}},\\{\"id\":\\d+,\"at\":\"[^\"]+Z\",\"who\":\"operator\","
                + "\"action\":\"job.cancel\",\"target\":\""
                + id
                + "\",\"detail\":\\{\"state\":\\{\"from\":\"SCHEDULED\",\"to\":\"CANCELLED\"}}}]}");
    assertThat(audit("target=deeds&action=queue.change"))
        .contains("\"detail\":{\"paused\":{\"from\":false,\"to\":true}}");
    assertThat(audit("target=deeds&action=queue.purge"))
        .containsOnlyOnce("\"who\":\"admin\"")
        .contains("\"detail\":{\"cancelled\":");
    as("operator", "PUT", "/batches/mine", "{\"failurePolicy\":\"CANCEL\"}");
    as("admin", "PUT", "/batches/mine", "{}");
    assertThat(audit("target=mine"))
        .containsOnlyOnce("\"action\":")
        .contains("\"who\":\"operator\",\"action\":\"batch.define\"")
        .contains("\"detail\":{\"failurePolicy\":\"CANCEL\"}");
    assertThat(audit("target=deeds&who=operator")).isEqualTo("{\"entries\":[]}");
    assertThat(audit("target=deeds&to=2020-01-01T00:00:00Z")).isEqualTo("{\"entries\":[]}");
  }

  @Test
  void repeated_request_is_audited_once() throws Exception {
    long id = delayed("repeated", "{}");
    String login = Base64.getEncoder().encodeToString("operator:secret".getBytes());
    for (int i = 0; i < 2; i++) {
      Http.CLIENT.send(
          HttpRequest.newBuilder(SERVER.uri("/readpast/api/jobs/" + id + "/cancellation"))
              .header("Authorization", "Basic " + login)
              .header("Idempotency-Key", "cancel-" + id)
              .POST(BodyPublishers.noBody())
              .build(),
          BodyHandlers.discarding());
    }
    assertThat(audit("target=" + id)).containsOnlyOnce("job.cancel");
  }

  @Test
  void matching_entries_are_exported() throws Exception {
    DATABASE.execute(
        """
        insert into readpast_audit (who, action, target, detail)
        select '=1+1', 'exported.deed', 'a, "b"', json_build_object('i', i) from generate_series(1, 2500) i""");
    var csv = as("viewer", "GET", "/audit?format=csv&action=exported", "");
    assertThat(csv.statusCode()).isEqualTo(200);
    assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
    assertThat(csv.headers().firstValue("Content-Disposition"))
        .hasValue("attachment; filename=\"readpast-audit.csv\"");
    assertThat(csv.body().lines()).hasSize(2_501).doesNotHaveDuplicates();
    assertThat(csv.body().lines().skip(1).findFirst().orElseThrow())
        .contains("\"'=1+1\",\"exported.deed\",\"a, \"\"b\"\"\",\"{\"\"i\"\" : 2500}\"");
    var json = as("viewer", "GET", "/audit?format=json&action=exported", "");
    assertThat(json.headers().firstValue("Content-Disposition").orElse(""))
        .contains("readpast-audit.json");
    assertThat(Pattern.compile("\"detail\":\\{\"i\" : \\d+}}").matcher(json.body()).results())
        .hasSize(2_500);
    assertThat(json.body()).startsWith("{\"entries\":[{").endsWith("}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from=yesterday",
        "from=0000-01-01T00:00:00Z",
        "to=%2B999999999-12-31T23:59:59Z",
        "format=xml",
        "cursor=x",
        "limit=0",
        "who=%00"
      })
  void invalid_filter_is_refused(String query) throws Exception {
    var answer = as("viewer", "GET", "/audit?" + query, "");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains("; specify ");
  }

  @Test
  void viewer_does_not_see_masked_fields_of_a_job() throws Exception {
    long id = delayed("hidden", PAYLOAD);
    assertThat(as("viewer", "GET", "/jobs/" + id, "").body())
        .endsWith(",\"masked\":[\"card.number\",\"password\"],\"payload\":" + MASKED + "}");
    for (String user : new String[] {"operator", "admin"}) {
      assertThat(as(user, "GET", "/jobs/" + id, "").body())
          .endsWith(",\"payload\":" + PAYLOAD + "}")
          .doesNotContain("\"masked\"");
    }
  }

  /** A JSON parser may quote in its message the text that it could not parse. */
  @Test
  void unreadable_payload_is_never_quoted() throws Exception {
    var answer =
        as(
            "operator",
            "POST",
            "/queues/unfit/jobs",
            "{\"type\":\"readpast.ping\",\"payload\":{\"mode\":\"4111-1111\"},\"maxAttempts\":1}");
    var id = Pattern.compile("\"id\":(\\d+)").matcher(answer.body());
    assertThat(id.find()).as(answer.body()).isTrue();
    Await.until(
        Duration.ofSeconds(30),
        "the deferral of the job",
        () -> as("viewer", "GET", "/jobs/" + id.group(1), "").body().contains("\"SCHEDULED\""));
    String failed = as("viewer", "GET", "/jobs/" + id.group(1) + "?", "").body();
    assertThat(failed.substring(failed.indexOf("\"attempts\"")))
        .contains("the payload does not fit org.readpast.jobs.Ping", "readpast.payload.masked");
    assertThat(failed.replaceFirst("\"payload\":\\{[^}]*}", "")).doesNotContain("4111-1111");
    assertThat(SERVER.awaitLogged("READPAST-0034")).doesNotContain("4111-1111");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payload.card.number:4111",
        "payload.card:x",
        "payload.user.password:pw",
        "payload.user:%7B%22password%22",
        "payload.cards.0.password:x"
      })
  void viewer_cannot_search_masked_fields(String search) throws Exception {
    for (String path : new String[] {"/jobs?q=", "/jobs/counts?q=", "/jobs/facets?q="}) {
      var refused = as("viewer", "GET", path + search, "");
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
      assertThat(refused.body()).contains("is masked for viewers");
      assertThat(as("operator", "GET", path + search, "").statusCode()).isEqualTo(200);
    }
    assertThat(as("viewer", "GET", "/jobs?q=payload.card.owner:Eve", "").statusCode())
        .isEqualTo(200);
  }

  @Test
  void viewer_does_not_see_masked_fields_of_a_schedule() throws Exception {
    as(
        "admin",
        "PUT",
        "/schedules/masked",
        "{\"daily\":\"02:30\",\"type\":\"readpast.ping\",\"payload\":" + PAYLOAD + "}");
    assertThat(as("viewer", "GET", "/schedules/masked", "").body()).endsWith(MASKED + "}");
    assertThat(as("viewer", "GET", "/schedules", "").body())
        .contains(MASKED)
        .doesNotContain("4111");
    assertThat(as("operator", "GET", "/schedules/masked", "").body()).endsWith(PAYLOAD + "}");
    assertThat(audit("target=masked&action=schedule.define")).doesNotContain("4111");
  }

  @Test
  void list_of_schedules_contains_the_latest_runs_on_request() throws Exception {
    String schedule = "{\"daily\":\"02:30\",\"type\":\"readpast.ping\",\"payload\":{}}";
    as("admin", "PUT", "/schedules/listed", schedule);
    assertThat(as("operator", "POST", "/schedules/listed/runs", "").statusCode()).isEqualTo(201);
    assertThat(as("viewer", "GET", "/schedules", "").body()).doesNotContain("lastRuns");
    assertThat(as("viewer", "GET", "/schedules?runs=1", "").body())
        .containsPattern(
            "\"lastRuns\":\\[\\{\"job\":\\d+,\"manual\":true,\"plannedAt\":\"[^\"]+\",\"state\":\"");
    assertThat(as("viewer", "GET", "/schedules?runs=21", "").body())
        .contains("runs is '21'; specify 0 to 20");
  }
}
