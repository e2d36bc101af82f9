package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.QueueControl;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.store.ClaimedJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests an application that receives jobs itself, in its own transactions. No node handles the type
 * "t".
 */
class SynchronousReceiveIT {
  private static final Duration SOON = Duration.ofSeconds(15);

  private Database database;
  private TestNode node;

  @BeforeEach
  void startNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database).poll(Duration.ofSeconds(30)).lease(Duration.ofSeconds(2)).start();
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  private @Nullable ClaimedJob receive(Duration timeout, boolean commit, String... types)
      throws Exception {
    ClaimedJob[] received = new ClaimedJob[1];
    node.transactions()
        .inHandlerTransaction(
            Duration.ofSeconds(30),
            () -> {
              SynchronousReceive.Received one =
                  node.engine().synchronousReceive().receive("q", timeout, List.of(types));
              received[0] = one == null ? null : one.job();
              return commit;
            });
    return received[0];
  }

  private ClaimedJob received(boolean commit, String... types) throws Exception {
    return Objects.requireNonNull(receive(SOON, commit, types), "nothing received");
  }

  @Test
  void received_job_ends_with_the_commit_of_the_caller() throws Exception {
    long id = node.enqueue("t");
    node.transactions()
        .inHandlerTransaction(
            SOON,
            () -> {
              SynchronousReceive.Received one =
                  node.engine().synchronousReceive().receive("q", SOON, List.of());
              assertThat(Objects.requireNonNull(one).job().id()).isEqualTo(id);
              assertThat(count(database, "select count(*) from readpast_job")).isEqualTo(1);
              Await.until(
                  SOON,
                  "a heartbeat has reported it",
                  () ->
                      count(
                              database,
                              "select count(*) from readpast_lease where " + id + " = any(begun)")
                          == 1);
              return true;
            });
    assertThat(
            value(
                database,
                "select state || ' ' || attempt || ' ' || (started_at is not null)"
                    + " from readpast_job_history"))
        .isEqualTo("COMPLETED 1 true");
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
  }

  @Test
  void rollback_releases_the_job_and_counts_the_delivery() throws Exception {
    long id = node.enqueue("t");
    assertThat(received(false).attempt()).isEqualTo(1);
    ClaimedJob again = received(true);
    assertThat(again.id()).isEqualTo(id);
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(value(database, "select kind || ' ' || message from readpast_failure"))
        .isEqualTo("FAILED the transaction that received the job was rolled back");
    assertThat(value(database, "select state || ' ' || attempt from readpast_job_history"))
        .isEqualTo("COMPLETED 2");
  }

  @Test
  void first_job_of_a_queue_is_received_before_the_node_knows_the_queue() throws Exception {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, payload)
        values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}')""");
    assertThat(receive(Duration.ZERO, true)).isNotNull();
  }

  @Test
  void job_rolled_back_at_its_last_attempt_is_a_dead_letter() throws Exception {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, max_attempts, payload)
        values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), 1, '{}')""");
    received(false);
    Await.until(
        SOON,
        "the dead letter exists",
        () ->
            value(database, "select state || ' ' || attempt from readpast_job_history")
                .equals("DISCARDED 1"));
  }

  @Test
  void new_job_wakes_a_waiting_caller() throws Exception {
    node.enqueue("other");
    var waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return received(true, "t");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    Await.until(SOON, "a poll found no job", () -> empty() > 0);
    long before = System.nanoTime();
    long id = node.enqueue("t");
    assertThat(waiting.get(15, TimeUnit.SECONDS).id()).isEqualTo(id);
    // A notification woke the caller, because the poll interval is half a minute.
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void waiting_caller_does_not_poll_constantly() throws Exception {
    node.enqueue("other");
    assertThat(receive(Duration.ofSeconds(2), true, "t")).isNull();
    assertThat(empty()).isBetween(1L, 3L);
  }

  private long empty() {
    return node.engine().figures().stream().mapToLong(l -> l.counters().emptyReceives()).sum();
  }

  @Test
  void concurrent_callers_receive_no_job_twice() throws Exception {
    for (int i = 0; i < 5; i++) {
      node.enqueue(job("t"), job("u", 9, null), job("t"), job("t", 0, null));
    }
    AtomicInteger got = new AtomicInteger();
    var threads = Executors.newFixedThreadPool(4);
    for (int i = 0; i < 4; i++) {
      threads.execute(
          () -> {
            try {
              while (receive(Duration.ofMillis(500), true) != null) {
                got.incrementAndGet();
              }
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(got).hasValue(20);
    assertThat(count(database, "select count(*) from readpast_job_history where attempt = 1"))
        .isEqualTo(20);
  }

  @Test
  void most_urgent_job_of_all_types_is_received_first() throws Exception {
    node.enqueue(job("t", 1, null), job("u", 7, null), job("t", 9, null));
    assertThat(received(true).priority()).isEqualTo(9);
    assertThat(received(true).type()).isEqualTo("u");
    assertThat(received(true).priority()).isEqualTo(1);
  }

  @Test
  void expired_job_leaves_memory_to_others() throws Exception {
    node.close();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch checked = new CountDownLatch(1);
    node =
        new TestNode(database)
            .prefetchBytes(16_000)
            .handles(
                "worked",
                ReceiveMode.TRANSACTIONAL,
                10,
                RetryPolicy.DEFAULT,
                SOON,
                (payload, context) -> {
                  started.countDown();
                  checked.await();
                  return JobResult.done();
                })
            .start();
    String payload = '"' + "x".repeat(20_000) + '"';
    node.enqueue(job("t", payload));
    database.execute("update readpast_job set expires_at = clock_timestamp()");
    assertThat(receive(Duration.ZERO, true, "t")).isNull();
    assertThat(value(database, "select state from readpast_job_history")).isEqualTo("EXPIRED");

    node.enqueue(Collections.nCopies(10, job("worked")).toArray(NewJob[]::new));
    assertThat(started.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    long leased = count(database, "select max(cardinality(jobs)) from readpast_lease");
    checked.countDown();
    assertThat(leased).isEqualTo(10);
  }

  @Test
  void paused_queue_returns_no_job() throws Exception {
    node.enqueue("t");
    var control = new QueueControl(node.transactions(), node.engine().signals(), node.audit());
    control.change("q", QueueAdmin.Change.paused(true));
    Await.until(SOON, "the queue is paused", () -> receive(Duration.ZERO, false) == null);
    assertThat(receive(Duration.ofMillis(500), true)).isNull();
    control.change("q", QueueAdmin.Change.paused(false));
    assertThat(received(true)).isNotNull();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void
      transaction_whose_snapshot_is_older_than_the_claim_is_refused_and_leaves_the_job_unchanged() {
    node.enqueue(job("t"), job("t"), job("t"));
    assertThatThrownBy(
            () ->
                node.transactions()
                    .inHandlerTransaction(
                        SOON,
                        () -> {
                          node.transactions()
                              .entityManager()
                              .createNativeQuery("set transaction isolation level repeatable read")
                              .executeUpdate();
                          SynchronousReceive receive = node.engine().synchronousReceive();
                          assertThat(receive.receive("q", Duration.ZERO, List.of())).isNotNull();
                          receive.receive("q", Duration.ZERO, List.of());
                          return true;
                        }))
        .hasStackTraceContaining("isolation level above READ COMMITTED");
    Await.until(
        SOON,
        "all jobs are available again",
        () -> count(database, "select count(*) from readpast_job where state <> 'RUNNING'") == 3);
    assertThat(count(database, "select count(*) from readpast_job where attempt = 0")).isEqualTo(2);
  }

  @Test
  void receive_without_a_transaction_is_refused() {
    assertThatThrownBy(
            () -> node.engine().synchronousReceive().receive("q", Duration.ZERO, List.of()))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("begin one first");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void received_job_is_a_dead_letter_after_as_many_deaths_as_it_has_attempts(int attempts)
      throws Exception {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, max_attempts, payload)
        values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), %d, '{}')"""
            .formatted(attempts));
    for (int deaths = 1; deaths <= attempts; deaths++) {
      assertThat(count(database, "select count(*) from readpast_job")).isEqualTo(1);
      try (TestNode dying = new TestNode(database).start()) {
        // The node dies before its next heartbeat.
        dying.die();
        dying
            .transactions()
            .inHandlerTransaction(
                SOON,
                () -> {
                  assertThat(dying.engine().synchronousReceive().receive("q", SOON, List.of()))
                      .isNotNull();
                  return false;
                });
        database.execute(
            "update readpast_node set state = 'DEAD', ended_at = clock_timestamp()"
                + " where no = (select max(no) from readpast_node)");
        Await.until(
            SOON,
            "the job was taken over",
            () ->
                count(database, "select count(*) from readpast_job where state = 'RUNNING'") == 0);
      }
    }
    assertThat(value(database, "select state || ' ' || attempt from readpast_job_history"))
        .isEqualTo("DISCARDED " + attempts);
    assertThat(value(database, "select string_agg(distinct kind, ' ') from readpast_failure"))
        .isEqualTo("OWNER_LOST");
  }

  @Test
  void death_of_the_node_releases_the_received_job() throws Exception {
    long id = node.enqueue("t");
    try (TestNode other = new TestNode(database)) {
      other.handles("t", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done());
      node.transactions()
          .inHandlerTransaction(
              SOON,
              () -> {
                node.engine().synchronousReceive().receive("q", SOON, List.of());
                node.die();
                other.start();
                // The second node terminates the database session of the dead node.
                Await.until(
                    Duration.ofSeconds(25),
                    "the job has ended on the other node",
                    () ->
                        value(database, "select attempt from readpast_job_history where id = " + id)
                            .equals("2"));
                return false;
              });
    } catch (RuntimeException e) {
      // The rollback fails because the connection is closed.
    }
    assertThat(count(database, "select count(*) from readpast_job_history")).isEqualTo(1);
  }
}
