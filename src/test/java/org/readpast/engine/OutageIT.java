package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.KeyRotation;
import org.readpast.api.Backoff;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;
import org.readpast.support.TestPostgres;

/** Tests two engines of one JVM while PostgreSQL stops and starts again. */
class OutageIT {
  private static final Duration SOON = Duration.ofSeconds(40);

  private final TestPostgres postgres = TestPostgres.durable();
  private final Database database = postgres.newDatabase();
  private final AtomicInteger held = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private TestNode shop;
  private TestNode billing;

  @BeforeEach
  void start() {
    TestDatabase.migrate(database);
    shop = node("shop", "host-1");
    billing = node("billing", "host-2");
  }

  @AfterEach
  void close() {
    release.countDown();
    if (!postgres.process().isRunning()) {
      postgres.process().start();
    }
    shop.close();
    billing.close();
  }

  private TestNode node(String application, String name) {
    return new TestNode(database)
        .named(application, name)
        .encrypts("k1")
        .handles(
            "fails",
            ReceiveMode.LEASED,
            (payload, context) -> {
              held.incrementAndGet();
              release.await();
              throw new IllegalStateException("as every time");
            })
        .handles("works", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done())
        .start();
  }

  @Test
  void each_engine_logs_an_outage_once_at_its_start_and_end() {
    for (int i = 0; i < 4; i++) {
      shop.enqueue("fails");
    }
    Await.until(SOON, () -> held.get() == 4);
    try (LogLines log = new LogLines("org.readpast")) {
      postgres.process().stopImmediately();
      release.countDown();
      assertThatThrownBy(() -> shop.enqueue("works")).isInstanceOf(RuntimeException.class);
      // Failures of the heartbeat, the listener, maintenance, and the recording of failed attempts.
      Await.until(
          SOON,
          () ->
              log.count("READPAST-0016") >= 4
                  && log.count("READPAST-0015") >= 4
                  && log.count("READPAST-0022") >= 6
                  && log.count("READPAST-0011") >= 4);
      new KeyRotation(shop.transactions(), shop.engine().signals()).checkKeys();
      assertThat(log.count("READPAST-0066")).isOne();
      postgres.process().start();
      Await.until(SOON, () -> log.count("is available again") == 2);
      Await.until(
          SOON, () -> TestDatabase.count(database, "select count(*) from readpast_failure") >= 4);

      List<String> lines =
          log.from(Level.INFO).stream()
              // Excludes the lines about the failed jobs.
              .filter(line -> !line.contains("READPAST-0078") && !line.contains("READPAST-0079"))
              .toList();
      assertThat(lines)
          .satisfiesExactlyInAnyOrder(
              line -> assertThat(line).startsWith("WARNING").contains("'shop'", "'host-1'"),
              line -> assertThat(line).startsWith("WARNING").contains("'billing'", "'host-2'"),
              line -> assertThat(line).startsWith("WARNING READPAST-0090 "),
              line -> assertThat(line).startsWith("WARNING READPAST-0090 "),
              line -> assertThat(line).startsWith("INFO").contains("'shop'", "'host-1'", " s"),
              line -> assertThat(line).startsWith("INFO").contains("'billing'", "'host-2'", " s"));
    }
  }

  private static RetryPolicy attempts(int most) {
    return new RetryPolicy(
        most, Backoff.FIXED, Duration.ofMillis(50), Duration.ofSeconds(1), 0, List.of());
  }

  private static void pass(Duration time) {
    long start = System.nanoTime();
    Await.until(SOON, () -> System.nanoTime() - start > time.toNanos());
  }

  private void awaitEnd(String type) {
    Await.until(
        SOON,
        () ->
            TestDatabase.count(
                    database,
                    "select count(*) from readpast_job_history where type = '" + type + "'")
                == 1);
  }

  private void awaitCompletedAtFirstCountedAttempt(String type) {
    awaitEnd(type);
    assertThat(
            TestDatabase.column(
                database,
                "select state || ' ' || attempt - uncounted from readpast_job_history where type = '"
                    + type
                    + "'"))
        .containsExactly("COMPLETED 1");
  }

