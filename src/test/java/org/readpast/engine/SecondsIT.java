package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.Throughput;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests the counts of all nodes per second, which are stored only while a user watches. */
class SecondsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private Database database;
  private TestNode node;
  private Throughput throughput;

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database).lease(Duration.ofSeconds(2));
    throughput = new Throughput(node.transactions());
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  private long stored() {
    return TestDatabase.count(database, "select count(*) from readpast_second");
  }

  private Throughput.Series seconds(String queue, String type) {
    return throughput.series(Throughput.Span.PT5M, queue, type, null);
  }

  private static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }

  private void work(ReceiveMode mode) {
    node.handles("good", mode, (payload, context) -> JobResult.done())
        .handles("bad", mode, (payload, context) -> JobResult.failNow("no"))
        .start();
    // After the first heartbeat, the node knows the time of the database's clock.
    node.engine().beat();
    node.enqueue(job("good"), job("good"), job("bad"));
    Await.until(
        SOON,
        "the jobs",
        () -> TestDatabase.count(database, "select count(*) from readpast_job_history") == 3);
  }

  @Test
  void breakdown_names_the_busiest_queues_and_sums_up_the_other_queues() {
    node.start();
    database.execute(
        """
        insert into readpast_minute (minute, queue, node, enqueued, completed, failed, dead, waits, runs)
        select date_trunc('minute', clock_timestamp()) - interval '5 minutes', 'q' || i, 1, 0, i * 600, i * 60, 0,
          '{}', '{}'
        from generate_series(1, 11) i;
        insert into readpast_minute (minute, queue, node, enqueued, completed, failed, dead, waits, runs)
        select date_trunc('minute', clock_timestamp()) - interval '4 minutes', 'only-enqueued', 1, 600, 0, 0, 0,
          '{}', '{}'""");
    var breakdown = throughput.breakdown(Throughput.Span.PT1H, Throughput.By.QUEUE, null);
    assertThat(breakdown.at()).hasSize(60).isSorted();
    assertThat(breakdown.parts())
        .extracting(Throughput.Part::name, part -> sum(part.ended()))
        .containsExactly(
            tuple("q11", 121.0),
            tuple("q10", 110.0),
            tuple("q9", 99.0),
            tuple("q8", 88.0),
            tuple("q7", 77.0),
            tuple("q6", 66.0),
            tuple("q5", 55.0),
            tuple("q4", 44.0),
            tuple(null, 66.0));
    assertThat(throughput.breakdown(Throughput.Span.PT1H, Throughput.By.QUEUE, "q2").parts())
        .extracting(Throughput.Part::name, part -> sum(part.ended()))
        .containsExactly(tuple("q2", 22.0));
    assertThat(
            throughput
                .breakdown(Throughput.Span.PT1H, Throughput.By.QUEUE, "only-enqueued")
                .parts())
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void seconds_before_the_first_read_are_also_stored(ReceiveMode mode) {
    work(mode);
    Await.until(
        SOON,
        "the seconds",
        () -> {
          var series = seconds(null, null);
          node.engine().beat();
          return sum(series.enqueued()) == 3
              && sum(series.completed()) == 2
              && sum(series.failed()) == 1;
        });
    var good = seconds(null, "good");
    assertThat(good.at()).hasSize(300).isSorted();
    assertThat(sum(good.completed())).isEqualTo(2);
    assertThat(sum(good.failed())).isZero();
    assertThat(Arrays.stream(good.ran().p95()).max().getAsDouble()).isPositive();
    assertThat(sum(seconds("none", null).enqueued())).isZero();
    assertThat(throughput.types())
        .extracting(Throughput.Type::type)
        .containsExactlyInAnyOrder("good", "bad");
    long last = good.at()[299];
    assertThat(throughput.series(Throughput.Span.PT5M, null, null, last - 10).at()[0])
        .isEqualTo(last - 9);

    assertThat(throughput.breakdown(Throughput.Span.PT5M, Throughput.By.TYPE, null).parts())
        .extracting(Throughput.Part::name, part -> sum(part.ended()))
        .containsExactly(tuple("good", 2.0), tuple("bad", 1.0));
    assertThat(throughput.breakdown(Throughput.Span.PT5M, Throughput.By.TYPE, "none").parts())
        .isEmpty();

    // A second is stored only once, and deleted after five minutes.
    long rows = stored();
    node.engine().beat();
    assertThat(stored()).isEqualTo(rows);
    database.execute("update readpast_second set second = second - interval '301 seconds'");
    node.enqueue(job("good"));
    Await.until(
        SOON,
        "the newer seconds",
        () -> {
          seconds(null, null);
          node.engine().beat();
          return sum(seconds(null, null).completed()) == 1;
        });
    assertThat(
            TestDatabase.count(
                database,
                "select count(*) from readpast_second where second < now() - interval '5 minutes'"))
        .isZero();
  }

  @Test
  void node_stores_no_seconds_while_no_user_watches() {
    work(ReceiveMode.LEASED);
    String begun = TestDatabase.value(database, "select now()");
    Await.until(
        SOON,
        "seconds that are closed",
        () -> {
          node.engine().beat();
          return TestDatabase.count(
                  database,
                  "select count(*) where now() > timestamptz '"
                      + begun
                      + "' + interval '4 seconds'")
              == 1;
        });
    assertThat(stored()).isZero();
  }

  @Test
  void repeated_reads_write_once_in_ten_seconds() {
    node.start();
    seconds(null, null);
    String until = TestDatabase.value(database, "select until from readpast_watch");
    seconds(null, null);
    assertThat(TestDatabase.value(database, "select until from readpast_watch")).isEqualTo(until);
    database.execute("update readpast_watch set until = now() + interval '15 seconds'");
    seconds(null, null);
    assertThat(
            TestDatabase.count(
                database,
                "select count(*) from readpast_watch where until > now() + interval '20 seconds'"))
        .isOne();
  }

  @Test
  void maintenance_removes_the_seconds_of_removed_nodes() {
    database.execute(
        """
        insert into readpast_second (second, queue, type, node, enqueued, completed, failed, waits, runs)
        values (now() - interval '11 minutes', 'q', 't', 77, 1, 1, 0, '{}', '{}')""");
    // Maintenance runs once a minute, beginning when the node starts.
    node.start();
    node.retention().run();
    Await.until(SOON, "the maintenance", () -> stored() == 0);
  }

  @Test
  void second_is_shown_once_the_node_with_the_longest_lease_has_reported() {
    node.start();
    try (TestNode slow = new TestNode(database).lease(Duration.ofSeconds(40))) {
      slow.start();
      long now = TestDatabase.count(database, "select extract(epoch from now())::bigint");
      // The heartbeats of this node are 12 s apart.
      assertThat(seconds(null, null).at()[299]).isBetween(now - 16, now - 14);
    }
    long now = TestDatabase.count(database, "select extract(epoch from now())::bigint");
    assertThat(seconds(null, null).at()[299]).isBetween(now - 5, now - 2);
  }

  @Test
  void user_that_reads_for_a_long_time_does_not_delay_other_users() {
    node.start();
    node.transactions()
        .required(
            () -> {
              seconds(null, null);
              database.execute(
                  """
                  set lock_timeout = '100ms';
                  update readpast_watch set until = now() + interval '15 seconds'""");
              return null;
            });
    assertThat(TestDatabase.count(database, "select count(*) from readpast_watch")).isOne();
  }
}
