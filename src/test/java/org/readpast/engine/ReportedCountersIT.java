package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.value;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.Overview;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests the counters that a node sends with its heartbeats, and their display in the console. */
class ReportedCountersIT {
  private static final Duration SOON = Duration.ofSeconds(20);

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

  private String sums() {
    return value(
        database,
        "select concat_ws(' ', sum(enqueued), sum(completed), sum(failed), sum(dead),"
            + " sum((select sum(v) from unnest(waits) v)), sum((select sum(v) from unnest(runs) v)))"
            + " from readpast_minute");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void counts_per_minute_add_up_to_the_jobs_that_ran(ReceiveMode mode) {
    node.handles("good", mode, (payload, context) -> JobResult.done())
        .handles("bad", mode, (payload, context) -> JobResult.failNow("no"))
        .start();
    for (int round = 1; round <= 3; round++) {
      node.enqueue(job("good"), job("good"), job("bad"));
      int all = 3 * round;
      Await.until(
          SOON,
          "the jobs have ended",
          () -> TestDatabase.count(database, "select count(*) from readpast_job_history") == all);
      String expected = "%d %d %d %d %d %d".formatted(all, 2 * round, round, round, all, all);
      awaitMinutes(expected);
    }
    node.engine().beat();
    assertThat(sums()).startsWith("9 6 3 3");
  }

  private void awaitMinutes(String expected) {
    Await.until(
        SOON,
        "the minutes are stored",
        () -> {
          node.engine().beat();
          return sums().equals(expected);
        });
  }

  @Test
  void heartbeat_between_a_handlers_return_and_its_commit_loses_no_count() {
    database.execute(
        """
        create table slow (job bigint);
        create function sleep() returns trigger language plpgsql as
          'begin perform pg_sleep(1); return null; end';
        create constraint trigger sleep after insert on slow deferrable initially deferred
          for each row execute function sleep()""");
    CountDownLatch mayGoOn = new CountDownLatch(1);
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              assertThat(mayGoOn.await(20, TimeUnit.SECONDS)).isTrue();
              node.transactions()
                  .entityManager()
                  .createNativeQuery("insert into slow values (1)")
                  .executeUpdate();
              return JobResult.done();
            })
        .start();
    node.enqueue(job("t"));
    awaitMinutes("1 0 0 0");
    mayGoOn.countDown();
    awaitMinutes("1 1 0 0 1 1");
  }

  @Test
  void overview_contains_the_counts() {
    node.handles("good", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .handles("bad", ReceiveMode.LEASED, (payload, context) -> JobResult.failNow("no"))
        .start();
    node.enqueue(job("good"), job("bad"));
    Overview overview = new Overview(node.transactions());
    Await.until(
        SOON,
        "the report exists",
        () -> {
          node.engine().beat();
          var taken = overview.report().taken();
          return taken.ran().p99() > 0 && taken.waited().p50() > 0;
        });
    var report = overview.report();
    assertThat(report.counts().get(JobState.DISCARDED).count()).isEqualTo(1);
    assertThat(report.attention())
        .extracting(Overview.Notice::kind)
        .containsExactly(Overview.Kind.DISCARDED);
    assertThat(report.queues()).hasSize(1);
    assertThat(report.queues().get(0).perSecond()).isPositive();
  }

  @Test
  void depth_and_age_of_an_unserved_queue_are_reported() {
    database.execute(
        "insert into readpast_queue (name, paused) values ('old', false), ('still', true)");
    database.execute(
        "insert into readpast_job (queue, type, state, position, available_at, payload, priority)"
            + " select case when i < 3 then 'old' else 'still' end, 'none', 'AVAILABLE', i,"
            + " clock_timestamp() - i * interval '10 minutes', '{}', i from generate_series(1, 5) i");
    node.start();
    node.retention().run();
    Overview overview = new Overview(node.transactions());
    var old = overview.queues().get(0);
    assertThat(old.oldestMillis()).isBetween(1_200_000L, 1_260_000L);
    assertThat(old.depths()).hasSize(60);
    assertThat(old.depths()[59] + old.depths()[58]).isEqualTo(2);
    assertThat(overview.report().attention())
        .extracting(notice -> notice.kind() + " " + notice.about())
        .containsExactly("NOT_WORKED none", "OVERDUE old", "PAUSED still");
  }
}
