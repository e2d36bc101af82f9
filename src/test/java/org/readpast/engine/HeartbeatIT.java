package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

/** Tests that heartbeats wait for nothing, and what a node does while its heartbeats wait. */
class HeartbeatIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration RARELY = Duration.ofMinutes(1);
  private static final String ENDED = "select count(*) from readpast_job_history";

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).poll(RARELY);
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @AfterEach
  void close() {
    mayEnd.countDown();
    node.close();
  }

  private void beat() throws Exception {
    CompletableFuture.runAsync(node.engine()::beat).get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  private Connection locking(String rows) throws SQLException {
    Connection other = database.connect();
    other.setAutoCommit(false);
    try (var statement = other.createStatement()) {
      statement.execute("select 1 from " + rows + " for update");
    }
    return other;
  }

  private void runsStatementThatCannotBeCancelled(Duration timeout) throws Exception {
    CountDownLatch cancelling = new CountDownLatch(1);
    node.handles(
            "t",
            ReceiveMode.LEASED,
            1,
            RetryPolicy.DEFAULT,
            timeout,
            (payload, context) -> {
              ((Interruptible) context)
                  .onInterrupt(
                      () -> {
                        cancelling.countDown();
                        awaitUninterruptibly(mayEnd);
                      });
              started.countDown();
              awaitUninterruptibly(mayEnd);
              return JobResult.done();
            })
        .lease(RARELY)
        .start();
    long id = node.enqueue("t");
    assertThat(started.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    if (timeout.equals(RARELY)) {
      database.execute("insert into readpast_cancellation (job_id) values (" + id + ")");
      beat();
    }
    assertThat(cancelling.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    beat();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void heartbeat_does_not_wait_for_the_cancellation_of_a_statement() throws Exception {
    runsStatementThatCannotBeCancelled(RARELY);
  }

  @Test
  void heartbeat_does_not_wait_for_the_interruption_of_an_overdue_statement() throws Exception {
    runsStatementThatCannotBeCancelled(Duration.ofSeconds(1));
  }

  @Test
  void heartbeat_does_not_wait_for_a_transaction_that_has_locked_a_queue() throws Exception {
    node.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .lease(RARELY)
        .start();
    node.enqueue("t");
    Await.until(SOON, "the job has ended", () -> count(database, ENDED) == 1);
    database.execute(
        "update readpast_queue set used_at = clock_timestamp() - interval '11 minutes'");
    try (Connection other = locking("readpast_queue")) {
      beat();
      other.rollback();
    }
    assertThat(count(database, "select sum(completed) from readpast_listener")).isEqualTo(1);
  }

  @Test
  void heartbeat_does_not_wait_for_the_unique_key_of_a_job_that_a_handler_has_enqueued()
      throws Exception {
    AtomicBoolean outage = new AtomicBoolean();
    node.transactions()
        .watchedBy(
            () -> {
              if (outage.get()) {
                throw new IllegalStateException(new SQLException("is recovering", "57P03"));
              }
            });
    node.writes(
            request -> new NewJob("q", "t", 4, null, null, null, null, "k", null, null, null, "{}"),
            Object::toString)
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              if (context.uniqueKey() == null) {
                context.enqueue("t");
                outage.set(true);
              }
              return JobResult.done();
            })
        .lease(RARELY)
        .start();
    try (LogLines log = new LogLines("org.readpast.engine")) {
      node.enqueue("t");
      Await.until(SOON, "the end is not recorded", () -> log.count("READPAST-0011") > 0);
    }
    try (Connection other = database.connect()) {
      other.setAutoCommit(false);
      try (var statement = other.createStatement()) {
        statement.execute(
            """
            insert into readpast_job (queue, type, state, position, available_at, unique_key, payload)
            values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), 'k', '{}')""");
      }
      outage.set(false);
      beat();
      Await.until(
          SOON,
          "the second job waits for its key",
          () ->
              count(
                      database,
                      "select count(*) from pg_stat_activity"
                          + " where datname = current_database() and wait_event_type = 'Lock'")
                  == 1);
      beat();
      other.rollback();
    }
    Await.until(SOON, "both jobs have ended", () -> count(database, ENDED) == 2);
  }

  @Test
  void heartbeat_does_not_wait_for_a_locked_job_whose_claim_was_lost() throws Exception {
    node.lease(RARELY).start();
    insertLost();
    try (Connection other = locking("readpast_job")) {
      beat();
      TimeUnit.MILLISECONDS.sleep(1_100);
      beat();
      other.rollback();
    }
    awaitReleased();
  }

  private void awaitReleased() {
    Await.until(
        SOON,
        "the job is released",
        () -> {
          node.engine().beat();
          return column(database, "select state from readpast_job").contains("AVAILABLE");
        });
  }

  private void insertLost() {
    TestDatabase.insertLeased(
        database, "select no from readpast_node, generate_series(1, 1) where state = 'ACTIVE'");
    database.execute("update readpast_job set claimed_at = clock_timestamp() - interval '6 s'");
  }

  @Test
  void claim_whose_response_is_being_read_is_not_released_by_the_first_heartbeat()
      throws Exception {
    node.lease(RARELY).start();
    insertLost();
    beat();
    beat();
    assertThat(column(database, "select state from readpast_job")).containsExactly("RUNNING");
    awaitReleased();
  }

  @Test
  void node_claims_no_jobs_while_its_heartbeats_wait_for_longer_than_its_lease() throws Exception {
    node.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .lease(Duration.ofSeconds(2))
        .start();
    node.enqueue("t");
    Await.until(SOON, "the first job has ended", () -> count(database, ENDED) == 1);
    try (Connection other = locking("readpast_node")) {
      TimeUnit.MILLISECONDS.sleep(2_700);
      node.enqueue("t");
      TimeUnit.SECONDS.sleep(1);
      assertThat(column(database, "select state from readpast_job")).containsExactly("AVAILABLE");
      other.rollback();
    }
    Await.until(SOON, "the second job has ended", () -> count(database, ENDED) == 2);
  }

  @Test
  void handler_that_must_not_outlive_its_lease_is_interrupted_while_a_heartbeat_waits()
      throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    node.handles(
            new HandlerDefinition(
                "t",
                null,
                ReceiveMode.LEASED,
                RARELY,
                1,
                RetryPolicy.DEFAULT,
                Set.of(),
                OnLostLease.INTERRUPT,
                (payload, context) -> {
                  started.countDown();
                  try {
                    mayEnd.await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                  return JobResult.done();
                },
                null))
        .lease(Duration.ofSeconds(2))
        .start();
    node.enqueue("t");
    assertThat(started.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    try (Connection other = locking("readpast_node")) {
      assertThat(interrupted.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      other.rollback();
    }
  }
}
