package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.LEASED;
import static org.readpast.server.recovery.Effects.TRANSACTIONAL;

import java.nio.file.Files;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.readpast.server.recovery.Effects;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * Tests pgbouncer in transaction mode between PostgreSQL and two servers. The system data sources
 * of the servers bypass pgbouncer, as production.md recommends. In the last test, one of the
 * servers has no direct connection to PostgreSQL.
 */
@NeedsTools("pgbouncer")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PgBouncerIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  // Debian 12 contains pgbouncer 1.18, which does not support prepared statements in transaction
  // mode.
  private static final String PARAMETERS = "?prepareThreshold=0&connectTimeout=3";

  private final TestPostgres postgres =
      TestPostgres.durable("log_statement=all", "log_line_prefix=%a:");
  private final Database direct = postgres.newDatabase();
  private final PgBouncer pgbouncer = new PgBouncer(direct);
  private final Effects effects = new Effects(direct);
  private final ServerProcess first =
      ServerProcess.of(
          effects
              .server("pgbouncer-first", pgbouncer.database(PARAMETERS))
              .withEnvironment(ServerProcess.SYSTEM_URL, direct.url())
              .withProperty("readpast.worker.queues", TRANSACTIONAL + "," + LEASED));
  // This server polls within seconds because of a notification, not because of its own timer.
  private final ServerProcess second =
      ServerProcess.of(
          effects
              .server("pgbouncer-second", pgbouncer.database(PARAMETERS))
              .withEnvironment(ServerProcess.SYSTEM_URL, direct.url())
              .withProperty("readpast.poll-interval", "PT30S"));
  private final ServerProcess roundabout =
      ServerProcess.of(
          effects
              .server("pgbouncer-only", pgbouncer.database(PARAMETERS))
              .withProperty("readpast.notify.enabled", "false"));

  @BeforeAll
  void start() {
    pgbouncer.start();
    var other = CompletableFuture.runAsync(second::start);
    first.start();
    other.join();
  }

  @AfterAll
  void endAll() {
    for (var server : new ServerProcess[] {first, second, roundabout}) {
      if (server.isAlive()) {
        server.kill();
      }
    }
    pgbouncer.close();
  }

  @Test
  @Order(1)
  void both_servers_run_jobs_through_pgbouncer() throws Exception {
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      effects.enqueue(first, type, 200, Does.sleep(20));
      effects.enqueue(second, type, 200, Does.sleep(20));
    }
    effects.awaitAllEnded(SOON);

    effects.assertCompletedOnce();
    assertThat(
            effects.column(
                """
                select distinct n.name from readpast_job_history h
                join readpast_node n on n.no = h.node order by 1"""))
        .containsExactly("pgbouncer-first", "pgbouncer-second");
  }

  @Test
  @Order(2)
  void notifications_arrive_over_the_direct_connection() throws Exception {
    // Several jobs are enqueued one after the other, because a poll that happens to be due cannot
    // replace each notification.
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
  }

  @Test
  @Order(3)
  void jobs_wait_during_a_pause_and_none_fails() throws Exception {
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      effects.enqueue(first, type, 300, Does.sleep(20));
    }
    Await.until(
        SOON,
        "some jobs have ended",
        () -> effects.count("select count(*) from readpast_job") < 500);

    pgbouncer.pause();
    var other = CompletableFuture.runAsync(() -> pgbouncer.database(PARAMETERS).execute("begin"));
    assertThat(other)
        .failsWithin(Duration.ofSeconds(3))
        .withThrowableThat()
        .isInstanceOf(TimeoutException.class);
    assertThat(effects.count("select count(*) from readpast_job")).isPositive();
    pgbouncer.resume();
    other.join();

    effects.awaitAllEnded(SOON);
    effects.assertCompletedOnce();
    assertThat(effects.count("select count(*) from readpast_failure")).isZero();
  }

  @Test
  @Order(4)
  void jobs_continue_after_pgbouncer_was_killed() throws Exception {
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      effects.enqueue(first, type, 300, Does.sleep(20));
    }
    Await.until(
        SOON,
        "some jobs have ended",
        () -> effects.count("select count(*) from readpast_job") < 500);

    pgbouncer.kill();
    assertThat(effects.count("select count(*) from readpast_job")).isPositive();
    pgbouncer.start();

    effects.awaitAllEnded(Duration.ofSeconds(60));
    effects.assertCompletedOnce();
  }

  /** Shared connections would make the settings of one client visible to the next client. */
  @Test
  @Order(5)
  void no_session_setting_remains_on_pooled_connections() throws Exception {
    List<String> lent =
        Files.readAllLines(postgres.process().log()).stream()
            .filter(line -> line.startsWith("readpast:"))
            .toList();
    assertThat(lent).anyMatch(line -> line.contains("readpast_job"));
    // pgbouncer restores its own settings for the next client, and those of Liquibase are reverted.
    // The setting that Payara's pool changes each time is set to PostgreSQL's own default.
    assertThat(lent)
        .filteredOn(line -> line.matches("(?i).*: (set(?! local)|listen|prepare) .*"))
        .filteredOn(
            line ->
                !line.matches(
                    "(?i).*: set (application_name|datestyle|timezone|search_path)( |=).*"))
        .filteredOn(line -> !line.endsWith("TRANSACTION ISOLATION LEVEL READ COMMITTED"))
        .isEmpty();
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        Connection one = pgbouncer.database(PARAMETERS).connect();
        all.add(one);
        // Each connection uses a transaction, so pgbouncer needs a separate connection to
        // PostgreSQL for it.
        one.setAutoCommit(false);
        try (var rows = one.createStatement().executeQuery("show search_path")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("\"$user\", public");
        }
      }
    } finally {
      for (Connection one : all) {
        one.close();
      }
    }
  }

  @Test
  @Order(6)
  void server_without_a_direct_connection_polls() throws Exception {
    first.stop();
    second.stop();
    roundabout.start();
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      effects.enqueue(roundabout, type, 200, Does.sleep(20));
    }
    effects.awaitAllEnded(SOON);

    effects.assertCompletedOnce();
    assertThat(roundabout.log()).content().doesNotContain("READPAST-0004", "READPAST-0039");
  }
}
