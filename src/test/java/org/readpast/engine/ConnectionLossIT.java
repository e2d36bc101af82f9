package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.value;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.Backoff;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests transactional jobs whose connection breaks while the handler runs, as in a failover. */
class ConnectionLossIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final RetryPolicy ONCE =
      new RetryPolicy(1, Backoff.FIXED, Duration.ofMillis(20), Duration.ofSeconds(1), 0, List.of());

  private Database database;
  private TestNode node;

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database);
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  /** Simulates a pooler that is killed repeatedly. */
  @ParameterizedTest
  @CsvSource({
    "TRANSACTIONAL, begun on readpast_lease",
    "LEASED, begun on readpast_lease",
    "TRANSACTIONAL, backends on readpast_node",
  })
  void job_whose_handler_cannot_be_started_is_released_each_time(ReceiveMode mode, String written) {
    database.execute(
        """
        create sequence times;
        create function refuse() returns trigger language plpgsql as $$
        begin
          if nextval('times') <= 25 then
            raise exception 'is away' using errcode = '57P01';
          end if;
          return new;
        end $$;
        create trigger refuse before update of %s for each row execute function refuse()"""
            .formatted(written));
    // A job with a single attempt has its start recorded.
    node.handles("t", mode, ONCE, SOON, (payload, context) -> JobResult.done()).start();
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select last_value > 25 from times")).isEqualTo("t");
    assertThat(
            value(
                database,
                "select concat_ws(' ', state, attempt, uncounted) from readpast_job_history"))
        .isEqualTo("COMPLETED 1 0");
    assertThat(column(database, "select attempt from readpast_failure")).isEmpty();
  }

  /**
   * Simulates Payara, which refuses transactions with a timeout long before it stops its
   * applications.
   */
  @Test
  void jobs_whose_transactions_are_refused_while_the_server_stops_are_released_uncounted()
      throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    node.transactions()
        .beforeHandlers(
            () -> {
              refused.countDown();
              throw new RejectedExecutionException("the server stops");
            });
    handles((payload, context) -> JobResult.done());
    node.enqueue(TestNode.job("t"), TestNode.job("t"), TestNode.job("t"));
    assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
    node.engine().stop();

    assertThat(
            column(
                database,
                "select concat_ws(' ', state, attempt, crashes, owner) from readpast_job"))
        .containsExactly("AVAILABLE 0", "AVAILABLE 0", "AVAILABLE 0");
  }

  @Test
  void attempt_with_a_broken_connection_is_not_counted() {
    handles(
        (payload, context) -> {
          if (context.attempt() == 1) {
            breakConnection();
          }
          return JobResult.done();
        });
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select state || ' ' || attempt from readpast_job_history"))
        .isEqualTo("COMPLETED 2");
    assertThat(node.engine().figures()).extracting(f -> f.counters().failed()).containsExactly(0L);
    assertThat(column(database, "select attempt from readpast_failure")).containsExactly("1");
  }

  @ParameterizedTest(name = "hidden by an exception {0}")
  @ValueSource(booleans = {false, true})
  void attempt_whose_handler_hides_an_outage_is_not_counted(boolean hiddenByException) {
    handles(
        (payload, context) -> {
          if (context.attempt() == 1) {
            awaitOutage();
            if (hiddenByException) {
              throw new IllegalStateException("the cause is missing");
            }
            node.transactions().setRollbackOnly();
          }
          return JobResult.done();
        });
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select state || attempt || uncounted from readpast_job_history"))
        .isEqualTo("COMPLETED21");
  }

  /** Waits until the node has noticed that the database refuses all other threads. */
  private void awaitOutage() {
    Thread handler = Thread.currentThread();
    try (LogLines log = new LogLines("org.readpast")) {
      node.transactions()
          .watchedBy(
              () -> {
                if (Thread.currentThread() != handler) {
                  throw new IllegalStateException(new SQLException("is recovering", "57P03"));
                }
              });
      Await.until(SOON, "the outage was noticed", () -> log.count("READPAST-0040") > 0);
    } finally {
      node.transactions().watchedBy(() -> {});
    }
  }

  @Test
  void job_that_always_breaks_its_connection_is_discarded() {
    handles((payload, context) -> breaks());
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select state || ' ' || attempt from readpast_job_history"))
        .isEqualTo("DISCARDED 4");
  }

  @Test
  void job_that_always_breaks_its_connection_has_three_uncounted_attempts_in_all() {
    node.handles("t", ReceiveMode.TRANSACTIONAL, (payload, context) -> breaks()).start();
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select state || attempt || uncounted from readpast_job_history"))
        .isEqualTo("DISCARDED63");
  }

  @Test
  void uncounted_attempts_for_other_reasons_do_not_make_a_broken_connection_count() {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, attempt, uncounted, max_attempts, payload)
        values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), 3, 3, 1, '{}')""");
    handles(
        (payload, context) -> {
          if (context.attempt() == 4) {
            breakConnection();
          }
          return JobResult.done();
        });
    awaitEnd();

    assertThat(value(database, "select state || attempt || uncounted from readpast_job_history"))
        .isEqualTo("COMPLETED54");
  }

  @Test
  void broken_connections_with_another_outcome_between_them_are_not_counted() {
    handles(
        (payload, context) -> {
          if (context.attempt() == 3) {
            return JobResult.retryLater(Duration.ofMillis(20));
          }
          if (context.attempt() < 6) {
            breakConnection();
          }
          return JobResult.done();
        });
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select state || attempt || uncounted from readpast_job_history"))
        .isEqualTo("COMPLETED65");
    assertThat(column(database, "select kind from readpast_failure order by id"))
        .containsExactly("FAILED", "FAILED", "RETRY_LATER", "FAILED", "FAILED");
  }

  @Test
  void job_whose_completion_always_meets_a_broken_connection_is_discarded() {
    handles(
        (payload, context) -> {
          Object backend =
              node.transactions()
                  .entityManager()
                  .createNativeQuery("select pg_backend_pid()")
                  .getSingleResult();
          // The handler itself does not use the connection afterwards.
          database.execute("select pg_terminate_backend(" + backend + ")");
          return JobResult.done();
        });
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select state || ' ' || attempt from readpast_job_history"))
        .isEqualTo("DISCARDED 4");
    assertThat(column(database, "select attempt from readpast_failure order by id"))
        .containsExactly("1", "2", "3", "4");
  }

  @Test
  void attempt_that_failed_because_of_another_database_is_counted() {
    handles(
        (payload, context) -> {
          throw new IllegalStateException(new SQLException("is away", "08006"));
        });
    node.enqueue("t");
    awaitEnd();

    assertThat(value(database, "select state || ' ' || attempt from readpast_job_history"))
        .isEqualTo("DISCARDED 1");
  }

  private void handles(HandlerDefinition.Work work) {
    node.handles("t", ReceiveMode.TRANSACTIONAL, ONCE, SOON, work).start();
  }

  private void breakConnection() {
    node.transactions()
        .entityManager()
        .createNativeQuery("select cast(pg_terminate_backend(pg_backend_pid()) as text)")
        .getResultList();
  }

  private JobResult breaks() {
    breakConnection();
    return JobResult.done();
  }

  private void awaitEnd() {
    Await.until(
        SOON,
        "a job has ended",
        () -> column(database, "select state from readpast_job_history").size() == 1);
  }
}
