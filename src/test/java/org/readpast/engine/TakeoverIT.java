package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.Backoff;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.RetryPolicy;
import org.readpast.store.Claims;
import org.readpast.store.Lane;
import org.readpast.store.Nodes;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

class TakeoverIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final CountDownLatch never = new CountDownLatch(1);
  private Database database;
  private TestNode first;
  private TestNode second;

  @BeforeEach
  void makeNodes() {
    database = TestDatabase.withTables();
    first = new TestNode(database).lease(LEASE);
    second = new TestNode(database).lease(LEASE);
  }

  @AfterEach
  void closeNodes() {
    never.countDown();
    first.close();
    second.close();
  }

  private void awaitCompleted(int jobs) {
    Await.until(
        SOON,
        jobs + " completed",
        () ->
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'")
                == jobs);
  }

  /** Hangs on the first node only, past interrupts. */
  private Handling.Work hangs(CountDownLatch started) {
    return (payload, context) -> {
      started.countDown();
      while (true) {
        try {
          never.await();
          return JobResult.done();
        } catch (InterruptedException e) {
          // A frozen process heeds nothing.
        }
      }
    };
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_of_a_dead_node_are_worked_by_another_and_its_late_end_is_void(ReceiveMode mode)
      throws Exception {
    CountDownLatch started = new CountDownLatch(2);
    first.handles("t", mode, hangs(started)).start();
    first.enqueue("t");
    first.enqueue("t");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.die();
    second.handles("t", mode, (payload, context) -> JobResult.done()).start();
    awaitCompleted(2);
    long owner = count(database, "select max(node) from readpast_job_history");
    never.countDown();
    Await.until(SOON, "the frozen threads are through", () -> first.threadsEnded());
    assertThat(count(database, "select count(*) from readpast_job_history")).isEqualTo(2);
    assertThat(count(database, "select count(distinct node) from readpast_job_history"))
        .isEqualTo(1);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
    assertThat(value(database, "select state from readpast_node where no <> " + owner))
        .isEqualTo("DEAD");
  }

  @Test
  void neighbours_of_a_crash_are_not_charged_and_run_alone() throws Exception {
    CountDownLatch started = new CountDownLatch(2);
    first.handles("t", ReceiveMode.LEASED, hangs(started)).start();
    first.enqueue("t");
    first.enqueue("t");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.die();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    second
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              never.await(200, TimeUnit.MILLISECONDS);
              running.decrementAndGet();
              return JobResult.done();
            })
        .start();
    awaitCompleted(2);
    assertThat(most).hasValue(1);
    assertThat(
            TestDatabase.column(
                database,
                "select attempt || ' ' || uncounted || ' ' || crashes from readpast_job_history"))
        .containsOnly("2 1 1");
  }

  @Test
  void a_suspect_that_is_through_is_charged_with_no_crash_of_the_next() throws Exception {
    first.handles("another", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    // The first ones let the node see that several can be claimed at once.
    int jobs = 300;
    for (int i = 0; i < jobs; i++) {
      first.enqueue("t");
    }
    database.execute("update readpast_job set crashes = 1 where id > 250 and id % 2 = 0");
    Queue<Boolean> beside = new ConcurrentLinkedQueue<>();
    try (Connection connection = database.connect();
        PreparedStatement alone =
            connection.prepareStatement(
                "select exists (select 1 from readpast_job where alone and id <> ?)")) {
      second
          .concurrency(1)
          .handles(
              "t",
              ReceiveMode.LEASED,
              (payload, context) -> {
                alone.setLong(1, context.id());
                try (ResultSet answer = alone.executeQuery()) {
                  answer.next();
                  beside.add(answer.getBoolean(1));
                }
                return JobResult.done();
              })
          .start();
      awaitCompleted(jobs);
    }
    assertThat(beside).hasSize(jobs).doesNotContain(true);
  }

  @Test
  void a_node_declared_dead_never_beats_again_but_starts_anew() {
    first.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    database.execute("update readpast_node set state = 'DEAD', ended_at = clock_timestamp()");
    first.enqueue("t");
    awaitCompleted(1);
    Await.until(
        SOON,
        "a second identity",
        () -> count(database, "select count(*) from readpast_node where state = 'ACTIVE'") == 1);
    assertThat(count(database, "select count(*) from readpast_node where state = 'DEAD'"))
        .isEqualTo(1);
  }

  @Test
  void a_job_that_may_run_at_most_once_is_not_run_again() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    first.handles("t", ReceiveMode.LEASED, hangs(started)).start();
    first.enqueue(
        new org.readpast.model.NewJob(
            "q", "t", 4, null, null, null, null, null, null, null, 1, "{}"));
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.die();
    second.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    Await.until(
        SOON,
        "discarded",
        () ->
            TestDatabase.column(database, "select state from readpast_job_history")
                .equals(List.of("DISCARDED")));
    assertThat(value(database, "select kind from readpast_failure")).isEqualTo("OWNER_LOST");
  }

  @Test
  void a_stopping_node_drains_and_gives_back_the_rest() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    first
        .concurrency(1)
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              started.countDown();
              go.await(10, TimeUnit.SECONDS);
              return JobResult.done();
            })
        .start();
    for (int i = 0; i < 5; i++) {
      first.enqueue("t");
    }
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    Thread closer = new Thread(() -> first.engine().stop());
    closer.start();
    Await.until(SOON, "stopping", () -> first.engine().draining());
    go.countDown();
    closer.join(20_000);
    assertThat(
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'"))
        .isEqualTo(1);
    assertThat(TestDatabase.column(database, "select distinct state || attempt from readpast_job"))
        .containsExactly("AVAILABLE0");
    assertThat(value(database, "select state from readpast_node")).isEqualTo("STOPPED");
  }

  @Test
  void a_handler_that_heeds_no_interrupt_loses_its_job_and_its_place() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    first
        .concurrency(1)
        .handles(
            "hangs",
            ReceiveMode.TRANSACTIONAL,
            org.readpast.model.RetryPolicy.DEFAULT,
            Duration.ofMillis(300),
            (payload, context) ->
                context.attempt() == 1 ? hangs(started).work(payload, context) : JobResult.done())
        .start();
    first.enqueue("hangs");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    awaitCompleted(1);
    assertThat(value(database, "select kind || attempt from readpast_failure"))
        .isEqualTo("TIMED_OUT1");
  }

  private void insertSuspect(String type) {
    insertSuspect(type, 1);
  }

  private void insertSuspect(String type, int attempts) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, attempt, uncounted, crashes, payload)
        values ('q', '%1$s', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), %2$d, %2$d, 1, '{}')"""
            .formatted(type, attempts));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void a_suspect_that_hangs_does_not_keep_the_others_from_working(ReceiveMode mode)
      throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    database.execute("insert into readpast_queue (name) values ('q')");
    insertSuspect("hangs");
    first
        .handles("hangs", mode, RetryPolicy.DEFAULT, Duration.ofSeconds(1), hangs(started))
        .handles("t", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done())
        .handles("l", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .start();
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

    first.enqueue("t");
    first.enqueue("l");

    awaitCompleted(2);
  }

  @Test
  void a_lease_that_waits_for_its_turn_is_not_given_back() throws Exception {
    CountDownLatch alone = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    database.execute("insert into readpast_queue (name) values ('q')");
    insertSuspect("slow");
    first
        .handles(
            "slow",
            ReceiveMode.LEASED,
            (payload, context) -> {
              alone.countDown();
              never.await(9, TimeUnit.SECONDS);
              return JobResult.done();
            })
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              runs.incrementAndGet();
              return JobResult.done();
            })
        .start();
    assertThat(alone.await(20, TimeUnit.SECONDS)).isTrue();

    first.enqueue("t");

    awaitCompleted(2);
    assertThat(runs).hasValue(1);
    assertThat(value(database, "select claim_no from readpast_job_history where type = 't'"))
        .isEqualTo("1");
  }

  @Test
  void time_in_which_a_suspect_waits_for_its_turn_is_not_charged_to_it() throws Exception {
    CountDownLatch beside = new CountDownLatch(1);
    database.execute("insert into readpast_queue (name) values ('q')");
    RetryPolicy once =
        new RetryPolicy(
            1, Backoff.FIXED, Duration.ofMillis(50), Duration.ofSeconds(1), 0, List.of());
    first
        .handles(
            "slow",
            ReceiveMode.LEASED,
            (payload, context) -> {
              beside.countDown();
              // Longer than the other's timeout and the grace after it.
              never.await(14, TimeUnit.SECONDS);
              return JobResult.done();
            })
        .handles(
            "brief",
            ReceiveMode.TRANSACTIONAL,
            once,
            Duration.ofSeconds(1),
            (payload, context) -> JobResult.done())
        .start();
    first.enqueue("slow");
    assertThat(beside.await(20, TimeUnit.SECONDS)).isTrue();
    // As after three turns that did not come.
    insertSuspect("brief", 4);

    awaitCompleted(2);
    assertThat(value(database, "select claim_no from readpast_job_history where type = 'brief'"))
        .isEqualTo("1");
  }

  /** A node that was last heard of a minute ago. */
  private int silentNode() {
    database.execute(
        """
        insert into readpast_node (id, name, version, beat_at, lease_ms, queues, types)
        values (gen_random_uuid(), 'silent', 'x', clock_timestamp() - interval '1 minute', 2000, '{}', '{}')""");
    return (int) count(database, "select max(no) from readpast_node");
  }

  /** Does work in a transaction that stays open, as that of a frozen process does, for ever. */
  private CountDownLatch freezesIn(Supplier<?> work) throws InterruptedException {
    CountDownLatch worked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Thread frozen =
        new Thread(
            () -> {
              try {
                first
                    .transactions()
                    .working(
                        Duration.ZERO,
                        () -> {
                          work.get();
                          worked.countDown();
                          never.await();
                          return true;
                        });
              } catch (Exception e) {
                ended.countDown();
              }
            });
    frozen.start();
    assertThat(worked.await(10, TimeUnit.SECONDS)).isTrue();
    return ended;
  }

  @Test
  void a_node_that_freezes_in_the_middle_of_a_claim_keeps_no_job() throws Exception {
    int silent = silentNode();
    database.execute("insert into readpast_queue (name) values ('q')");
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        values ('q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}')""");
    Claims claims = new Claims(first.transactions());
    CountDownLatch lateEndFailed =
        freezesIn(
            () ->
                assertThat(
                        claims.lease(
                            "q",
                            List.of(new Lane("t", 4, 0)),
                            1,
                            List.of(),
                            silent,
                            Duration.ofMinutes(1),
                            false))
                    .hasSize(1));

    second.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    awaitCompleted(1);

    never.countDown();
    assertThat(lateEndFailed.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_node_that_freezes_in_its_own_heartbeat_is_declared_dead() throws Exception {
    int silent = silentNode();
    Claims claims = new Claims(first.transactions());
    Nodes nodes = new Nodes(first.transactions());
    freezesIn(
        () -> {
          claims.markWork(silent);
          return nodes.beat(silent, List.of(), 0, List.of());
        });

    second.start();

    Await.until(
        SOON,
        "death of the silent node",
        () ->
            value(database, "select state from readpast_node where no = " + silent).equals("DEAD"));
  }
}
