package org.readpast.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.LEASED;
import static org.readpast.server.recovery.Effects.REPORTING;
import static org.readpast.server.recovery.Effects.TRANSACTIONAL;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Await;
import org.readpast.support.Http;
import org.readpast.support.PostgresProcess;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/** Crashes PostgreSQL under load and restarts it after a while; all tests share one outage. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabaseOutageIT {
  private static final Duration RESUMED = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(60);
  // A node reports that it is not ready when three heartbeats have had no response.
  private static final Duration NOTICED = Duration.ofSeconds(15);
  private static final Duration RESOLVED = Duration.ofSeconds(3);
  private static final Duration THROUGHOUT = Duration.ofSeconds(45);
  private static final Duration MEASURED = Duration.ofSeconds(10);

  private final TestPostgres postgres = TestPostgres.durable();
  private final PostgresProcess process = postgres.process();
  private final Effects effects = new Effects(postgres.newDatabase());
  private final ServerProcess server = ServerProcess.of(effects.server("outage"));

  private int readyDuring;
  private int liveDuring;
  private int readyAfter;
  private int liveAfter;
  private double cores;
  private Duration untilResumed;

  @BeforeAll
  void jobs_run_through_an_outage() throws Exception {
    server.start();
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      effects.enqueue(server, type, 2_000, Does.sleep(25));
    }
    Await.until(SOON, "work", () -> ended(TRANSACTIONAL) >= 100 && ended(LEASED) >= 100);

    // Three of the enqueued jobs fail during the outage, when no failure can be stored, and one
    // runs until the outage has ended.
    effects.enqueue(server, REPORTING, 3, Does.sleep(RESOLVED.toMillis()));
    effects.enqueue(server, REPORTING, 1, Does.sleep(THROUGHOUT.toMillis()));
    Await.until(SOON, "four jobs that report", () -> effects.logged("tick 1") == 4);

    process.stopImmediately();
    // The JIT compiler is still busy with code that the load has used.
    passes(RESOLVED);
    Duration before = cpu();
    passes(MEASURED);
    cores = (double) cpu().minus(before).toNanos() / MEASURED.toNanos();
    Await.until(NOTICED, "unreadiness", () -> status("/health/ready") == 503);
    readyDuring = status("/health/ready");
    liveDuring = status("/health/live");

    process.start();
    long back = System.nanoTime();
    long endedBefore = ended(TRANSACTIONAL);
    long leasedBefore = ended(LEASED);
    Await.until(
        RESUMED.plus(SOON),
        "resumed work",
        () -> ended(TRANSACTIONAL) > endedBefore && ended(LEASED) > leasedBefore);
    untilResumed = Duration.ofNanos(System.nanoTime() - back);
    effects.awaitAllEnded(SOON);
    Await.until(NOTICED, "readiness", () -> status("/health/ready") == 200);
    readyAfter = status("/health/ready");
    liveAfter = status("/health/live");
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void work_resumes_without_intervention() {
    assertThat(untilResumed).isLessThan(RESUMED);
  }

  @Test
  void every_job_completes_without_a_duplicate_transactional_effect() {
    effects.assertCompletedOnce();
  }

  @Test
  void server_does_not_poll_constantly_during_the_outage() {
    assertThat(cores).as("processor cores in use during the outage").isLessThan(0.4);
  }

  @Test
  void server_is_not_ready_during_the_outage_and_always_alive() {
    assertThat(readyDuring).isEqualTo(503);
    assertThat(liveDuring).isEqualTo(200);
    assertThat(readyAfter).isEqualTo(200);
    assertThat(liveAfter).isEqualTo(200);
  }

  @Test
  void attempts_that_failed_during_the_outage_are_recorded_later() {
    assertThat(
            effects.count(
                "select count(*) from readpast_failure f join readpast_job_history h on h.id = f.job_id"
                    + " where h.type = '"
                    + REPORTING
                    + "'"))
        .isPositive();
    // No other node exists that could take over a job.
    assertThat(server.log()).content().doesNotContain("READPAST-0012");
  }

  @Test
  void progress_reports_during_the_outage_are_stored_later() {
    long ticks = THROUGHOUT.toMillis() / 100;
    assertThat(
            effects.column(
                """
                select attempt || ' ' || line from readpast_log where job_id =
                  (select job_id from readpast_progress where total = %1$d and done = %1$d) order by id"""
                    .formatted(ticks)))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, ticks).mapToObj(tick -> "1 tick " + tick).toList());
  }

  @Test
  void node_is_not_declared_dead_during_the_outage() {
    assertThat(effects.column("select state from readpast_node")).containsExactly("ACTIVE");
  }

  @Test
  void server_logs_the_outage_once_for_its_application() throws IOException {
    List<String> lines;
    try (var all = Files.lines(server.log())) {
      lines = all.filter(line -> line.contains("READPAST-00")).toList();
    }
    assertThat(lines)
        .filteredOn(line -> line.contains("READPAST-0040"))
        .singleElement()
        .asString()
        // Payara uses the deployed name of an application, and Open Liberty uses the name of its
        // file.
        .containsPattern("application '(outage|readpast)'")
        .contains("Connection to localhost:" + process.port());
    assertThat(lines)
        .as("failures during the outage")
        .noneMatch(
            line -> line.matches(".*READPAST-00(03|04|07|10|11|14|15|16|21|22|27|30|39|50) .*"));
  }

  private static void passes(Duration span) {
    long end = System.nanoTime() + span.toNanos();
    Await.until(span.multipliedBy(2), "the end of " + span, () -> System.nanoTime() - end >= 0);
  }

  private long ended(String type) {
    return effects.count("select count(*) from readpast_job_history where type = '" + type + "'");
  }

  private int status(String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(server.uri(path)).timeout(Duration.ofSeconds(5)).build();
    return Http.CLIENT.send(request, BodyHandlers.discarding()).statusCode();
  }

  private Duration cpu() {
    return ProcessHandle.of(server.pid())
        .flatMap(handle -> handle.info().totalCpuDuration())
        .orElseThrow();
  }
}
