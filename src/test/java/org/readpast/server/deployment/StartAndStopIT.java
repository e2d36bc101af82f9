package org.readpast.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.LEASED;
import static org.readpast.server.recovery.Effects.TRANSACTIONAL;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.server.recovery.Effects;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Database;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/** Stops a server under load, and starts the next one with an orphaned migration lock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StartAndStopIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofSeconds(4);

  private final Database database = TestPostgres.shared().newDatabase();
  private final Effects effects = new Effects(database);
  private final ServerProcess server =
      ServerProcess.of(
          effects.server("start-and-stop").withProperty("readpast.shutdown-grace", "PT30S"));

  private long heldAtStop;
  private Snapshot stopped;

  /** Holds the state of the database immediately after the stop. */
  private record Snapshot(
      String node,
      long running,
      long letGo,
      long completedLong,
      long failures,
      long untouched,
      long left) {}

  @BeforeAll
  void stop_the_server_under_load_and_restart_it_with_an_orphaned_lock() throws Exception {
    server.start();
    // Short jobs come first, so that the node leases many jobs ahead.
    effects.enqueue(server, LEASED, 2_000, Does.sleep(0));
    effects.awaitAllEnded(SOON);
    int quick = effects.enqueued();
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      effects.enqueue(server, type, 100, Does.heldBy(server, LONG));
      effects.awaitHeld(server, type, 4);
    }
    server.stop();
    heldAtStop = effects.logged("held by %");
    stopped =
        new Snapshot(
            effects.column("select state from readpast_node").get(0),
            effects.count("select count(*) from readpast_job where state = 'RUNNING'"),
            effects.logged("let go by %"),
            effects.count("select count(*) from readpast_job_history") - quick,
            effects.count("select count(*) from readpast_failure"),
            effects.count(
                "select count(*) from readpast_job where state = 'AVAILABLE' and attempt = 0 and crashes is null"),
            effects.count("select count(*) from readpast_job"));

    database.execute(
        """
        update readpast_databasechangeloglock set locked = true, lockgranted = now(),
          lockedby = 'lost.example (192.0.2.1)readpast-engine' where id = 1""");
    server.start();
    effects.awaitAllEnded(SOON);
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void stopping_server_completes_running_jobs() {
    assertThat(heldAtStop).isGreaterThanOrEqualTo(8);
    assertThat(stopped.letGo()).isEqualTo(heldAtStop);
    assertThat(stopped.completedLong()).isEqualTo(heldAtStop);
    assertThat(stopped.failures()).isZero();
  }

  @Test
  void stopping_server_releases_the_other_jobs_without_counting_an_attempt() {
    assertThat(stopped.running()).isZero();
    assertThat(stopped.left()).isEqualTo(200 - heldAtStop);
    assertThat(stopped.untouched()).isEqualTo(stopped.left());
  }

  @Test
  void stopped_node_is_marked_as_stopped() {
    assertThat(stopped.node()).isEqualTo("STOPPED");
  }

  @Test
  void starting_server_breaks_the_migration_lock_of_a_dead_server() {
    assertThat(effects.count("select count(*) from readpast_databasechangeloglock where locked"))
        .isZero();
  }

  @Test
  void next_server_runs_the_remaining_jobs() {
    effects.assertCompletedOnce();
  }
}
