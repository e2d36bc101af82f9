package org.readpast.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.LEASED;
import static org.readpast.server.recovery.Effects.TRANSACTIONAL;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Await;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * Tests a job that halts the JVM that runs it, while other jobs are running; the test restarts the
 * server until it stays up.
 *
 * <p>The job is transactional on Liberty and leased on Payara. To run both on both servers would
 * double the many starts without testing more: the engine and the database count the crashes, and
 * other tests cover both modes on each server.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoisonJobsIT {
  private static final String POISON =
      System.getProperty("readpast.server", "liberty").equals("payara") ? LEASED : TRANSACTIONAL;
  private static final int MOST_STARTS = 8;
  private static final String TWO_ATTEMPTS = "\"maxAttempts\":2,";
  private static final int NEIGHBOURS = 100;
  private static final Duration DIES_OR_IS_RID = Duration.ofMinutes(1);
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Effects effects = new Effects(TestPostgres.shared().newDatabase());
  private final ServerProcess server =
      // The lease is short, because each start waits until the previous node was declared dead.
      ServerProcess.of(effects.server("poison").withProperty("readpast.lease", "PT3S"));

  private int starts = 1;

  @BeforeAll
  void server_restarts_until_it_stays_up() throws Exception {
    server.start();
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      effects.enqueue(server, type, type, NEIGHBOURS, TWO_ATTEMPTS, Does.sleep(100));
    }
    // The delay lets the enqueue request finish first; the higher priority lets the job start while
    // other jobs are running.
    var halt = TWO_ATTEMPTS + "\"correlationId\":\"poison\",\"priority\":5,\"delay\":\"PT1S\",";
    effects.enqueue(server, POISON, POISON, 1, halt, Does.halt());
    awaitDeathOrEnd();
    while (!poisonEnded()) {
      assertThat(starts).as("starts").isLessThan(MOST_STARTS);
      starts++;
      launchTowardsDeath();
      awaitDeathOrEnd();
    }
    if (!server.isAlive()) {
      server.start();
    }
    effects.awaitAllEnded(SOON);
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void job_that_kills_its_server_is_discarded_after_its_attempts() {
    assertThat(
            effects.column(
                """
                select type || ' ' || state || ' ' || (attempt - uncounted) from readpast_job_history
                where correlation_id = 'poison'"""))
        .containsExactly(POISON + " DISCARDED 2");
  }

  @Test
  void each_counted_crash_is_recorded() {
    assertThat(
            effects.column(
                """
                select h.type from readpast_job_history h join readpast_failure f on f.job_id = h.id
                where h.correlation_id = 'poison' and f.kind = 'OWNER_LOST'
                group by h.type having count(*) >= 2"""))
        .containsExactly(POISON);
  }

  @Test
  void neighbours_complete_without_a_counted_crash() {
    assertThat(
            effects.column(
                """
                select type || ' ' || state || ' ' || (attempt - uncounted) || ' ' || count(*)
                from readpast_job_history where correlation_id is null
                group by type, state, attempt - uncounted order by 1"""))
        .containsExactly(
            LEASED + " COMPLETED 1 " + NEIGHBOURS, TRANSACTIONAL + " COMPLETED 1 " + NEIGHBOURS);
    assertThat(
            effects.column(
                "select count(*) || ' ' || count(distinct n) from effect where type = '"
                    + TRANSACTIONAL
                    + "'"))
        .as("transactional effects")
        .containsExactly(NEIGHBOURS + " " + NEIGHBOURS);
  }

  @Test
  void some_neighbours_are_running_at_a_crash() {
    assertThat(
            effects.count(
                "select count(*) from readpast_job_history where correlation_id is null and crashes > 0"))
        .isPositive();
  }

  /**
   * Starts the server. If a server dies while it starts, the start fails, as it does for an
   * administrator.
   */
  private void launchTowardsDeath() {
    try {
      server.launch();
    } catch (IllegalStateException e) {
      assertThat(server.isAlive()).as(e.getMessage()).isFalse();
    }
  }

  private void awaitDeathOrEnd() {
    Await.until(
        DIES_OR_IS_RID, "a crash or the job's end", () -> !server.isAlive() || poisonEnded());
  }

  private boolean poisonEnded() {
    return effects.count(
            "select count(*) from readpast_job_history where correlation_id = 'poison'")
        == 1;
  }
}
