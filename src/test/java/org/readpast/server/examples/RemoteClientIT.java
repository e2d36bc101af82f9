package org.readpast.server.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests {@code src/examples/remote-client}, which calls Readpast and is called by it through EJBs
 * only.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemoteClientIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Database database = TestPostgres.shared().newDatabase();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named("remote-client", database)
              .withRemoteEjbs()
              .withApplication(
                  "remote-client",
                  Path.of("target/examples/remote-client/target/remote-client.war"))
              .withApplication("readpast", BuildDirectories.war())
              .withProperty("remote-client.password", "secret")
              .withProperty("readpast.ejb.allow", "java:global/remote-client/")
              .withProperty(
                  "readpast.type.\"booking.confirm\".ejb",
                  "java:global/remote-client/ConfirmationBean!org.readpast.api.RemoteJobHandler")
              .withProperty("readpast.type.\"booking.confirm\".delay", "PT0.1S")
              .withProperty("readpast.queue.\"kitchen\".roles.operator", "employee")
              .withProperty("readpast.queue.\"vault\".roles.operator", "guard"));

  @BeforeAll
  void start() {
    server.start();
    Await.until(LIMIT, "the application", () -> get("clerk", "jobs/1").statusCode() == 404);
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void row_and_job_commit_together_and_the_ejb_of_the_application_runs_the_job() throws Exception {
    long job = booked("sunny");

    assertThat(get("clerk", "jobs/" + job).body())
        .isEqualTo("COMPLETED {\"confirmed\":\"sunny\",\"desk\":\"1\"}");
    assertThat(confirmations("sunny")).isEqualTo(1);
    assertThat(
            TestDatabase.value(
                database,
                "select queue || ' ' || unique_key from readpast_job_history where id = " + job))
        .isEqualTo("bookings room-sunny");
  }

  @Test
  void rollback_of_the_caller_leaves_neither_row_nor_job() throws Exception {
    assertThat(post("clerk", "gone?guestLeaves=true").statusCode()).isEqualTo(409);
    assertThat(count("select count(*) from booking where room = 'gone'")).isZero();
    assertThat(jobsOf("gone")).isZero();
  }

  @Test
  void failed_attempt_rolls_back_the_writes_of_the_ejb() throws Exception {
    long locked = booked("locked");
    assertThat(get("clerk", "jobs/" + locked).body()).startsWith("COMPLETED");
    assertThat(confirmations("locked")).isEqualTo(1);
    assertThat(count("select count(*) from readpast_failure where job_id = " + locked))
        .isEqualTo(1);
  }

  @Test
  void ejb_can_request_a_retry_or_discard_the_job() throws Exception {
    long dusty = booked("dusty");
    assertThat(get("clerk", "jobs/" + dusty).body()).startsWith("COMPLETED");
    assertThat(
            TestDatabase.value(
                database,
                "select attempt || ' ' || uncounted from readpast_job_history where id = " + dusty))
        .isEqualTo("2 1");
    assertThat(confirmations("dusty")).isEqualTo(1);

    long flooded = booked("flooded");
    assertThat(get("clerk", "jobs/" + flooded).body()).isEqualTo("DISCARDED null");
    assertThat(
            TestDatabase.value(
                database, "select message from readpast_failure where job_id = " + flooded))
        .isEqualTo("room flooded is under water");
    assertThat(confirmations("flooded")).isZero();
  }

  @Test
  void caller_without_the_role_is_refused_and_its_row_rolled_back() throws Exception {
    HttpResponse<String> refused = post("trainee", "secret-room");

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
    assertThat(refused.body()).startsWith("FORBIDDEN ");
    assertThat(count("select count(*) from booking where room = 'secret-room'")).isZero();
    assertThat(jobsOf("secret-room")).isZero();
  }

  /** Payara knows only those roles of an EJB's caller that the EJB declares. */
  @Test
  void queue_roles_apply_to_callers_from_another_application() throws Exception {
    long vault = waiting("vault");
    long kitchen = waiting("kitchen");
    assertThat(post("clerk", "jobs/" + vault + "/cancellation").body())
        .startsWith("NOT_FOUND job " + vault);
    HttpResponse<String> cancelled = post("trainee", "jobs/" + kitchen + "/cancellation");
    if (System.getProperty("readpast.server", "liberty").equals("liberty")) {
      assertThat(cancelled.body()).isEqualTo("true");
      assertThat(post("trainee", "jobs/" + waiting("bookings") + "/cancellation").body())
          .startsWith("NOT_FOUND job ");
    } else {
      assertThat(cancelled.body()).startsWith("FORBIDDEN");
    }
  }

  @Test
  void waiting_job_is_rescheduled_run_and_cancelled_by_its_key() throws Exception {
    long job = waiting("bookings");
    String later = "2099-01-01T06:00:00Z";
    assertThat(post("clerk", "jobs/" + job + "/reschedule?at=" + later).statusCode())
        .isEqualTo(204);
    assertThat(count("select extract(year from available_at) from readpast_job where id = " + job))
        .isEqualTo(2099);
    assertThat(post("clerk", "jobs/" + job + "/reschedule?at=tomorrow").body())
        .contains("tomorrow");

    assertThat(post("clerk", "jobs/" + job + "/run").statusCode()).isEqualTo(204);
    assertThat(TestDatabase.stateOf(database, job)).isEqualTo("AVAILABLE");
    assertThat(post("clerk", "jobs/" + job + "/run").body()).startsWith("CONFLICT job " + job);

    database.execute("update readpast_job set unique_key = 'room-free' where id = " + job);
    assertThat(post("clerk", "free/cancellation").body()).isEqualTo("true");
    assertThat(TestDatabase.stateOf(database, job)).isEqualTo("CANCELLED");
    assertThat(post("clerk", "free/cancellation").body()).startsWith("NOT_FOUND");
  }

  private long waiting(String queue) {
    return count(
        """
        insert into readpast_job (id, queue, type, state, available_at, payload)
        values (nextval('readpast_job_id'), '%s', 'none', 'SCHEDULED', now() + interval '1 hour', '{}') returning id"""
            .formatted(queue));
  }

  @Test
  void refusal_arrives_as_a_typed_exception() throws Exception {
    assertThat(get("clerk", "jobs/987654321").body()).startsWith("NOT_FOUND job 987654321");
    long job = booked("ended");
    assertThat(get("clerk", "jobs/" + job).body()).startsWith("COMPLETED");
    HttpResponse<String> conflict = post("clerk", "jobs/" + job + "/cancellation");
    assertThat(conflict.statusCode()).isEqualTo(409);
    assertThat(conflict.body()).startsWith("CONFLICT job " + job + " is COMPLETED");
  }

  private long booked(String room) throws IOException, InterruptedException {
    HttpResponse<String> answer = post("clerk", room);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return Long.parseLong(answer.body());
  }

  private long confirmations(String room) {
    return count("select confirmations from booking where room = '" + room + "'");
  }

  private long jobsOf(String room) {
    return count(
        "select count(*) from (select unique_key from readpast_job union all select unique_key from"
            + " readpast_job_history) j where unique_key = 'room-"
            + room
            + "'");
  }

  private long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  private HttpResponse<String> get(String user, String path)
      throws IOException, InterruptedException {
    return send(user, path, "GET");
  }

  private HttpResponse<String> post(String user, String path)
      throws IOException, InterruptedException {
    return send(user, path, "POST");
  }

  private HttpResponse<String> send(String user, String path, String method)
      throws IOException, InterruptedException {
    String login = Base64.getEncoder().encodeToString((user + ":secret").getBytes(UTF_8));
    return Http.CLIENT.send(
        HttpRequest.newBuilder(server.uri("/remote-client/bookings/" + path))
            .header("Authorization", "Basic " + login)
            .timeout(Duration.ofMinutes(1))
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }
}
