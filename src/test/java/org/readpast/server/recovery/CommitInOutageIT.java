package org.readpast.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.TRANSACTIONAL;

import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * Crashes PostgreSQL while transactions of jobs commit. Payara then reports the failure of the
 * commit without the exception of the driver.
 */
class CommitInOutageIT {
  private static final int JOBS = 4;
  private static final Duration SOON = Duration.ofSeconds(60);

  private final TestPostgres postgres = TestPostgres.durable();
  private final Database database = postgres.newDatabase();
  private final Effects effects = new Effects(database);
  private final ServerProcess server = ServerProcess.of(effects.server("commits"));

  @AfterEach
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void commit_that_a_crash_of_the_database_ends_is_no_failed_attempt() throws Exception {
    server.start();
    database.execute(
        """
        create function commit_slowly() returns trigger language plpgsql as $$
        begin perform pg_sleep(5); return null; end $$;
        create constraint trigger slow after insert on effect deferrable initially deferred
          for each row execute function commit_slowly()""");
    effects.enqueue(server, TRANSACTIONAL, JOBS, Does.sleep(0));
    Await.until(
        SOON,
        "all transactions commit",
        () ->
            effects.count(
                    "select count(*) from pg_stat_activity where query ilike 'commit%' and wait_event = 'PgSleep'")
                == JOBS);

    postgres.process().stopImmediately();
    Await.until(
        SOON,
        "the outage has been noticed",
        () -> Files.readString(server.log()).contains("READPAST-0040"));
    postgres.process().start();

    effects.awaitAllEnded(SOON);
    effects.assertCompletedOnce();
    assertThat(effects.column("select distinct attempt - uncounted from readpast_job_history"))
        .as("attempts that count")
        .containsExactly("1");
  }
}