  /**
   * While a job runs that may be attempted only once, stops the database for longer than a lease.
   */
  private void jobRunsThroughAnOutage(OnLostLease onLostLease, CountDownLatch go) {
    CountDownLatch started = new CountDownLatch(1);
    RetryPolicy once = attempts(1);
    try (TestNode node = new TestNode(database).lease(Duration.ofSeconds(2))) {
      node.handles(
              new HandlerDefinition(
                  "long",
                  null,
                  ReceiveMode.LEASED,
                  Duration.ofMinutes(5),
                  1,
                  once,
                  Set.of(),
                  onLostLease,
                  (payload, context) -> {
                    started.countDown();
                    go.await();
                    return JobResult.done();
                  },
                  null))
          .start();
      node.enqueue("long");
      Await.until(SOON, () -> started.getCount() == 0);
      postgres.process().stopImmediately();
      pass(Duration.ofSeconds(5));
      postgres.process().start();
      Await.until(SOON, () -> node.engine().databaseReachable());
      if (onLostLease == OnLostLease.CONTINUE) {
        go.countDown();
      }
      awaitEnd("long");
    }
  }

  @Test
  void leased_handler_continues_during_an_outage_and_its_end_is_acknowledged() {
    jobRunsThroughAnOutage(OnLostLease.CONTINUE, new CountDownLatch(1));
    assertThat(
            TestDatabase.column(
                database, "select state || ' ' || attempt from readpast_job_history"))
        .containsExactly("COMPLETED 1");
    assertThat(TestDatabase.column(database, "select distinct state from readpast_node"))
        .doesNotContain("DEAD");
  }

  @Test
  void a_leased_handler_that_must_not_run_twice_is_interrupted_when_its_lease_may_be_lost() {
    jobRunsThroughAnOutage(OnLostLease.INTERRUPT, new CountDownLatch(1));
    assertThat(TestDatabase.column(database, "select state from readpast_job_history"))
        .containsExactly("DISCARDED");
  }

