package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sends bodies that are very large, deeply nested, of another content type, or meant for another
 * parser.
 */
interface HostileBodies extends Attack {
  int LARGE = 10 << 20;

  /** Contains every route that reads a body. */
  List<String> READERS =
      List.of(
          "POST /session",
          "POST /queues/body/jobs",
          "PATCH /queues/body",
          "POST /jobs/999999999/reset",
          "POST /jobs/999999999/run",
          "POST /jobs/999999999/priority",
          "POST /jobs/999999999/reschedule",
          "POST /jobs/bulk",
          "PUT /batches/body",
          "POST /batches/body/hold",
          "PATCH /queues/body/groups/g",
          "PUT /schedules/body",
          "PATCH /schedules/body",
          "PUT /rules/body",
          "PATCH /rules/body");

  static List<String> bodies() {
    List<String> bodies = new ArrayList<>();
    bodies.add("[".repeat(10_000) + "]".repeat(10_000));
    bodies.add("{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000));
    bodies.add("[".repeat(10_000));
    bodies.add("{\"" + "a".repeat(100_000) + "\":1}");
    bodies.add("[" + "1".repeat(100_000) + "]");
    bodies.add("-");
    bodies.add("1e999999999");
    bodies.add("\"\\ud800\"");
    bodies.add("{\"a\":1,\"a\":2}");
    bodies.add("{}{}");
    bodies.add("\0");
    bodies.add("null");
    bodies.add("<!DOCTYPE x [<!ENTITY y SYSTEM \"file:///etc/passwd\">]><x>&y;</x>");
    bodies.add("--- !!javax.script.ScriptEngineManager [1]");
    return bodies;
  }

  @Test
  default void malformed_body_is_refused_by_every_reader() {
    for (String reader : READERS) {
      String[] parts = reader.split(" ");
      for (String body : bodies()) {
        var answer = send(admin(), parts[0], "/readpast/api" + parts[1], body);
        // A route that takes no body ignores the body of a request.
        if (!reader.matches(".*/(run|hold|reset)")) {
          Attack.assertRefused(answer);
        }
      }
    }
  }

  @Test
  default void large_body_is_refused_by_every_reader() {
    String large = "{\"a\":\"" + "x".repeat(LARGE) + "\"}";
    for (String reader : READERS) {
      String[] parts = reader.split(" ");
      var answer = send(admin(), parts[0], "/readpast/api" + parts[1], large);
      assertThat(answer.status()).as(reader).isIn(400, 404, 413);
    }
  }

  @Test
  default void serialized_objects_are_not_read() {
    var serialized = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(serialized)) {
      out.writeObject(new HashMap<>(java.util.Map.of("a", 1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (String type :
        List.of(
            "application/json",
            "application/x-java-serialized-object",
            "application/octet-stream")) {
      for (String reader : READERS) {
        String[] parts = reader.split(" ");
        var http = http().as("admin:" + Secrets.ADMIN).with("Content-Type: " + type);
        var answer = http.send(parts[0], "/readpast/api" + parts[1], serialized.toByteArray());
        assertThat(answer.status()).as("%s as %s", reader, type).isBetween(400, 499);
      }
    }
  }

  /** Names of types in a payload are treated as data. */
  @Test
  default void gadgets_are_stored_as_data_and_never_instantiated() {
    for (String gadget : Corpus.gadgets(canary())) {
      for (String type : List.of("readpast.ping", "sql", "readpast.rule")) {
        var answer =
            post(
                "/queues/gadget/jobs",
                "{\"type\":\"" + type + "\",\"maxAttempts\":1,\"payload\":" + gadget + "}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        assertThat(answer.body()).contains("\"payload\":" + gadget);
      }
    }
    // The jobs are also run, and the end of the test checks that no address was contacted.
    org.readpast.support.Await.until(
        java.time.Duration.ofSeconds(30),
        () -> get("/jobs?q=queue:gadget%20state:AVAILABLE").body().contains("\"jobs\":[]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/xml",
        "text/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/x-yaml",
        "application/json5",
        "application/json; charset=utf-7",
        "application/json; charset=utf-16",
        "garbage",
        "",
      })
  default void body_is_read_only_in_its_declared_content_type(String type) {
    byte[] xml =
        "<!DOCTYPE x [<!ENTITY y SYSTEM \"file:///etc/passwd\">]><x>&y;</x>"
            .getBytes(StandardCharsets.UTF_8);
    var http = http().as("admin:" + Secrets.ADMIN).with("Content-Type: " + type);
    var answer = http.send("POST", "/readpast/api/queues/kind/jobs", xml);
    assertThat(answer.status()).isIn(400, 415);
    assertThat(answer.body()).doesNotContain("root:");
  }
}
