package org.readpast.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.LEASED;
import static org.readpast.server.recovery.Effects.TRANSACTIONAL;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * Tests two servers on one database. Each test starts the servers that it needs unless they are
 * running; the order of the tests reduces the number of starts.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TakeoverBetweenServersIT {
  private static final Duration TAKEOVER = Duration.ofSeconds(25);
  private static final Duration TAKEOVER_OF_FROZEN = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofSeconds(30);
  // Jobs are blocked for longer than any test waits, and for less than the time limit of a
  // transactional job.
  private static final Duration HELD = Duration.ofSeconds(50);

  private final Database database = TestPostgres.shared().newDatabase();
  private final Effects effects = new Effects(database);
  private final ServerProcess first =
      ServerProcess.of(
          effects
              .server("takeover-first")
              .withProperty("readpast.worker.queues", TRANSACTIONAL + "," + LEASED));
  // This server polls within seconds only if it receives a notification, because its poll interval
  // is long.
  private final ServerProcess second =
      ServerProcess.of(
          effects.server("takeover-second").withProperty("readpast.poll-interval", "PT30S"));

  @BeforeAll
  void both_servers_start_concurrently_on_an_empty_database() {
    var other = CompletableFuture.runAsync(second::start);
    first.start();
    other.join();
  }

  @AfterAll
  void endServers() {
    for (var server : new ServerProcess[] {first, second}) {
      if (server.isAlive()) {
        server.kill();
      }
    }
  }

  @AfterEach
  void thaw() {
    if (second.isAlive()) {
      second.thaw();
    }
  }

  private static void up(ServerProcess... servers) {
    for (var server : servers) {
      if (!server.isAlive()) {
        server.start();
      }
    }
  }

  @Test
  @Order(1)
  void concurrent_starts_create_the_tables_once() {
    up(first, second);
    assertThat(effects.count("select count(*) from readpast_databasechangelog"))
        .isPositive()
        .isEqualTo(effects.count("select count(distinct id) from readpast_databasechangelog"));
    assertThat(effects.count("select count(*) from readpast_databasechangeloglock where locked"))
        .isZero();
    assertThat(effects.column("select name from readpast_node where state = 'ACTIVE' order by 1"))
        .containsExactly("takeover-first", "takeover-second");
  }

  @Test
  @Order(2)
  void notification_starts_a_job_on_the_other_server_before_its_next_poll() throws Exception {
    up(first, second);
    effects.enqueue(first, "second-only", TRANSACTIONAL, 1, "", Does.sleep(0));
    effects.awaitAllEnded(SOON);

    // Several jobs are enqueued one after the other, because a poll that happens to be due cannot
    // replace every notification.
    for (int i = 0; i < 6; i++) {
      effects.enqueue(first, "second-only", TRANSACTIONAL, 1, "", Does.sleep(0));
      effects.awaitAllEnded(SOON);
    }
    assertThat(
            effects.column(
                """
                select started_at - enqueued_at from readpast_job_history
                where queue = 'second-only' and started_at > enqueued_at + interval '5 seconds'"""))
        .isEmpty();
    effects.assertCompletedOnce();
  }

  @Test
  @Order(3)
  void both_servers_run_jobs_of_a_queue() throws Exception {
    up(first, second);
    effects.enqueue(first, TRANSACTIONAL, 60, Does.sleep(50));
    effects.enqueue(second, LEASED, 60, Does.sleep(50));
    effects.awaitAllEnded(SOON);

    assertThat(
            effects.column(
                """
                select distinct h.type || ' ' || n.name from readpast_job_history h
                join readpast_node n on n.no = h.node order by 1"""))
        .contains(
            TRANSACTIONAL + " takeover-first",
            TRANSACTIONAL + " takeover-second",
            LEASED + " takeover-first",
            LEASED + " takeover-second");
    effects.assertCompletedOnce();
  }

  @Test
  @Order(4)
  void frozen_server_loses_its_jobs_and_its_late_commit_fails() throws Exception {
    up(first, second);
    int before = effects.enqueued();
    hold(second, Duration.ofSeconds(5));
    second.freeze();
    assertThat(effects.stillHeld(second, "%")).as("jobs held by the frozen server").isPositive();

    effects.awaitAllEnded(TAKEOVER_OF_FROZEN);
    var worked = nodesOf(before);
    second.thaw();
    Await.until(
        SOON,
        "late completions",
        () -> Files.readString(second.log()).contains("READPAST-0013 the completion of jobs"));
    Await.until(SOON, "a new node", () -> active("takeover-second") == 1);

    effects.assertCompletedOnce();
    assertThat(nodesOf(before)).as("servers that ended the jobs, after the thaw").isEqualTo(worked);
    assertThat(effects.logged("%let go by " + second.pid())).as("lines of a stale owner").isZero();
    assertThat(effects.column("select distinct name from readpast_node where state = 'DEAD'"))
        .containsExactly("takeover-second");

    effects.enqueue(first, "second-only", TRANSACTIONAL, 1, "", Does.sleep(0));
    effects.awaitAllEnded(SOON);
    assertThat(
            effects.column(
                """
                select n.name || ' ' || n.state from readpast_job_history h
                join readpast_node n on n.no = h.node order by h.id desc limit 1"""))
        .containsExactly("takeover-second ACTIVE");
  }

  @Test
  @Order(5)
  void jobs_of_a_killed_server_move_to_the_other_server() throws Exception {
    up(first, second);
    hold(second, HELD);
    second.kill();

    effects.awaitAllEnded(TAKEOVER);
    effects.assertCompletedOnce();
  }

  @Test
  @Order(6)
  void jobs_of_a_killed_server_move_to_the_next_that_starts() throws Exception {
    up(first);
    if (second.isAlive()) {
      second.kill();
    }
    hold(first, HELD);
    first.kill();
    second.start();

    effects.awaitAllEnded(TAKEOVER);
    effects.assertCompletedOnce();
  }

  /** Gives a server jobs of both modes that block it; on the other server they would be short. */
  private void hold(ServerProcess server, Duration span) {
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      Await.until(
          SOON,
          "4 jobs of " + type + " held by " + server.spec().name(),
          () -> {
            // The other server may claim most of the jobs first, so further jobs are enqueued until
            // this server holds enough.
            effects.enqueue(server, type, 10, Does.heldBy(server, span));
            TimeUnit.MILLISECONDS.sleep(500);
            return effects.stillHeld(server, type) >= 4;
          });
    }
  }

  private List<String> nodesOf(int after) {
    return effects.column(
        "select id || ' ' || node from readpast_job_history where cast(payload->>'n' as int) > "
            + after
            + " order by 1");
  }

  private long active(String name) {
    return effects.count(
        "select count(*) from readpast_node where state = 'ACTIVE' and name = '" + name + "'");
  }
}
