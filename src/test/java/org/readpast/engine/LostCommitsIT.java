package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.Backoff;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;
import org.readpast.support.TestPostgres;

/** Tests databases that have lost acknowledged commits: after a failover, a restore or a crash. */
class LostCommitsIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  // The time that the listener and two full scans need to raise the marks.
  private static final Duration MARKS_HAVE_RISEN = Duration.ofSeconds(2);

  private final List<TestNode> nodes = new ArrayList<>();

  @AfterEach
  void closeNodes() {
    nodes.forEach(TestNode::close);
  }

  private TestNode node(Database database) {
    TestNode node =
        new TestNode(database)
            .handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
            .start();
    nodes.add(node);
    return node;
  }

  private static NewJob[] jobs(int number, String queue) {
    return Stream.generate(
            () -> new NewJob(queue, "t", 4, null, null, null, null, null, null, null, null, "{}"))
        .limit(number)
        .toArray(NewJob[]::new);
  }

  private static void drain(TestNode node, NewJob... jobs) {
    node.enqueue(jobs);
    awaitDrained(node.database());
  }

  private static void awaitDrained(Database database) {
    Await.until(SOON, () -> count(database, "select count(*) from readpast_job") == 0);
  }

  private static void raiseMarks(TestNode node) {
    long start = System.nanoTime();
    Await.until(
        SOON,
        () -> {
          drain(node, job("t"));
          return System.nanoTime() - start > MARKS_HAVE_RISEN.toNanos();
        });
  }

  /** Retries a step until the pool has replaced its broken connections, which fail one by one. */
  private static <T> T untilConnected(Supplier<T> step) {
    List<T> result = new ArrayList<>();
    Await.until(
        SOON,
        () -> {
          try {
            return result.add(step.get());
          } catch (RuntimeException e) {
            return false;
          }
        });
    return result.get(0);
  }

  private static String name(Database database) {
    return database.url().substring(database.url().lastIndexOf('/') + 1);
  }

  @Test
  void jobs_run_after_a_restore_that_moves_positions_back() throws Exception {
    Database database = TestDatabase.withTables();
    Database superuser = TestPostgres.shared().superuser();
    String name = name(database);
    TestNode before = node(database);
    drain(before, jobs(3, "q"));
    before.close();
    nodes.clear();
    TestDatabase.closeKept(database);
    superuser.execute("create database " + name + "_saved template " + name + " owner readpast");
    TestNode node = node(database);
    drain(node, jobs(170, "q"));
    drain(node, jobs(1, "later"));
    raiseMarks(node);

    superuser.execute("drop database " + name + " with (force)");
    superuser.execute("alter database " + name + "_saved rename to " + name);
    untilConnected(() -> node.enqueue(jobs(4, "q")));
    untilConnected(() -> node.enqueue(jobs(2, "later")));

    awaitDrained(database);
    assertThat(count(database, "select count(*) from readpast_job_history where queue = 'later'"))
        .isEqualTo(2);
  }

  @Test
  void job_whose_end_was_lost_with_the_server_runs_again_at_its_position() {
    TestPostgres postgres = TestPostgres.durable();
    Database database = postgres.newDatabase();
    TestDatabase.migrate(database);
    TestNode node = node(database);
    drain(node, jobs(60, "q"));
    raiseMarks(node);

    // The node cannot connect until the database has the state that a failover would leave.
    Database superuser = postgres.superuser();
    superuser.execute("alter database " + name(database) + " connection limit 0");
    postgres.process().stopImmediately();
    postgres.process().start();
    new Database(database.url(), superuser.user(), superuser.password())
        .execute(
            """
            insert into readpast_job (queue, type, priority, state, position, available_at, payload)
            values ('q', 't', 4, 'AVAILABLE', 17, clock_timestamp(), '{}')""");
    superuser.execute("alter database " + name(database) + " connection limit -1");

    awaitDrained(database);
  }

  @Test
  void transactional_job_whose_lease_a_crashing_session_lost_runs_again() throws Exception {
    Database database = TestDatabase.withTables();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    TestNode node =
        new TestNode(database)
            .handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
            .handles(
                "long",
                ReceiveMode.TRANSACTIONAL,
                (payload, context) -> {
                  started.countDown();
                  lost.await();
                  return JobResult.done();
                })
            .start();
    nodes.add(node);
    node.enqueue("long");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    loseLeases(node);
    lost.countDown();

    awaitDrained(database);
    assertLongJobsStartedOnce(database, 1);
  }

  @Test
  void jobs_whose_lost_leases_could_not_be_released_run_again() throws Exception {
    Database database = TestDatabase.withTables();
    AtomicInteger starts = new AtomicInteger();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    AtomicReference<Thread> cutOff = new AtomicReference<>();
    RetryPolicy policy =
        new RetryPolicy(
            3, Backoff.FIXED, Duration.ofMillis(50), Duration.ofSeconds(1), 0, List.of());
    TestNode node =
        new TestNode(database)
            // A claim that expects none of the types leases as many jobs as the slower one allows.
            .handles(
                "t",
                ReceiveMode.TRANSACTIONAL,
                2,
                policy,
                SOON,
                (payload, context) -> JobResult.done())
            .handles(
                "long",
                ReceiveMode.TRANSACTIONAL,
                2,
                policy,
                SOON,
                (payload, context) -> {
                  if (starts.incrementAndGet() == 2) {
                    cutOff.set(Thread.currentThread());
                    started.countDown();
                    lost.await();
                  }
                  return JobResult.done();
                });
    nodes.add(node);
    node.transactions()
        .watchedBy(
            () -> {
              if (Thread.currentThread() == cutOff.get()) {
                throw new IllegalStateException(new SQLException("is recovering", "57P03"));
              }
            });
    node.enqueueOnly(job("long"), job("long"));
    node.start();
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    loseLeases(node);
    try (LogLines log = new LogLines("org.readpast.engine")) {
      lost.countDown();
      Await.until(SOON, "the release failed", () -> log.count("READPAST-0010") > 0);
    }
    cutOff.set(null);

    awaitDrained(database);
    assertLongJobsStartedOnce(database, 2);
  }

  /**
   * Raises the marks above the running jobs of type "long", and then removes their leases, as the
   * crash of a session may do. The server keeps running, and the positions do not move back.
   */
  private static void loseLeases(TestNode node) {
    long start = System.nanoTime();
    Await.until(
        SOON,
        () -> {
          node.enqueue("t");
          return System.nanoTime() - start > MARKS_HAVE_RISEN.toNanos();
        });
    node.database()
        .execute(
            """
            delete from readpast_lease where jobs && array(select id from readpast_job where type = 'long');
            update readpast_job set state = 'AVAILABLE', claim_no = claim_no - 1, attempt = attempt - 1, owner = null,
              deadline = null, claimed_at = null
            where type = 'long'""");
  }

  /** Checks that the database has only the starts that followed the loss of the leases. */
  private static void assertLongJobsStartedOnce(Database database, int jobs) {
    assertThat(
            count(
                database,
                "select count(*) from readpast_job_history where type = 'long' and attempt = 1"))
        .isEqualTo(jobs);
  }

  @Test
  void queue_whose_row_was_deleted_is_created_again_for_new_jobs() {
    Database database = TestDatabase.withTables();
    TestNode node = node(database);
    drain(node, jobs(1, "rare"));
    // After this job, the node has loaded the queue, and no notification about another queue has
    // arrived.
    raiseMarks(node);
    database.execute("delete from readpast_queue where name = 'rare'");

    Await.until(
        SOON,
        () -> {
          drain(node, jobs(1, "rare"));
          return count(database, "select count(*) from readpast_queue where name = 'rare'") == 1;
        });
  }
}
