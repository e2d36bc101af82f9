package org.readpast.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Tests two versions of an application on one database, while jobs of all kinds are enqueued. */
class ApplicationVersionsIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private final Database database = TestDatabase.withTables();
  private final Ledger ledger = new Ledger(database);
  private final List<ApplicationVersion> running = new ArrayList<>();

  @AfterEach
  void stop() {
    running.forEach(ApplicationVersion::close);
  }

  private final class First extends ApplicationVersion {
    First() {
      super(database, "first", new FirstVersion(), 2, List.of("tick", "tick.first"));
    }

    @Override
    void handleChanged() {
      handles(
          FirstVersion.Mail.class,
          ReceiveMode.TRANSACTIONAL,
          (job, context) -> ledger.worked("mail", job.n(), context));
      handles(
          FirstVersion.Parcel.class,
          ReceiveMode.LEASED,
          (job, context) -> ledger.worked("parcel", job.n(), context));
      handles(
          FirstVersion.Invoice.class,
          ReceiveMode.TRANSACTIONAL,
          (job, context) -> ledger.worked("invoice", job.n(), context));
    }
  }

  private final class Second extends ApplicationVersion {
    Second() {
      super(database, "second", new SecondVersion(), 4, List.of("tick", "tick.second"));
    }

    @Override
    void handleChanged() {
      handles(
          SecondVersion.Mail.class,
          ReceiveMode.TRANSACTIONAL,
          (job, context) -> ledger.worked("mail", job.n(), context));
      handles(
          SecondVersion.Shipment.class,
          ReceiveMode.LEASED,
          (job, context) -> ledger.worked("parcel", job.n(), context));
      handles(
          SecondVersion.Invoice.class,
          ReceiveMode.TRANSACTIONAL,
          (job, context) -> ledger.worked("invoice", job.n(), context));
    }
  }

  private <T extends ApplicationVersion> T start(T version) {
    running.add(version);
    return version;
  }

  private void stop(ApplicationVersion version) {
    running.remove(version);
    version.close();
  }

  private void awaitMore(String node, String kind, int jobs) {
    long before = ledger.workedBy(node, kind);
    Await.until(
        SOON,
        jobs + " more " + kind + " by " + node,
        () -> ledger.workedBy(node, kind) >= before + jobs);
  }

  @Test
  void rollout_and_rollback_lose_no_job_and_count_no_attempt() {
    ApplicationVersion first = start(new First());
    awaitMore("first", "%", 30);

    ApplicationVersion second = start(new Second());
    awaitMore("first", "note", 20);
    awaitMore("second", "mail", 10);

    stop(first);
    awaitMore("second", "tick.second", 1);
    String onlySecond = ledger.now();
    awaitMore("second", "limited", 15);
    awaitMore("second", "tick.second", 3);
    ledger.assertNotPlanned("tick.first", onlySecond);

    first = start(new First());
    awaitMore("first", "mail", 10);
    awaitMore("second", "parcel", 5);

    stop(second);
    String onlyFirst = ledger.now();
    awaitMore("first", "limited", 15);
    awaitMore("first", "tick.first", 3);
    first.endRequests();
    ledger.awaitLeft(SOON, Ledger.ONLY_FOR_THE_SECOND);
    ledger.assertLeftUntouched();
    ledger.assertNotPlanned("tick.second", onlyFirst);
    // Once the second version starts again and sends jobs, its higher limit applies.
    assertThat(ledger.mostLimitedAtOnce(onlyFirst)).isBetween(1L, 2L);

    start(new Second()).endRequests();
    ledger.awaitAllWorked(SOON);
    List.copyOf(running).forEach(this::stop);
    ledger.assertEachWorkedOnce();
    ledger.assertNothingCharged();
    ledger.assertOrdered();
    ledger.assertEachMomentWorkedOnce();
  }
}
