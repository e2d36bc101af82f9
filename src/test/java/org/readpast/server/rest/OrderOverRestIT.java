package org.readpast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/** Tests jobs with dependencies, as callers of the REST API use them. */
class OrderOverRestIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final ServerProcess SERVER =
      ServerProcess.of(
          ServerSpec.named("order", TestPostgres.shared().newDatabase())
              .withApplication("readpast", BuildDirectories.war())
              .withAdmin("secret"));

  private static final RestApi API = new RestApi(SERVER, "admin:secret");

  @BeforeAll
  static void start() {
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  private static RestApi.Reply call(String method, String path, String body) {
    return API.send(method, path, body);
  }

  private static String get(String path) {
    return API.get(path).body().toString();
  }

  private static List<Long> enqueue(String jobs) {
    var answer = call("POST", "/queues/order/jobs", jobs);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
    return Pattern.compile("\\d+")
        .matcher(answer.body().toString())
        .results()
        .map(MatchResult::group)
        .map(Long::valueOf)
        .toList();
  }

  private static void awaitJob(long id, String text) {
    Await.until(SOON, text, () -> get("/jobs/" + id).contains(text));
  }

  @Test
  void graph_is_enqueued_in_one_request_and_shows_its_dependencies() {
    List<Long> ids =
        enqueue(
            """
            [{"type":"readpast.ping","payload":{},"after":["root"]},
             {"type":"readpast.ping","payload":{},"delay":"PT1H","ref":"root"}]""");

    awaitJob(ids.get(0), "\"state\":\"BLOCKED\"");
    assertThat(get("/jobs/" + ids.get(0)))
        .contains("\"waitsFor\":\"PREDECESSOR\"")
        .contains("\"predecessors\":[{\"id\":" + ids.get(1) + "}]");

    assertThat(call("POST", "/jobs/" + ids.get(1) + "/cancellation", "").status()).isEqualTo(200);
    awaitJob(ids.get(0), "\"endedAs\":\"CANCELLED\"");
    assertThat(call("POST", "/jobs/" + ids.get(1) + "/reset", "").status()).isEqualTo(200);
    awaitJob(ids.get(0), "\"state\":\"COMPLETED\"");
  }

  @Test
  void batch_is_shown_and_sealed_and_runs_its_callback() {
    assertThat(
            call(
                    "PUT",
                    "/batches/year-end",
                    """
                    {"onFinish":{"queue":"order","type":"readpast.ping","payload":{}}}""")
                .status())
        .isEqualTo(200);
    List<Long> ids =
        enqueue(
            """
            [{"type":"readpast.ping","payload":{"fail":1},"maxAttempts":1,"batch":"year-end","wave":100},
             {"type":"readpast.ping","payload":{},"batch":"year-end","wave":200}]""");
    Await.until(SOON, () -> get("/batches/year-end").contains("has discarded jobs"));
    assertThat(get("/batches/year-end"))
        .contains("\"state\":\"OPEN\"")
        .contains("\"failurePolicy\":\"HOLD\"")
        .contains("\"wave\":200,\"live\":1,\"waiting\":1")
        .contains("\"heldBy\":[\"wave 100 has discarded jobs");

    assertThat(call("POST", "/batches/year-end/skip", "").status()).isEqualTo(202);
    awaitJob(ids.get(1), "\"state\":\"COMPLETED\"");
    assertThat(get("/jobs/" + ids.get(1)))
        .contains("\"batch\":\"year-end\"")
        .contains("\"wave\":200");

    var overtaken = call("POST", "/jobs/" + ids.get(0) + "/reset", "");
    assertThat(overtaken.status()).isEqualTo(409);
    assertThat(overtaken.detail()).contains("force=true");

    assertThat(call("POST", "/batches/year-end/seal", "").status()).isEqualTo(202);
    Await.until(SOON, () -> get("/batches/year-end").contains("\"state\":\"FINISHED\""));
    assertThat(get("/batches/year-end")).contains("\"event\":\"FINISH\"").contains("\"job\":");
    var late =
        call(
            "POST",
            "/queues/order/jobs",
            "{\"type\":\"readpast.ping\",\"payload\":{},\"batch\":\"year-end\"}");
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.detail()).contains("batch 'year-end' is sealed");
    assertThat(get("/batches?limit=1")).contains("\"name\":");
  }

  @Test
  void held_batch_is_shown_as_held_until_its_release() {
    List<Long> ids =
        enqueue(
            """
            [{"type":"readpast.ping","payload":{},"delay":"PT1H","batch":"held","wave":1},
             {"type":"readpast.ping","payload":{},"batch":"held","wave":2}]""");
    assertThat(call("POST", "/batches/held/hold", "").status()).isEqualTo(202);
    Await.until(SOON, () -> get("/batches/held").contains("\"heldAt\":"));
    assertThat(get("/batches/held")).contains("an operator put the batch on hold: release it");
    assertThat(get("/jobs/" + ids.get(1)))
        .contains("batch 'held' was put on hold by an operator: release it");
    assertThat(get("/overview")).contains("HELD_BATCHES");

    call("POST", "/jobs/" + ids.get(0) + "/cancellation", "");
    awaitJob(ids.get(0), "\"state\":\"CANCELLED\"");
    assertThat(get("/jobs/" + ids.get(1))).contains("\"state\":\"BLOCKED\"");
    assertThat(call("POST", "/batches/held/release", "").status()).isEqualTo(202);
    awaitJob(ids.get(1), "\"state\":\"COMPLETED\"");
  }

  @Test
  void names_with_slashes_are_used_in_paths_unchanged() {
    List<Long> ids =
        enqueue(
            """
            [{"type":"readpast.ping","payload":{},"delay":"PT1H","batch":"year/2026/close"}]""");
    assertThat(call("POST", "/batches/year/2026/close/seal", "").status()).isEqualTo(202);
    Await.until(SOON, () -> get("/batches/year/2026/close").contains("\"SEALED\""));
    assertThat(get("/batches/year/2026/close/graph")).contains("\"jobs\":[]");
    assertThat(call("PATCH", "/queues/order/groups/a/b", "{\"concurrency\":2}").body().toString())
        .contains("\"group\":\"a/b\"");
    assertThat(call("POST", "/queues/order/groups/a/b/skip", "").status()).isEqualTo(202);
    call("POST", "/jobs/" + ids.get(0) + "/cancellation", "");
    for (String name : List.of(".", "..", "a/../b", "/a", "a/", "a//b", "a\\\\b", "a/graph")) {
      var refused =
          call(
              "POST",
              "/queues/order/jobs",
              "{\"type\":\"readpast.ping\",\"payload\":{},\"batch\":\"" + name + "\"}");
      assertThat(refused.status()).as(name).isEqualTo(400);
      assertThat(refused.detail()).contains("part of a URL");
    }
  }

  @Test
  void cancelled_batch_ends_jobs_that_have_not_started() {
    List<Long> ids =
        enqueue(
            """
            [{"type":"readpast.ping","payload":{},"delay":"PT1H","batch":"cancelled"},
             {"type":"readpast.ping","payload":{},"batch":"cancelled","wave":1}]""");

    assertThat(call("POST", "/batches/cancelled/cancellation", "").status()).isEqualTo(202);

    awaitJob(ids.get(0), "\"state\":\"CANCELLED\"");
    awaitJob(ids.get(1), "\"state\":\"CANCELLED\"");
  }

  @Test
  void group_may_run_several_jobs_and_skips_a_discarded_job_on_request() {
    assertThat(call("PATCH", "/queues/order/groups/wide", "{\"concurrency\":2}").status())
        .isEqualTo(200);
    List<Long> wide =
        enqueue(
            """
            [{"type":"readpast.ping","payload":{"sleep":"PT3S"},"group":"wide"},
             {"type":"readpast.ping","payload":{"sleep":"PT3S"},"group":"wide"},
             {"type":"readpast.ping","payload":{},"group":"wide"}]""");
    awaitJob(wide.get(0), "\"state\":\"RUNNING\"");
    awaitJob(wide.get(1), "\"state\":\"RUNNING\"");
    assertThat(get("/jobs/" + wide.get(2))).contains("\"waitsFor\":\"GROUP\"");

    List<Long> held =
        enqueue(
            """
            [{"type":"readpast.ping","payload":{"fail":1},"maxAttempts":1,"group":"held","groupFailure":"HOLD"},
             {"type":"readpast.ping","payload":{},"group":"held"}]""");
    awaitJob(held.get(0), "\"state\":\"DISCARDED\"");
    assertThat(call("POST", "/queues/order/groups/held/skip", "").status()).isEqualTo(202);
    awaitJob(held.get(1), "\"state\":\"COMPLETED\"");
    awaitJob(wide.get(2), "\"state\":\"COMPLETED\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'readpast.ping','payload':{},'after':['x']} | 400 | no job of this call has that ref",
        "{'type':'readpast.ping','payload':{},'after':[99999999]} | 400 | job 99999999, which never existed",
        "{'type':'readpast.ping','payload':{},'after':[1.5]} | 400 | ids of jobs",
        "{'type':'readpast.ping','payload':{},'after':7} | 400 | an array",
        "{'type':'readpast.ping','payload':{},'wave':3} | 400 | name the batch",
        "{'type':'readpast.ping','payload':{},'batch':'b','wave':-1} | 400 | wave is -1",
        "{'type':'readpast.ping','payload':{},'group':''} | 400 | group is ''",
        "{'type':'readpast.ping','payload':{},'groupFailure':'CONTINUE'} | 400 | SKIP, HOLD",
        "{'type':'readpast.ping','payload':{},'predecessorFailure':1} | 400 | a string",
        "[{'type':'readpast.ping','payload':{},'ref':'a','after':['a']}] | 400 | a after a",
        "[{'type':'readpast.ping','payload':{},'ref':'a'},{'type':'readpast.ping','payload':{},'ref':'a'}] | 400 | two jobs",
      })
  void impossible_dependencies_are_refused(String job, int status, String says) {
    var answer = call("POST", "/queues/order/jobs", job.replace('\'', '"'));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(status);
    assertThat(answer.detail()).contains(says);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /batches/none, '', 404",
    "POST, /batches/none/seal, '', 404",
    "POST, /batches/none/seal, '{\"when\":1}', 400",
    "POST, /queues/order/purge, '{\"type\":\"t\"}', 400",
    "PUT, /batches/b, '{\"failurePolicy\":\"PANIC\"}', 400",
    "PUT, /batches/b, '{\"onSuccess\":{\"type\":\"t\",\"payload\":1}}', 400",
    "PUT, /batches/b, '{\"onSuccess\":{\"queue\":\"q\",\"type\":\"readpast.ping\",\"payload\":1,\"delay\":\"PT1H\"}}', 400",
    "PUT, /batches/b, '{\"onSuccess\":{\"queue\":\"..\",\"type\":\"readpast.ping\",\"payload\":1}}', 400",
    "PUT, /schedules/rule.x, '{\"every\":\"PT5M\",\"type\":\"readpast.ping\"}', 400",
    "PATCH, /queues/q/groups/g, '{\"concurrency\":0}', 400",
    "POST, /jobs/1/reset?force=perhaps, '', 400",
  })
  void invalid_settings_of_groups_and_batches_are_refused(
      String method, String path, String body, int status) {
    var answer = call(method, path, body);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(status);
    assertThat(answer.detail()).isNotEmpty();
  }
}
