package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.server.acceptance.PreviousVersion.Build;
import org.readpast.support.Database;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;
import org.readpast.upgrade.Ledger;

/**
 * Rolls two versions of an application out and back on one database, one version on this server and
 * one on the other kind, while jobs of all kinds are enqueued.
 */
class ApplicationUpgradeIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  private final Database database = TestPostgres.shared().newDatabase();
  private final Ledger ledger = new Ledger(database);
  private final Rollout first =
      new Rollout(
          ServerProcess.of(UpgradeServers.first(database, "application", "first", Build.current())),
          ledger);
  private final Rollout second =
      new Rollout(
          ServerProcess.other(
              UpgradeServers.second(database, "application", "second", Build.current())),
          ledger);

  @AfterEach
  void end() {
    first.close();
    second.close();
  }

  @Test
  void rollout_and_rollback_lose_no_job_and_count_no_attempt() {
    first.start(true);
    first.awaitMore("%", 30);

    second.start(true);
    first.awaitMore("note", 20);
    second.awaitMore("mail", 10);

    first.stop();
    String onlySecond = ledger.now();
    second.awaitMore("limited", 20);
    second.awaitMore("tick.second", 1);
    ledger.assertNotPlanned("tick.first", onlySecond);

    first.start(true);
    first.awaitMore("mail", 10);
    second.awaitMore("parcel", 10);

    second.stop();
    String onlyFirst = ledger.now();
    first.awaitMore("limited", 20);
    first.awaitMore("tick.first", 1);
    first.endRequests();
    ledger.awaitLeft(SOON, Ledger.ONLY_FOR_THE_SECOND);
    ledger.assertLeftUntouched();
    ledger.assertNotPlanned("tick.second", onlyFirst);

    second.start(false);
    ledger.awaitAllWorked(SOON);
    first.stop();
    second.stop();
    ledger.assertEachWorkedOnce();
    ledger.assertNothingCharged();
    ledger.assertOrdered();
    ledger.assertEachMomentWorkedOnce();
    assertThat(ledger.mostLimitedAtOnce("'-infinity'"))
        .isBetween(2L, (long) UpgradeServers.SECOND_LIMIT);
    assertThat(ledger.mostLimitedAtOnce(onlyFirst))
        .isBetween(1L, (long) UpgradeServers.FIRST_LIMIT);
  }
}
