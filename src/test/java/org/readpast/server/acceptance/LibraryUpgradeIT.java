package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.server.acceptance.PreviousVersion.Build;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;
import org.readpast.upgrade.Ledger;

/**
 * Rolls this version of Readpast out and back to the previous one on a shared database, each
 * version in separate servers, while the application and REST clients enqueue jobs of all kinds.
 */
class LibraryUpgradeIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String CHANGES =
      "select string_agg(concat(id, ' ', md5sum), ', ' order by orderexecuted) from readpast_databasechangelog";

  private final Build previous = PreviousVersion.build();
  private final Database database = TestPostgres.shared().newDatabase();
  private final Ledger ledger = new Ledger(database);
  private final RestRequests rest = new RestRequests(database);
  private final Rollout older = server("older", previous);
  private final Rollout newer = server("newer", Build.current());

  private Rollout server(String node, Build library) {
    return new Rollout(
        ServerProcess.of(UpgradeServers.first(database, "library", node, library)), ledger);
  }

  @AfterEach
  void end() {
    rest.close();
    older.close();
    newer.close();
  }

  @Test
  void rollout_and_rollback_lose_no_job_and_count_no_attempt() {
    older.start(true);
    rest.start(older.server(), newer.server());
    older.awaitMore("note", 10);
    String before = ledger.column(CHANGES).get(0);

    newer.start(true);
    String after = ledger.column(CHANGES).get(0);
    assertThat(after).as("changes to the tables").startsWith(before);
    older.awaitMore("note", 20);
    newer.awaitMore("note", 20);

    older.stop();
    int acceptedBefore = rest.acceptedBy(newer.server());
    newer.awaitMore("note", 20);
    Await.until(
        SOON,
        "requests that the newer version accepts",
        () -> rest.acceptedBy(newer.server()) > acceptedBefore + 5);

    older.start(true);
    older.awaitMore("note", 20);
    newer.awaitMore("note", 20);

    newer.stop();
    older.awaitMore("note", 20);
    assertThat(ledger.column(CHANGES))
        .as("the older version undoes nothing")
        .containsExactly(after);

    rest.close();
    older.endRequests();
    ledger.awaitAllWorked(SOON);
    older.stop();
    ledger.assertEachWorkedOnce();
    ledger.assertOrdered();
    ledger.assertEachMomentWorkedOnce();
    assertThat(ledger.mostLimitedAtOnce("'-infinity'"))
        .isBetween(1L, (long) UpgradeServers.FIRST_LIMIT);
    ledger.assertNothingChargedBy("newer");
    assertThat(rest.acceptedBy(older.server())).isPositive();
  }
}
