package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.RawHttp;
import org.readpast.support.TestDatabase;

/** Sends every string to every place that accepts one. */
interface HostileTexts extends Attack {
  /** Reads the names of the tables, which SQL in a string could drop. */
  String TABLES = "select string_agg(tablename, ' ' order by tablename) from pg_tables";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /queues/%s/jobs",
        "PATCH /queues/%s {\"paused\":false}",
        "POST /queues/%s/jobs {\"type\":\"readpast.ping\",\"payload\":{}}",
        "POST /queues/%s/purge",
        "PATCH /queues/text/groups/%s {\"concurrency\":2}",
        "POST /queues/text/groups/%s/skip",
        "GET /jobs/%s",
        "POST /jobs/%s/run",
        "DELETE /jobs/%s",
        "GET /batches/%s",
        "GET /batches/%s/graph",
        "PUT /batches/%s {}",
        "POST /batches/%s/hold",
        "POST /batches/%s/release",
        "GET /schedules/%s",
        "PUT /schedules/%s {\"cron\":\"0 2 * * *\",\"type\":\"readpast.ping\",\"enabled\":false}",
        "GET /schedules/%s/runs",
        "GET /rules/%s",
        "POST /rules/%s/runs",
        "POST /nodes/%s/drain",
        "GET /%s",
        "GET /jobs?queue=%s",
        "GET /jobs?type=%s",
        "GET /jobs?state=%s",
        "GET /jobs?cursor=%s",
        "GET /jobs?limit=%s",
        "GET /jobs?%s=x",
        "GET /jobs/counts?q=%s",
        "GET /jobs/facets?q=%s",
        "GET /batches?state=%s",
        "GET /batches?cursor=%s",
        "GET /throughput?span=%s",
        "GET /throughput?queue=%s",
        "GET /throughput?type=%s",
        "GET /throughput?since=%s",
        "GET /throughput/breakdown?span=%s",
        "GET /throughput/breakdown?by=%s",
        "GET /throughput/breakdown?queue=%s",
        "GET /schedules?next=%s",
        "GET /sql/executions?job=%s",
        "GET /sql/executions?cursor=%s",
        "GET /audit?target=%s",
        "GET /audit?who=%s",
        "GET /audit?action=%s",
        "GET /audit?from=%s",
        "GET /audit?format=%s",
        "GET /audit?cursor=%s",
      })
  default void text_in_a_path_or_a_query_is_not_found_or_refused(String request) {
    String before = TestDatabase.value(database(), TABLES);
    String[] parts = request.split(" ", 3);
    for (String text : Corpus.texts(canary())) {
      String path = parts[1].replace("%s", Corpus.encoded(text));
      send(admin(), parts[0], "/readpast/api" + path, parts.length > 2 ? parts[2] : "");
    }
    assertThat(TestDatabase.value(database(), TABLES)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "queue:%s",
        "type:%s",
        "type:%s*",
        "state:%s",
        "group:%s",
        "batch:%s",
        "wave:%s",
        "version:%s",
        "uniqueKey:%s",
        "correlationId:%s",
        "node:%s",
        "error:%s",
        "error:\"%s\"",
        "payload.a:%s",
        "payload.%s:a",
        "payload.a.b.c:\"%s\"",
        "age>%s",
        "%s:x",
      })
  default void text_in_a_search_is_matched_literally(String search) {
    String before = TestDatabase.value(database(), TABLES);
    for (String text : Corpus.texts(canary())) {
      var answer = get("/jobs?q=" + Corpus.encoded(search.replace("%s", text)));
      if (answer.status() == 200 && search.contains("\"")) {
        assertThat(answer.body()).as(text).contains("\"jobs\":[]");
      }
    }
    assertThat(TestDatabase.value(database(), TABLES)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /queues/field/jobs {\"type\":%s,\"payload\":{}}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":\"AAAA\",\"contentType\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":%s,\"contentType\":\"image/png\"}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"delay\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"expiresIn\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"at\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"expiresAt\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"uniqueKey\":\"u\",\"replaceWaiting\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"uniqueKey\":\"u\",\"postpone\":%s,\"latestStart\":\"PT1M\"}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"uniqueKey\":\"u\",\"postpone\":\"PT0S\",\"latestStart\":%s}",
        "POST /jobs/1/reschedule {\"at\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"after\":[%s]}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"maxAttempts\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},\"predecessorFailure\":%s}",
        "POST /queues/field/jobs {\"type\":\"readpast.ping\",\"payload\":{},%s:1}",
        "PUT /batches/field {\"onFinish\":{\"type\":\"readpast.ping\",\"queue\":%s,\"payload\":{}}}",
        "PUT /batches/field {\"onFinish\":{\"type\":%s,\"queue\":\"q\",\"payload\":{}}}",
        "PUT /batches/field {\"failurePolicy\":%s}",
        "PUT /schedules/field {\"cron\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /schedules/field {\"daily\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /schedules/field {\"every\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /schedules/field {\"cron\":\"0 2 * * *\",\"zone\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /schedules/field {\"cron\":\"0 2 * * *\",\"queue\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /schedules/field {\"cron\":\"0 2 * * *\",\"latestStart\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /schedules/field {\"every\":\"PT5M\",\"anchor\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /schedules/field {\"cron\":\"0 2 * * *\",\"payload\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /rules/field {\"search\":%s,\"type\":\"readpast.ping\",\"enabled\":false}",
        "PUT /rules/field {\"search\":\"select 1 as id\",\"datasource\":%s,\"type\":\"readpast.ping\"}",
        "PUT /rules/field {\"search\":\"select 1 as id\",\"computation\":%s,\"type\":\"readpast.ping\"}",
        "PUT /rules/field {\"search\":\"select 1 as id\",\"schedule\":%s,\"type\":\"readpast.ping\"}",
        "POST /jobs/bulk {\"action\":%s,\"ids\":[1]}",
        "POST /jobs/bulk {\"action\":\"MOVE\",\"type\":%s,\"ids\":[1]}",
        "POST /jobs/bulk {\"action\":\"RESET\",\"ids\":[%s]}",
        "POST /jobs/bulk {\"action\":\"RESET\",\"matching\":{\"q\":%s}}",
        "POST /jobs/bulk {\"action\":\"RESET\",\"matching\":{\"queue\":%s,\"state\":\"DISCARDED\"}}",
        "POST /jobs/999999999/reset {\"payloadText\":%s}",
        "POST /jobs/999999999/priority {\"priority\":%s}",
        "PATCH /queues/field {\"concurrency\":%s}",
        "POST /session {\"name\":%s,\"password\":%s}",
      })
  default void text_in_a_field_is_stored_unchanged_or_refused(String request) {
    String before = TestDatabase.value(database(), TABLES);
    String[] parts = request.split(" ", 3);
    for (String text : Corpus.texts(canary())) {
      // The job type has no handler, because jobs that run would accumulate quickly.
      String body = parts[2].replace("%s", Corpus.json(text));
      send(admin(), parts[0], "/readpast/api" + parts[1], body);
    }
    assertThat(TestDatabase.value(database(), TABLES)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Idempotency-Key: %s",
        "X-CSRF-Token: %s",
        "Cookie: readpast=%s",
        "Accept: %s",
        "Accept-Language: %s",
        "If-None-Match: %s",
        "User-Agent: %s",
        "X-Forwarded-For: %s",
        "Forwarded: for=%s",
        "traceparent: 00-%s-00-01",
        "Authorization: %s",
        "Authorization: Basic %s",
        "Authorization: Bearer %s",
        "Content-Encoding: %s",
      })
  default void text_in_a_header_causes_no_server_error(String header) {
    for (String text : Corpus.texts(canary())) {
      // A line end would turn the rest of the text into another header.
      String value = text.replaceAll("[\\r\\n\\x00]", "?");
      if (value.length() < 2_000) {
        RawHttp http = header.startsWith("Authorization") ? http() : admin();
        send(http.with(header.formatted(value)), "GET", "/readpast/api/queues", "");
        send(
            http.with(header.formatted(value)),
            "POST",
            "/readpast/api/queues/header/jobs",
            "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
      }
    }
  }

  /** Accepted strings are returned unchanged, and pages show them as text. */
  @Test
  default void texts_of_a_job_are_returned_unchanged() {
    List<String> stored = new ArrayList<>();
    for (String text : Corpus.all(canary())) {
      String json = Corpus.json(text);
      for (String field : List.of("uniqueKey", "correlationId", "group", "batch")) {
        var answer =
            post(
                "/queues/stored/jobs",
                "{\"type\":\"readpast.ping\",\"payload\":{\"a\":%s},\"delay\":\"P1D\",\"%s\":%s}"
                    .formatted(json, field, json));
        boolean storable =
            !text.isEmpty()
                && text.length() <= 255
                && text.codePoints()
                    .noneMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE);
        boolean address = field.equals("batch") && text.matches("(?s).*[/\\\\.].*");
        if (!storable) {
          Attack.assertRefused(answer);
        } else if (answer.status() != 400 || !text.isBlank() && !address) {
          assertThat(answer.status()).as(field + " " + text + answer.body()).isEqualTo(201);
          JsonObject job = read(answer);
          assertThat(job.getString(field)).isEqualTo(text);
          assertThat(job.getJsonObject("payload").getString("a")).isEqualTo(text);
          stored.add(text);
        }
      }
    }
    assertThat(stored).containsAll(Corpus.MARKUP).containsAll(Corpus.SQL);
  }

  private static JsonObject read(RawHttp.Answer answer) {
    try (var reader = Json.createReader(new StringReader(answer.text()))) {
      return reader.readObject();
    }
  }

  @Test
  default void pages_never_execute_input_from_users() {
    List<Long> jobs = new ArrayList<>();
    for (String text : Corpus.MARKUP) {
      String json = Corpus.json(text);
      var answer =
          post(
              "/queues/shown/jobs",
              """
              {"type":"readpast.ping","delay":"P1D","payload":{"a":%1$s,%1$s:[%1$s]},"uniqueKey":%2$s,
               "correlationId":%1$s,"group":%1$s,"batch":%1$s,"properties":{%1$s:%1$s,"p":%1$s}}"""
                  .formatted(json, Corpus.json(text + "!")));
      if (answer.status() == 201) {
        jobs.add(read(answer).getJsonNumber("id").longValue());
      }
    }
    assertThat(jobs).hasSizeGreaterThanOrEqualTo(Corpus.MARKUP.size() - 1);
    // A name with two consecutive slashes is not the name of a batch.
    window().expectFault("status of 400");
    signIn();
    List<String> pages = new ArrayList<>();
    jobs.forEach(job -> pages.add("jobs/" + job));
    Corpus.MARKUP.forEach(text -> pages.add("batches/" + Corpus.encoded(text)));
    pages.addAll(
        List.of("overview", "jobs?q=queue:shown", "queues", "batches", "schedules", "audit"));
    pages.addAll(List.of("about", "nodes"));
    for (String page : pages) {
      window().page().navigate("about:blank");
      window().open("#/" + page);
      window().page().locator("main h1").waitFor();
      PlaywrightAssertions.assertThat(window().page().locator(".skeleton:visible")).hasCount(0);
      assertThat(window().page().evaluate("typeof hacked")).as(page).isEqualTo("undefined");
      assertThat(
              window()
                  .page()
                  .locator("img[src=x], main script, svg[onload], iframe, a[href^=javascript]")
                  .count())
          .as(page)
          .isZero();
    }
  }
}
