package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.support.Acceptance;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests the archive design: a rule finds the objects, agents archive them, and the number of agents
 * changes during the work. The server has a heap of 512 MB.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchivingAgentsIT {
  private static final int OBJECTS = Acceptance.size(25_000, 1_000_000);
  private static final Duration QUEUED_WITHIN = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration DRAINED_WITHIN = Duration.ofMinutes(Acceptance.size(3, 60));
  private static final Duration AT_WORK = Duration.ofSeconds(Acceptance.size(1, 4));

  private final Database database = TestPostgres.shared().newDatabase();
  private final ServerProcess server = ServerProcess.of(spec());
  private final RestApi admin = new RestApi(server, "admin:agents");

  private ServerSpec spec() {
    Path war = BuildDirectories.run("agents.war");
    war.getParent().toFile().mkdirs();
    Deployments.readpast(ObjectArchiver.class, ObjectArchiver.ArchiveObject.class)
        .as(ZipExporter.class)
        .exportTo(war.toFile(), true);
    return ServerSpec.named("agents", database)
        .withApplication("readpast", war)
        .withProperty("readpast.sql.datasources", "jdbc/readpast")
        .withProperty("readpast.worker.concurrency", "60")
        .withProperty("readpast.lease", "PT5S")
        .withAdmin("agents");
  }

  @BeforeAll
  void start() {
    database.execute("create table object (id bigint primary key, content text not null)");
    database.execute("create table archived (id bigint not null, digest text not null)");
    database.execute(
        "insert into object select i, repeat(md5(i::text), 3) from generate_series(1, %d) i"
            .formatted(OBJECTS));
    database.execute("analyze object");
    server.start();
    // The queue is created with its first job; the number of agents is set before any job exists.
    admin.post("/queues/archive/jobs", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    agents(2);
  }

  @AfterAll
  void end() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void rule_fills_the_queue_and_agents_archive_each_object_once_while_their_number_changes() {
    RestApi.Reply defined =
        admin.send(
            "PUT",
            "/rules/objects",
            """
            {"search": "select id as \\"objectId\\" from object order by id",
             "type": "object.archive", "queue": "archive"}""");
    assertThat(defined.status()).as("%s", defined.body()).isEqualTo(201);

    JsonObject filled = fill();
    assertThat(report(filled)).containsExactly((long) OBJECTS, (long) OBJECTS, 0L);
    Duration took =
        Duration.between(
            Instant.parse(filled.getString("startedAt")),
            Instant.parse(filled.getString("endedAt")));
    System.out.printf("queued %d objects in %s while two agents worked%n", OBJECTS, took);
    assertThat(took).isLessThan(QUEUED_WITHIN);

    assertThatAgentsBecome(2);
    assertThatAgentsBecome(50);
    JsonObject again = fill();
    assertThat(again.getInt("new")).as("new while agents work").isZero();
    assertThatAgentsBecome(3);

    long start = System.nanoTime();
    for (int i = 0; left() > 0; i++) {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(DRAINED_WITHIN);
      agents(List.of(20, 50, 3, 12, 30).get(i % 5));
      long change = System.nanoTime();
      Await.until(
          SOON,
          "the next change",
          () -> left() == 0 || System.nanoTime() - change > AT_WORK.toNanos());
    }
    Await.until(
        SOON, () -> count("select count(*) from readpast_job where queue = 'archive'") == 0);

    assertThat(count("select count(*) from archived")).isEqualTo(OBJECTS);
    assertThat(count("select count(distinct id) from archived")).isEqualTo(OBJECTS);
    assertThat(
            TestDatabase.column(
                database,
                """
                select state || ' ' || count(*) from readpast_job_history
                where type = 'object.archive' group by state"""))
        .containsExactly("COMPLETED " + OBJECTS);
    assertThat(count("select count(*) from readpast_failure where kind <> 'RETRY_LATER'")).isZero();
    assertThat(report(fill())).containsExactly(0L, 0L, 0L);
  }

  private JsonObject fill() {
    RestApi.Reply started = admin.post("/rules/objects/runs", "");
    assertThat(started.status()).as("%s", started.body()).isEqualTo(202);
    int job = started.object().getInt("id");
    Await.until(
        Duration.ofMinutes(3),
        "end of the fill",
        () -> !run(job).getString("state").equals("RUNNING"));
    assertThat(run(job).getString("state")).as("%s", run(job)).isEqualTo("COMPLETED");
    return run(job);
  }

  private JsonObject run(int job) {
    return admin.get("/rules/objects/runs").body().asJsonArray().stream()
        .map(run -> run.asJsonObject())
        .filter(run -> run.getInt("job") == job)
        .findFirst()
        .orElseThrow();
  }

  private static List<Long> report(JsonObject run) {
    return List.of(
        run.getJsonNumber("found").longValue(),
        run.getJsonNumber("new").longValue(),
        run.getJsonNumber("skipped").longValue());
  }

  /**
   * Checks the list of queues, which shows the number immediately, and the list of nodes, which
   * shows it after the next heartbeat.
   */
  private void assertThatAgentsBecome(int number) {
    agents(number);
    Await.until(
        SOON,
        number + " busy agents",
        () ->
            admin.get("/nodes").body().asJsonArray().getJsonObject(0).getInt("receivers")
                == number);
    assertThat(left()).as("objects left: enough to see the agents").isPositive();
  }

  private void agents(int number) {
    RestApi.Reply changed =
        admin.send("PATCH", "/queues/archive", "{\"concurrency\":" + number + "}");
    assertThat(changed.status()).as("%s", changed.body()).isEqualTo(200);
    assertThat(
            admin.get("/queues").body().asJsonArray().stream()
                .map(queue -> queue.asJsonObject())
                .filter(queue -> queue.getString("name").equals("archive"))
                .map(queue -> queue.getInt("concurrency")))
        .containsExactly(number);
  }

  private long left() {
    return count("select count(*) from (select 1 from object limit 1) o");
  }

  private long count(String sql) {
    return TestDatabase.count(database, sql);
  }
}
