package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests the rows in which the running jobs of a node are recorded, so that another node can take
 * them over.
 */
class LeasesIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String UNNAMED =
      """
      select count(*) from readpast_job j where state = 'RUNNING' and not exists (
        select 1 from readpast_lease l where l.node = j.owner and j.id = any(l.jobs))""";

  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private Database database;
  private TestNode node;

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database).lease(Duration.ofSeconds(2));
  }

  @AfterEach
  void closeNode() {
    mayEnd.countDown();
    node.close();
  }

  private void awaitNoLease() {
    Await.until(
        SOON,
        "no lease is left",
        () -> count(database, "select count(*) from readpast_lease") == 0);
  }

  @Test
  void lease_is_removed_when_its_jobs_have_ended_failed_or_been_released() {
    node.handles("good", ReceiveMode.LEASED, (payload, context) -> JobResult.done());
    node.handles(
        "bad",
        ReceiveMode.LEASED,
        (payload, context) -> {
          throw new IllegalStateException("bad");
        });
    node.start();
    for (int i = 0; i < 200; i++) {
      node.enqueue(i % 10 == 0 ? "bad" : "good");
    }
    Await.until(
        SOON,
        "all other jobs have ended",
        () ->
            count(database, "select count(*) from readpast_job_history where type = 'good'")
                == 180);
    awaitNoLease();
  }

  @Test
  void attempt_with_an_unknown_outcome_counts_as_started() {
    List<Integer> begun = new CopyOnWriteArrayList<>();
    node.instrumentation(failingAt(1))
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              begun.add(context.attempt());
              return JobResult.done();
            })
        .start();
    node.enqueue("t");
    Await.until(SOON, () -> count(database, "select count(*) from readpast_job_history") == 1);
    assertThat(begun).containsExactly(1, 2);
    assertThat(count(database, "select uncounted from readpast_job_history")).isEqualTo(1);
  }

  @Test
  void error_of_the_engine_does_not_count_after_uncounted_attempts_for_other_reasons() {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, attempt, uncounted, payload)
        values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), 3, 3, '{}')""");
    node.instrumentation(failingAt(4))
        .handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .start();
    Await.until(SOON, () -> count(database, "select count(*) from readpast_job_history") == 1);
    assertThat(count(database, "select uncounted from readpast_job_history")).isEqualTo(4);
  }

  /** Simulates a class that cannot be found. */
  private static Instrumentation failingAt(int attempt) {
    return (job, properties) ->
        outcome -> {
          if (job.attempt() == attempt) {
            throw new NoClassDefFoundError("org/readpast/Late");
          }
        };
  }

  @Test
  void lease_is_kept_while_one_of_its_jobs_runs() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    node.handles(
        "t",
        ReceiveMode.LEASED,
        (payload, context) -> {
          started.countDown();
          mayEnd.await();
          return JobResult.done();
        });
    node.start();
    node.enqueue("t");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    // This time is longer than the time after which a lease without jobs is removed.
    Thread.sleep(13_000);
    assertThat(count(database, "select count(*) from readpast_job where state = 'RUNNING'"))
        .isEqualTo(1);
    assertThat(count(database, UNNAMED)).isZero();
    mayEnd.countDown();
    awaitNoLease();
  }

  @Test
  void lease_whose_response_was_lost_is_removed_with_its_jobs() {
    node.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    node.enqueue("t");
    TestDatabase.insertLeased(
        database, "select no from readpast_node, generate_series(1, 3) where state = 'ACTIVE'");
    Await.until(
        SOON,
        "the jobs have ended",
        () -> count(database, "select count(*) from readpast_job_history") == 4);
    awaitNoLease();
  }
}
