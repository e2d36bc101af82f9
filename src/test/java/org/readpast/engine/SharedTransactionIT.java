package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.Backoff;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests that several jobs of a type that allows it are received, run and ended in one transaction.
 */
class SharedTransactionIT {
  private static final RetryPolicy TWICE =
      new RetryPolicy(
          2, Backoff.FIXED, Duration.ofMillis(500), Duration.ofSeconds(1), 0, List.of());

  private Database database;
  private TestNode node;
  private final Map<Long, Integer> begun = new ConcurrentHashMap<>();

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    database.execute("create table effect (job bigint not null)");
    database.execute("insert into readpast_queue (name) values ('q')");
    node = new TestNode(database);
    node.concurrency(2);
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  private void enqueuedBefore(String type, int jobs) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', '%s', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}'
        from generate_series(1, %d)"""
            .formatted(type, jobs));
  }

  private void handles(String type, int together, HandlerDefinition.Work work) {
    node.handles(type, ReceiveMode.TRANSACTIONAL, together, TWICE, Duration.ofSeconds(20), work);
  }

  private JobResult leaveRow(JobContext context) {
    begun.merge(context.id(), 1, Integer::sum);
    node.transactions()
        .entityManager()
        .createNativeQuery("insert into effect (job) values (" + context.id() + ")")
        .executeUpdate();
    return JobResult.done();
  }

  private void awaitEnded(int jobs) {
    Await.until(
        Duration.ofSeconds(30),
        jobs + " jobs have ended",
        () -> count(database, "select count(*) from readpast_job_history") == jobs);
  }

  private List<String> ended() {
    return column(
        database,
        "select state || ' ' || attempt || ' ' || count(*) from readpast_job_history"
            + " group by state, attempt order by 1");
  }

  /** Returns the final state of each job, with its starts and how many of them do not count. */
  private List<String> starts() {
    return column(
        database,
        "select concat_ws(' ', state, attempt, uncounted) from readpast_job_history order by id");
  }

  /** Returns the number of effects of each transaction. */
  private List<String> effectsOfTransactions() {
    return column(database, "select count(*) from effect group by cast(xmin as text) order by 1");
  }

  /** Checks that of ten jobs only the faulty one was charged. */
  private void assertOnlyCharged(long faulty) {
    assertThat(
            column(
                database,
                "select state || ' ' || attempt - uncounted || ' ' || count(*) from readpast_job_history"
                    + " group by state, attempt - uncounted order by 1"))
        .containsExactly("COMPLETED 1 9", "DISCARDED 2 1");
    assertThat(column(database, "select distinct job_id from readpast_failure"))
        .containsExactly(Long.toString(faulty));
    assertThat(count(database, "select count(*) from effect")).isEqualTo(9);
    assertThat(count(database, "select count(distinct job) from effect")).isEqualTo(9);
  }

  @Test
  void jobs_that_share_a_transaction_are_leased_for_their_total_time() {
    CountDownLatch looked = new CountDownLatch(1);
    node.concurrency(1);
    enqueuedBefore("t", 10);
    handles(
        "t",
        10,
        (payload, context) -> {
          looked.await();
          return JobResult.done();
        });
    node.start();
    Await.until(
        Duration.ofSeconds(20),
        "all jobs are leased",
        () -> count(database, "select count(*) from readpast_job where state = 'RUNNING'") == 10);
    long seconds =
        count(
            database,
            "select cast(extract(epoch from min(deadline - claimed_at)) as int) from readpast_job");
    looked.countDown();
    assertThat(seconds).isGreaterThanOrEqualTo(10 * 20);
    awaitEnded(10);
  }

  @Test
  void as_many_jobs_as_the_type_allows_share_a_transaction() {
    node.concurrency(1);
    enqueuedBefore("t", 30);
    handles("t", 10, (payload, context) -> leaveRow(context));
    node.start();
    awaitEnded(30);
    assertThat(effectsOfTransactions()).containsExactly("10", "10", "10");
    assertThat(ended()).containsExactly("COMPLETED 1 30");
  }

  @Test
  void each_job_has_its_own_transaction_by_default() {
    node.concurrency(1);
    // While no lane is known to have jobs, the first claim takes one job.
    enqueuedBefore("t", 11);
    enqueuedBefore("alone", 10);
    handles("t", 10, (payload, context) -> leaveRow(context));
    handles("alone", 1, (payload, context) -> leaveRow(context));
    node.start();
    awaitEnded(21);
    assertThat(effectsOfTransactions())
        .containsExactlyInAnyOrder("10", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1");
  }

  @Test
  void only_the_failed_job_is_charged() {
    enqueuedBefore("t", 10);
    long faulty = count(database, "select max(id) - 4 from readpast_job");
    handles(
        "t",
        10,
        (payload, context) -> {
          leaveRow(context);
          if (context.id() == faulty) {
            throw new IllegalStateException("faulty");
          }
          return JobResult.done();
        });
    node.start();
    awaitEnded(10);
    assertOnlyCharged(faulty);
    assertThat(begun.values().stream().mapToInt(i -> i).sum())
        .as("handlers called: the five before it twice, none a third time")
        .isLessThanOrEqualTo(10 + 5 + 2);
  }

  @Test
  void failed_commit_is_charged_to_the_job_at_fault() {
    database.execute(
        "alter table effect add constraint one unique (job) deferrable initially deferred");
    enqueuedBefore("t", 10);
    long faulty = count(database, "select max(id) - 4 from readpast_job");
    handles(
        "t",
        10,
        (payload, context) -> {
          leaveRow(context);
          return context.id() == faulty ? leaveRow(context) : JobResult.done();
        });
    node.start();
    awaitEnded(10);
    assertOnlyCharged(faulty);
  }

  @Test
  void job_that_always_fails_at_the_commit_ends_and_repeats_each_other_job_at_most_once() {
    database.execute(
        "alter table effect add constraint one unique (job) deferrable initially deferred");
    node.concurrency(1);
    enqueuedBefore("t", 400);
    long faulty = count(database, "select min(id) + 203 from readpast_job");
    handles(
        "t",
        5,
        (payload, context) -> {
          leaveRow(context);
          return context.id() == faulty ? leaveRow(context) : JobResult.done();
        });
    node.start();
    awaitEnded(400);
    assertThat(ended()).containsExactly("COMPLETED 1 395", "COMPLETED 2 4", "DISCARDED 3 1");
    assertThat(column(database, "select distinct job_id from readpast_failure"))
        .containsExactly(Long.toString(faulty));
    assertThat(count(database, "select count(*) from effect")).isEqualTo(399);
  }

  @Test
  void expired_jobs_in_a_shared_transaction_do_not_run() {
    enqueuedBefore("t", 10);
    database.execute(
        "update readpast_job set expires_at = clock_timestamp() - interval '1 s' where id % 2 = 0");
    handles("t", 10, (payload, context) -> leaveRow(context));
    node.start();
    awaitEnded(10);
    assertThat(count(database, "select count(*) from readpast_job_history where state = 'EXPIRED'"))
        .isEqualTo(5);
    assertThat(count(database, "select count(*) from effect")).isEqualTo(5);
    Await.until(
        Duration.ofSeconds(30),
        "five counted as completed",
        () -> node.engine().figures().stream().mapToLong(f -> f.counters().completed()).sum() == 5);
  }

  @Test
  void expired_job_that_was_taken_over_does_not_delay_the_others() {
    enqueuedBefore("t", 2);
    database.execute(
        "update readpast_job set expires_at = clock_timestamp() - interval '1 s' where id = 2");
    handles(
        "t",
        2,
        (payload, context) -> {
          if (context.attempt() == 1) {
            database.execute(
                """
                update readpast_job set state = 'AVAILABLE', owner = null, deadline = null,
                  claim_no = claim_no + 1 where id = 2 and state = 'RUNNING'""");
          }
          return leaveRow(context);
        });
    try (LogLines log = new LogLines("org.readpast.engine")) {
      node.start();
      Await.until(
          Duration.ofSeconds(4),
          "both have ended",
          () -> count(database, "select count(*) from readpast_job_history") == 2);
      assertThat(log.count("READPAST-0013")).isEqualTo(1);
      assertThat(log.count("READPAST-0017")).isZero();
    }
    assertThat(column(database, "select state from readpast_job_history order by id"))
        .containsExactly("COMPLETED", "EXPIRED");
    assertThat(count(database, "select count(*) from effect")).isEqualTo(1);
    assertThat(node.engine().figures()).extracting(f -> f.counters().failed()).containsOnly(0L);
  }

  @Test
  void jobs_are_enqueued_with_the_commit() {
    enqueuedBefore("t", 10);
    handles(
        "t",
        10,
        (payload, context) -> {
          context.enqueue("next");
          return leaveRow(context);
        });
    handles("next", 1, (payload, context) -> leaveRow(context));
    node.start();
    awaitEnded(20);
    assertThat(count(database, "select count(*) from effect")).isEqualTo(20);
  }

  @Test
  void each_of_many_jobs_runs_once() {
    node.concurrency(4);
    handles("t", 7, (payload, context) -> leaveRow(context));
    node.start();
    node.enqueue(
        IntStream.range(0, 1_000).mapToObj(i -> job("t", i % 10, null)).toArray(NewJob[]::new));
    awaitEnded(1_000);
    assertThat(ended()).containsExactly("COMPLETED 1 1000");
    assertThat(count(database, "select count(*) from effect")).isEqualTo(1_000);
    assertThat(count(database, "select count(distinct job) from effect")).isEqualTo(1_000);
  }

  @Test
  void jobs_that_could_not_be_released_during_an_outage_are_released_after_it() {
    AtomicBoolean outage = new AtomicBoolean();
    node.concurrency(1);
    enqueuedBefore("t", 3);
    long faulty = count(database, "select max(id) from readpast_job");
    handles(
        "t",
        3,
        (payload, context) -> {
          JobResult result = leaveRow(context);
          if (context.id() == faulty && context.attempt() == 1) {
            outage.set(true);
            throw new IllegalStateException("faulty");
          }
          return result;
        });
    node.transactions()
        .watchedBy(
            () -> {
              if (outage.get()) {
                throw new IllegalStateException(new SQLException("is recovering", "57P03"));
              }
            });
    try (LogLines log = new LogLines("org.readpast.engine")) {
      node.start();
      Await.until(
          Duration.ofSeconds(20),
          "neither the failure nor the release of the others could be stored",
          () -> log.count("READPAST-0011") > 0 && log.count("READPAST-0010") > 0);
      outage.set(false);
      awaitEnded(3);
      assertThat(log.count("READPAST-0017")).as("claims whose response was lost").isZero();
    }
    assertThat(starts()).containsExactly("COMPLETED 2 1", "COMPLETED 2 1", "COMPLETED 2 0");
  }

  @Test
  void jobs_in_the_transaction_of_an_abandoned_job_run_again_before_its_thread_returns() {
    CountDownLatch mayReturn = new CountDownLatch(1);
    node.concurrency(1);
    enqueuedBefore("t", 3);
    long hanging = count(database, "select max(id) - 1 from readpast_job");
    node.handles(
        "t",
        ReceiveMode.TRANSACTIONAL,
        3,
        TWICE,
        Duration.ofSeconds(1),
        (payload, context) -> {
          JobResult result = leaveRow(context);
          boolean hangs = context.id() == hanging && context.attempt() == 1;
          while (hangs && mayReturn.getCount() > 0) {
            try {
              mayReturn.await();
            } catch (InterruptedException e) {
              // The handler ignores interrupts.
            }
          }
          return result;
        });
    node.start();
    try {
      awaitEnded(3);
      assertThat(starts())
          .as("only the hanging job is charged, and the last one had not started")
          .containsExactly("COMPLETED 2 1", "COMPLETED 2 0", "COMPLETED 1 0");
      assertThat(column(database, "select kind from readpast_failure"))
          .containsExactly("TIMED_OUT");
    } finally {
      mayReturn.countDown();
    }
    assertThat(count(database, "select count(*) from effect")).isEqualTo(3);
  }
}