  @Test
  void leased_job_that_ends_during_an_outage_longer_than_its_timeout_is_acknowledged() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    RetryPolicy once = attempts(1);
    try (TestNode node = new TestNode(database)) {
      node.handles(
              "short",
              ReceiveMode.LEASED,
              once,
              Duration.ofSeconds(4),
              (payload, context) -> {
                started.countDown();
                go.await();
                return JobResult.done();
              })
          .start();
      node.enqueue("short");
      Await.until(SOON, () -> started.getCount() == 0);
      postgres.process().stopImmediately();
      go.countDown();
      // A job is overdue ten seconds after its timeout.
      pass(Duration.ofSeconds(17));
      postgres.process().start();
      awaitEnd("short");
      assertThat(
              TestDatabase.column(
                  database, "select state from readpast_job_history where type = 'short'"))
          .containsExactly("COMPLETED");
    }
  }

  @Test
  void leased_job_that_enqueues_another_and_ends_during_an_outage_is_acknowledged() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    RetryPolicy once = attempts(1);
    try (TestNode node = new TestNode(database)) {
      node.handles(
              "first",
              ReceiveMode.LEASED,
              once,
              Duration.ofMinutes(1),
              (payload, context) -> {
                context.enqueue("second");
                started.countDown();
                go.await();
                return JobResult.done();
              })
          .handles("second", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
          .start();
      node.enqueue("first");
      Await.until(SOON, () -> started.getCount() == 0);
      try (LogLines log = new LogLines("org.readpast")) {
        postgres.process().stopImmediately();
        go.countDown();
        Await.until(SOON, () -> log.count("READPAST-0011") > 0);
      }
      postgres.process().start();
      awaitEnd("first");
      assertThat(
              TestDatabase.column(
                  database,
                  "select state || ' ' || attempt from readpast_job_history where type = 'first'"))
          .containsExactly("COMPLETED 1");
      awaitEnd("second");
    }
  }

  @Test
  void commit_that_an_outage_ends_is_no_failed_attempt_even_if_the_server_hides_its_cause() {
    AtomicInteger runs = new AtomicInteger();
    try (TestNode node = new TestNode(database)) {
      node.transactions()
          .hideCommitFailures(
              () -> {
                if (runs.incrementAndGet() == 1) {
                  postgres.process().stopImmediately();
                }
              });
      node.handles(
              "once",
              ReceiveMode.TRANSACTIONAL,
              attempts(1),
              Duration.ofMinutes(1),
              (payload, context) -> JobResult.done())
          .start();
      node.enqueue("once");
      Await.until(SOON, () -> runs.get() == 1);
      pass(Duration.ofSeconds(2));
      postgres.process().start();
      awaitCompletedAtFirstCountedAttempt("once");
    }
  }

  @Test
  void leased_handler_whose_connection_broke_in_an_outage_is_not_charged_later() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch outageEnded = new CountDownLatch(1);
    RetryPolicy twice = attempts(2);
    try (TestNode node = new TestNode(database)) {
      node.handles(
              "t",
              ReceiveMode.LEASED,
              twice,
              Duration.ofMinutes(2),
              (payload, context) -> {
                try (Connection own = database.connect()) {
                  started.countDown();
                  outageEnded.await();
                  own.createStatement().execute("select 1");
                }
                return JobResult.done();
              })
          .start();
      node.enqueue("t");
      Await.until(SOON, () -> started.getCount() == 0);
      try (LogLines log = new LogLines("org.readpast")) {
        postgres.process().stopImmediately();
        Await.until(SOON, () -> log.count("READPAST-0040") == 3);
        postgres.process().start();
        Await.until(SOON, () -> log.count("READPAST-0041") == 3);
      }
      outageEnded.countDown();
      awaitCompletedAtFirstCountedAttempt("t");
    }
  }

  @Test
  void transactional_handler_whose_other_connection_an_outage_broke_is_not_charged()
      throws Exception {
    try (TestNode node = new TestNode(database);
        Connection own = database.connect()) {
      node.handles(
              "t",
              ReceiveMode.TRANSACTIONAL,
              attempts(1),
              Duration.ofMinutes(2),
              (payload, context) -> {
                if (context.attempt() == 1) {
                  own.createStatement().execute("select 1");
                }
                return JobResult.done();
              })
          .start();
      postgres.process().stopImmediately();
      Await.until(SOON, () -> node.outage().unavailable());
      postgres.process().start();
      Await.until(SOON, () -> !node.outage().unavailable());
      node.enqueue("t");
      awaitCompletedAtFirstCountedAttempt("t");
    }
  }

  @Test
  void received_job_whose_transaction_an_outage_rolls_back_is_not_charged() {
    try (TestNode node = new TestNode(database).start()) {
      node.enqueue(
          new NewJob("q", "received", 4, null, null, null, null, null, null, null, 1, "{}"));
      assertThatThrownBy(
              () ->
                  node.transactions()
                      .inHandlerTransaction(
                          SOON,
                          () -> {
                            assertThat(
                                    node.engine()
                                        .synchronousReceive()
                                        .receive("q", SOON, List.of("received")))
                                .isNotNull();
                            // This commit also flushes the lease to the disk.
                            database.execute("create table flushed (n int)");
                            postgres.process().stopImmediately();
                            return true;
                          }))
          .isInstanceOf(RuntimeException.class);
      postgres.process().start();
      Await.until(
          SOON,
          () ->
              TestDatabase.count(
                      database,
                      "select count(*) from readpast_failure where kind = 'FAILED' and exception"
                          + " like '%InfrastructureFault%'")
                  == 1);
      assertThat(
              TestDatabase.column(
                  database, "select attempt - uncounted from readpast_job where type = 'received'"))
          .containsExactly("0");
    }
  }

  @Test
  void leased_handler_that_fails_because_of_an_outage_is_not_charged() {
    CountDownLatch started = new CountDownLatch(1);
    RetryPolicy twice = attempts(2);
    try (TestNode node = new TestNode(database).lease(Duration.ofSeconds(10))) {
      node.handles(
              "t",
              ReceiveMode.LEASED,
              twice,
              Duration.ofMinutes(1),
              (payload, context) -> {
                if (started.getCount() > 0) {
                  started.countDown();
                  Await.until(SOON, () -> !postgres.process().isRunning());
                }
                try (Connection own = database.connect()) {
                  assertThat(own.isValid(1)).isTrue();
                }
                return JobResult.done();
              })
          .start();
      node.enqueue("t");
      Await.until(SOON, () -> started.getCount() == 0);
      try (LogLines log = new LogLines("org.readpast")) {
        postgres.process().stopImmediately();
        Await.until(SOON, () -> log.count("READPAST-0011") > 0);
      }
      postgres.process().start();
      awaitCompletedAtFirstCountedAttempt("t");
    }
  }
}
