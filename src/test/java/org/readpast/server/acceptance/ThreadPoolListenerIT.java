package org.readpast.server.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.readpast.support.Acceptance;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Command;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests the requirements of a thread-pool listener on a server with four workers: waiting needs
 * only one thread, an unavailable database is rarely polled, and no queue starves another. The last
 * test leaves jobs that run for ten minutes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ThreadPoolListenerIT {
  private static final String PASSWORD = "listener";
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration DRAINED = Duration.ofSeconds(Acceptance.size(60, 240));
  private static final Duration OUTAGE = Duration.ofSeconds(Acceptance.size(15, 60));
  private static final int QUEUES = 200;

  private final TestPostgres postgres = TestPostgres.durable();
  private final Database database = postgres.newDatabase();
  private ServerProcess server;

  @BeforeAll
  void start() {
    Path war = BuildDirectories.run("listener.war");
    war.getParent().toFile().mkdirs();
    Deployments.readpast(TimedWork.class, TimedWork.Work.class)
        .as(ZipExporter.class)
        .exportTo(war.toFile(), true);
    server =
        ServerProcess.of(
            ServerSpec.named("listener", database)
                .withApplication("readpast", war)
                .withProperty("readpast.worker.concurrency", "4")
                .withProperty("readpast.worker.queue-concurrency", "4")
                .withProperty("readpast.queue.\"bulk\".work-time-limit", "PT0.2S")
                .withAdmin(PASSWORD));
    server.start();
  }

  @AfterAll
  void end() {
    if (server != null && server.isAlive()) {
      server.kill();
    }
  }

  @Test
  @Order(1)
  void two_hundred_empty_queues_need_one_waiting_thread() throws Exception {
    database.execute(
        "insert into readpast_queue (name) select 'empty-' || n from generate_series(1, "
            + QUEUES
            + ") n; notify readpast, '!empty'");
    // The server serves all queues of the test, because a job in any of them starts soon.
    for (int queue : new int[] {1, QUEUES / 2, QUEUES}) {
      enqueue("empty-" + queue, 1, 0);
    }
    awaitEnded("empty-%", 3);
    Set<String> waiting = threadsOfReadpast();
    for (int dump = 0; dump < 4; dump++) {
      // The threads of the heartbeat, the watchdog and maintenance are short-lived, but a waiting
      // thread is in each thread dump.
      waiting.retainAll(threadsOfReadpast());
    }
    assertThat(waiting).as("waiting threads").hasSize(1);
  }

  /** Returns the threads that have the engine in their stacks, by name and id. */
  private Set<String> threadsOfReadpast() {
    String dump =
        Command.runOrFail(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                "Thread.print"),
            Path.of("."),
            Map.of());
    Set<String> threads = new HashSet<>();
    for (String thread : dump.split("\n\n")) {
      if (thread.contains("at org.readpast.engine.")) {
        threads.add(thread.strip().split(" os_prio")[0]);
      }
    }
    return threads;
  }

  @Test
  @Order(2)
  void queue_with_a_work_time_limit_does_not_starve_another_queue() throws Exception {
    int jobs = Acceptance.size(1_000, 10_000);
    int others = 10;
    enqueue("other", 1, 0);
    awaitEnded("other", 1);
    enqueue("bulk", jobs, 20);
    Await.until(SOON, "the flood", () -> ended("bulk") >= jobs / 20);
    for (int i = 1; i <= others; i++) {
      enqueue("other", 1, 0);
      awaitEnded("other", 1 + i);
    }
    assertThat(ended("bulk")).as("jobs drained by then").isLessThan(jobs);
    assertThat(startedLate("other")).isEmpty();
    awaitEnded("bulk", jobs, DRAINED);
  }

  @Test
  @Order(3)
  void unavailable_database_is_rarely_polled() throws Exception {
    long endedBefore = ended("%");
    int jobs = 400;
    enqueue("bulk", jobs / 2, 20);
    enqueue("other", jobs / 2, 20);
    Await.until(SOON, "work", () -> ended("%") > endedBefore + 40);
    long before = failedLooks();
    postgres.process().stopImmediately();
    long end = System.nanoTime() + OUTAGE.toNanos();
    send("GET", "/queues", "", 503);
    Await.until(OUTAGE.plus(SOON), "the end of the outage", () -> System.nanoTime() - end >= 0);
    postgres.process().start();
    Await.until(DRAINED, "the rest of the work", () -> ended("%") == endedBefore + jobs);
    // Heartbeats store the counters.
    long beat =
        TestDatabase.count(
            database, "select cast(extract(epoch from clock_timestamp()) as bigint)");
    Await.until(
        SOON,
        "two heartbeats",
        () ->
            TestDatabase.count(
                    database,
                    "select count(*) from readpast_node where state = 'ACTIVE' and beat_at > to_timestamp("
                        + (beat + 4)
                        + ")")
                == 1);
    assertThat(failedLooks() - before)
        .as("polls in an outage of %s", OUTAGE)
        .isPositive()
        .isLessThan(OUTAGE.toSeconds());
    assertThat(Files.readString(server.log()))
        .containsOnlyOnce("READPAST-0040")
        .doesNotContain("READPAST-0503");
  }

  /** Returns the number of polls by receivers, according to their counters. */
  private long failedLooks() {
    return TestDatabase.count(database, "select coalesce(sum(errors), 0) from readpast_listener");
  }

  @Test
  @Order(4)
  void reserved_worker_is_free_while_another_queue_floods_the_node() throws Exception {
    enqueue("urgent", 1, 0);
    awaitEnded("urgent", 1);
    send("PATCH", "/queues/urgent", "{\"reserved\":1}", 200);
    enqueue("flood", 20, Duration.ofMinutes(10).toMillis());
    Await.until(SOON, "the flood", () -> running("flood") == 3);
    for (int i = 2; i <= 6; i++) {
      enqueue("urgent", 1, 0);
      awaitEnded("urgent", i);
    }
    assertThat(startedLate("urgent")).isEmpty();
    assertThat(running("flood")).isEqualTo(3);
  }

  private long running(String queue) {
    return TestDatabase.count(
        database,
        "select count(*) from readpast_job where state = 'RUNNING' and queue = '" + queue + "'");
  }

  /** Returns the jobs that started more than a second after they arrived. */
  private List<String> startedLate(String queue) {
    return TestDatabase.column(
        database,
        "select started_at - enqueued_at from readpast_job_history where queue = '"
            + queue
            + "' and started_at > enqueued_at + interval '1 second'");
  }

  private void enqueue(String queue, int jobs, long millis) throws Exception {
    List<String> all =
        new ArrayList<>(
            Collections.nCopies(
                jobs, "{\"type\":\"timed.work\",\"payload\":{\"millis\":" + millis + "}}"));
    send("POST", "/queues/" + queue + "/jobs", "[" + String.join(",", all) + "]", 201);
  }

  private void send(String method, String path, String body, int expected) throws Exception {
    var request =
        HttpRequest.newBuilder(server.uri("/readpast/api" + path))
            .timeout(Duration.ofMinutes(1))
            .header("Content-Type", "application/json")
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(("admin:" + PASSWORD).getBytes(UTF_8)))
            .method(method, BodyPublishers.ofString(body));
    var answer = Http.CLIENT.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
  }

  private void awaitEnded(String queue, long jobs) {
    awaitEnded(queue, jobs, SOON);
  }

  private void awaitEnded(String queue, long jobs, Duration limit) {
    Await.until(limit, jobs + " ended in " + queue, () -> ended(queue) == jobs);
  }

  private long ended(String queue) {
    return TestDatabase.count(
        database,
        "select count(*) from readpast_job_history where state = 'COMPLETED' and queue like '"
            + queue
            + "'");
  }
}
