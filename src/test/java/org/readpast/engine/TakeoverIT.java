package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
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
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.store.Claims;
import org.readpast.store.Nodes;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

class TakeoverIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final CountDownLatch never = new CountDownLatch(1);
  private Database database;
  private TestNode first;
  private TestNode second;
  private final List<TestNode> others = new ArrayList<>();

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
    others.forEach(TestNode::close);
  }

  private void awaitCompleted(int jobs) {
    Await.until(
        SOON,
        jobs + " completed",
        () ->
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'")
                == jobs);
  }

  /** Returns a handler that hangs only on the first node, and ignores interrupts. */
  private HandlerDefinition.Work hangs(CountDownLatch started) {
    return (payload, context) -> {
      started.countDown();
      while (true) {
        try {
          never.await();
          return JobResult.done();
        } catch (InterruptedException e) {
          // A frozen process does not react.
        }
      }
    };
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void another_node_runs_the_jobs_of_a_dead_node_whose_late_end_is_ignored(ReceiveMode mode)
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
    Await.until(SOON, "the frozen threads have ended", () -> first.threadsEnded());
    assertThat(count(database, "select count(*) from readpast_job_history")).isEqualTo(2);
    assertThat(count(database, "select count(distinct node) from readpast_job_history"))
        .isEqualTo(1);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
    assertThat(value(database, "select state from readpast_node where no <> " + owner))
        .isEqualTo("DEAD");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_that_ran_at_a_crash_run_again_concurrently(ReceiveMode mode) throws Exception {
    CountDownLatch started = new CountDownLatch(3);
    first.handles("t", mode, hangs(started)).start();
    for (int i = 0; i < 3; i++) {
      first.enqueue("t");
    }
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.die();
    CountDownLatch together = new CountDownLatch(3);
    second
        .handles(
            "t",
            mode,
            (payload, context) -> {
              together.countDown();
              assertThat(together.await(20, TimeUnit.SECONDS)).isTrue();
              return JobResult.done();
            })
        .start();
    awaitCompleted(3);
    assertThat(
            TestDatabase.column(
                database,
                "select attempt || ' ' || uncounted || ' ' || crashes from readpast_job_history"))
        .containsOnly("2 1 1");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void survivors_of_a_crash_lease_many_jobs_at_a_time(ReceiveMode mode) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    first.handles("hangs", mode, hangs(started)).start();
    first.enqueue("hangs");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.die();
    second
        .handles("t", mode, (payload, context) -> JobResult.done())
        .handles("hangs", mode, (payload, context) -> JobResult.done())
        .start();
    awaitCompleted(1);
    database.execute(
        """
        create table claim_size (jobs int);
        create function note_claim() returns trigger language plpgsql as $$
          begin insert into claim_size values (cardinality(new.jobs)); return new; end $$;
        create trigger note_claim before insert on readpast_lease for each row execute function note_claim()""");
    NewJob[] jobs = new NewJob[600];
    java.util.Arrays.setAll(jobs, i -> TestNode.job("t"));
    second.enqueue(jobs);
    awaitCompleted(601);
    assertThat(count(database, "select max(jobs) from claim_size")).isGreaterThan(10);
  }

  /** Returns a node that runs one job at a time, and hangs in the n-th job. */
  private TestNode hangsInNth(int nth, ReceiveMode mode, CountDownLatch started, Queue<Long> seen) {
    return first
        .concurrency(1)
        .handles(
            "t",
            mode,
            (payload, context) -> {
              seen.add(context.id());
              return seen.size() == nth ? hangs(started).work(payload, context) : JobResult.done();
            });
  }

  private static NewJob once(String type) {
    return new NewJob("q", type, 4, null, null, null, null, null, null, null, 1, "{}");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void at_most_once_jobs_survive_a_crash_if_they_had_not_started(ReceiveMode mode)
      throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Queue<Long> seen = new ConcurrentLinkedQueue<>();
    hangsInNth(150, mode, started, seen).start();
    NewJob[] jobs = new NewJob[400];
    java.util.Arrays.setAll(jobs, i -> once("t"));
    first.enqueue(jobs);
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    // The node dies before its watchdog can release the jobs behind the current one.
    first.die();
    second
        .handles(
            "t",
            mode,
            (payload, context) -> {
              seen.add(context.id());
              return JobResult.done();
            })
        .start();
    Await.until(
        SOON,
        "all jobs have ended",
        () -> count(database, "select count(*) from readpast_job_history") == 400);
    assertThat(seen).hasSize(400).doesNotHaveDuplicates();
    assertThat(
            count(database, "select count(*) from readpast_job_history where state = 'DISCARDED'"))
        .as("the hanging job, and ends that were not acknowledged yet")
        .isBetween(1L, 150L);
    assertThat(count(database, "select count(*) from readpast_job_history where attempt <> 1"))
        .isZero();
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_of_a_dead_node_keep_their_positions_before_the_backlog(ReceiveMode mode)
      throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Queue<Long> seen = new ConcurrentLinkedQueue<>();
    hangsInNth(40, mode, started, seen).start();
    NewJob[] jobs = new NewJob[100];
    java.util.Arrays.setAll(jobs, i -> TestNode.job("t"));
    first.enqueue(jobs);
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.die();
    jobs = new NewJob[300];
    java.util.Arrays.setAll(jobs, i -> TestNode.job("t"));
    second.enqueueOnly(jobs);
    Queue<Long> order = new ConcurrentLinkedQueue<>();
    CountDownLatch takenOver = new CountDownLatch(1);
    second
        .concurrency(1)
        .handles(
            "t",
            mode,
            (payload, context) -> {
              takenOver.await(20, TimeUnit.SECONDS);
              order.add(context.id());
              return JobResult.done();
            })
        .start();
    Await.until(
        SOON,
        "the jobs were taken over",
        () -> count(database, "select count(*) from readpast_job where owner = 1") == 0);
    takenOver.countDown();
    awaitCompleted(400);
    // One more claim may have been in progress.
    List<Long> late = List.copyOf(order).subList(order.size() - 200, order.size());
    assertThat(late).as("the last jobs").allMatch(id -> id > 100);
  }

  @Test
  void takeover_locks_each_dead_node_once_and_in_the_order_of_their_numbers() {
    database.execute(
        """
        insert into readpast_node (id, name, version, lease_ms, queues, types, state)
        select gen_random_uuid(), 'dead', 'x', 2000, '{}', '{}', 'DEAD' from generate_series(1, 2);
        create table counted (id int generated always as identity, node int, jobs int);
        create function note_count() returns trigger language plpgsql as $$
          begin
            insert into counted (node, jobs) values (new.no, new.taken_over - old.taken_over);
            return new;
          end $$;
        create trigger note_count after update of taken_over on readpast_node
          for each row execute function note_count()""");
    TestDatabase.insertLeased(database, "select 1 + i % 2 from generate_series(1, 100) i");

    second.start();

    Await.until(
        SOON,
        "the jobs were taken over",
        () -> count(database, "select count(*) from readpast_job where state = 'RUNNING'") == 0);
    assertThat(TestDatabase.column(database, "select node || ' ' || jobs from counted order by id"))
        .containsExactly("1 50", "2 50");
  }

  /** Enqueues and runs other jobs until the marks of the lane are above the locked job. */
  private void passTheLockedJob() {
    second.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    // In this time, two full scans raise the marks of the lane above the locked job.
    long start = System.nanoTime();
    Await.until(
        SOON,
        () -> {
          second.enqueue("t");
          return System.nanoTime() - start > Duration.ofSeconds(3).toNanos();
        });
    Await.until(
        SOON,
        "the locked job is left",
        () -> count(database, "select count(*) from readpast_job") == 1);
  }

  @Test
  void job_that_a_transaction_of_a_dead_node_had_locked_is_found() throws Exception {
    first.start();
    first.enqueue("t");
    try (Connection application = database.connect();
        var statement = application.createStatement()) {
      application.setAutoCommit(false);
      statement.execute("select id from readpast_job for update");
      passTheLockedJob();
      first.die();
    }
    Await.until(
        SOON,
        "the locked job has ended",
        () -> count(database, "select count(*) from readpast_job") == 0);
  }

  @Test
  void job_that_a_session_terminated_after_the_death_of_its_node_had_locked_is_found()
      throws Exception {
    first.start();
    first.enqueue("t");
    try (Connection session = database.connect();
        var statement = session.createStatement()) {
      session.setAutoCommit(false);
      statement.execute("select id from readpast_job for update");
      int pid;
      try (var row = statement.executeQuery("select pg_backend_pid()")) {
        row.next();
        pid = row.getInt(1);
      }
      passTheLockedJob();

      database.execute(
          """
          insert into readpast_node (id, name, version, lease_ms, queues, types, state, ended_at, backends)
          values (gen_random_uuid(), 'dead', 'x', 2000, '{}', '{}', 'DEAD', clock_timestamp(), '{%d}')"""
              .formatted(pid));
      Await.until(
          SOON,
          "the locked job has ended",
          () -> count(database, "select count(*) from readpast_job") == 0);
    }
  }

  @Test
  void attempt_that_ends_clears_the_count_of_earlier_crashes() {
    database.execute("insert into readpast_queue (name) values ('q')");
    insertSuspect("t", 1);
    first
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> JobResult.retryLater(Duration.ofHours(1)))
        .start();
    Await.until(
        SOON,
        "the job is postponed",
        () -> count(database, "select count(*) from readpast_job where state = 'SCHEDULED'") == 1);
    assertThat(count(database, "select count(*) from readpast_job where crashes is null"))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_with_as_many_crashes_as_attempts_is_a_dead_letter(ReceiveMode mode) throws Exception {
    first.enqueueOnly(TestNode.job("t"));
    for (int death = 1; death <= 3; death++) {
      CountDownLatch started = new CountDownLatch(1);
      TestNode dies = new TestNode(database).lease(LEASE).handles("t", mode, hangs(started));
      others.add(dies);
      dies.start();
      assertThat(started.await(40, TimeUnit.SECONDS)).as("start " + death).isTrue();
      dies.die();
    }
    second.start();
    Await.until(
        SOON,
        "the dead letter exists",
        () ->
            TestDatabase.column(
                    database,
                    "select concat_ws(' ', state, attempt, uncounted) from readpast_job_history")
                .equals(List.of("DISCARDED 3 0")));
    assertThat(
            TestDatabase.column(
                database, "select kind || attempt from readpast_failure order by attempt"))
        .containsExactly("OWNER_LOST1", "OWNER_LOST2", "OWNER_LOST3");
  }

  @Test
  void suspects_run_alone_and_delay_other_jobs_only_briefly() throws Exception {
    database.execute("insert into readpast_queue (name) values ('q')");
    insertSuspect("s", 2);
    insertSuspect("s", 2);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch suspectRuns = new CountDownLatch(1);
    CountDownLatch otherEnded = new CountDownLatch(1);
    first
        .handles(
            "s",
            ReceiveMode.LEASED,
            (payload, context) -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              suspectRuns.countDown();
              boolean ended = otherEnded.await(20, TimeUnit.SECONDS);
              running.decrementAndGet();
              return ended ? JobResult.done() : JobResult.failNow("the other job waits for it");
            })
        .handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              otherEnded.countDown();
              return JobResult.done();
            })
        .start();
    assertThat(suspectRuns.await(20, TimeUnit.SECONDS)).isTrue();
    first.enqueue("t");
    awaitCompleted(3);
    assertThat(most).hasValue(1);
  }

  @Test
  void clock_that_jumps_ahead_declares_no_node_dead() {
    first.start();
    second.start();
    Await.until(
        SOON,
        "both nodes are steady",
        () ->
            count(
                    database,
                    "select count(*) from readpast_node where steady_since < clock_timestamp() - interval '3 seconds'")
                == 2);
    // For the nodes, older heartbeats have the same effect as a clock that is an hour ahead.
    database.execute(
        "update readpast_node set beat_at = beat_at - interval '1 hour', steady_since = steady_since - interval '1 hour'");
    Await.until(
        SOON,
        "both nodes have sent heartbeats for longer than a lease",
        () ->
            count(
                    database,
                    "select count(*) from readpast_node where beat_at > clock_timestamp() - interval '1 second'"
                        + " and steady_since < clock_timestamp() - interval '3 seconds'"
                        + " and steady_since > clock_timestamp() - interval '1 minute'")
                == 2);
    assertThat(TestDatabase.column(database, "select distinct state from readpast_node"))
        .containsExactly("ACTIVE");
  }

  @Test
  void clock_that_jumps_ahead_makes_no_job_overdue() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    AtomicInteger starts = new AtomicInteger();
    for (TestNode node : List.of(first, second)) {
      node.handles(
              "t",
              ReceiveMode.LEASED,
              (payload, context) -> {
                starts.incrementAndGet();
                started.countDown();
                never.await();
                return JobResult.done();
              })
          .start();
    }
    first.enqueue("t");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    // For the nodes, earlier times have the same effect as a clock that is an hour ahead.
    database.execute(
        "update readpast_node set beat_at = beat_at - interval '1 hour', steady_since = steady_since - interval '1 hour'");
    database.execute(
        """
        update readpast_lease set claimed_at = claimed_at - interval '1 hour', deadline = deadline - interval '1 hour';
        update readpast_job set claimed_at = claimed_at - interval '1 hour', deadline = deadline - interval '1 hour'""");
    Await.until(
        SOON,
        "both nodes have sent heartbeats for longer than a lease",
        () ->
            count(
                    database,
                    "select count(*) from readpast_node where beat_at > clock_timestamp() - interval '1 second'"
                        + " and steady_since < clock_timestamp() - interval '3 seconds'"
                        + " and steady_since > clock_timestamp() - interval '1 minute'")
                == 2);
    never.countDown();
    awaitCompleted(1);
    assertThat(starts).hasValue(1);
    assertThat(count(database, "select count(*) from readpast_failure")).isZero();
  }

  @Test
  void locks_of_a_frozen_handler_do_not_hold_up_the_next_attempt() throws Exception {
    database.execute("create table counter (n int); insert into counter values (0)");
    CountDownLatch started = new CountDownLatch(1);
    first
        .handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              addOne(first);
              return hangs(started).work(payload, context);
            })
        .start();
    first.enqueue("t");
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    Await.until(
        SOON,
        "a heartbeat has reported the sessions",
        () ->
            count(database, "select count(*) from readpast_node where cardinality(backends) > 0")
                == 1);
    first.die();
    second
        .handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              addOne(second);
              return JobResult.done();
            })
        .start();
    awaitCompleted(1);
    assertThat(value(database, "select n from counter")).isEqualTo("1");
  }

  private static void addOne(TestNode node) {
    node.transactions()
        .entityManager()
        .createNativeQuery("update counter set n = n + 1")
        .executeUpdate();
  }

  @Test
  void node_declared_dead_starts_over() {
    first.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    database.execute("update readpast_node set state = 'DEAD', ended_at = clock_timestamp()");
    first.enqueue("t");
    awaitCompleted(1);
    Await.until(
        SOON,
        "the node has a second identity",
        () -> count(database, "select count(*) from readpast_node where state = 'ACTIVE'") == 1);
    assertThat(count(database, "select count(*) from readpast_node where state = 'DEAD'"))
        .isEqualTo(1);
  }

  @Test
  void node_whose_number_another_node_has_after_a_restore_registers_again() {
    first.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    // After a restore, numbers are assigned again, and another node may register first.
    database.execute("update readpast_node set id = gen_random_uuid()");
    Await.until(
        SOON,
        "the node has a number of its own",
        () -> count(database, "select count(*) from readpast_node") == 2);
    first.enqueue("t");
    awaitCompleted(1);
    assertThat(count(database, "select node from readpast_job_history"))
        .isEqualTo(count(database, "select max(no) from readpast_node"));
  }

  @Test
  void heartbeat_deletes_no_lease_of_another_node_with_the_same_number() {
    int number = silentNode();
    database.execute(
        "insert into readpast_lease (node, jobs, deadline) values (%d, '{1}', clock_timestamp())"
            .formatted(number));
    long lease = count(database, "select max(id) from readpast_lease");
    Nodes nodes = new Nodes(first.transactions());

    Nodes.Beat beat =
        first
            .transactions()
            .requiresNew(
                () ->
                    Optional.ofNullable(
                        nodes.beat(
                            UUID.randomUUID(), number, List.of(), 0, List.of(lease), List.of())))
            .orElse(null);

    assertThat(beat).isNull();
    assertThat(count(database, "select count(*) from readpast_lease")).isOne();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void job_whose_claim_takes_longer_than_the_lease_does_not_start(boolean registersAgain) {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        create function delay_claim() returns trigger language plpgsql as $$
          begin if new.node = 1 then perform pg_sleep(8); end if; return new; end $$;
        create trigger delay_claim before insert on readpast_lease for each row execute function delay_claim()""");
    AtomicInteger starts = new AtomicInteger();
    first
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              starts.incrementAndGet();
              return JobResult.done();
            })
        .start();
    first.enqueue("t");
    Await.until(
        SOON,
        "the claim is in progress",
        () ->
            count(
                    database,
                    "select count(*) from pg_stat_activity"
                        + " where datname = current_database() and wait_event = 'PgSleep'")
                == 1);
    first.die();
    second.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    if (registersAgain) {
      Await.until(
          SOON,
          "the first node is declared dead",
          () -> value(database, "select state from readpast_node where no = 1").equals("DEAD"));
      first.engine().beat();
    }
    awaitCompleted(1);
    Await.until(SOON, "the threads of the first node have ended", () -> first.threadsEnded());
    assertThat(starts).hasValue(0);
    assertThat(value(database, "select node from readpast_job_history")).isEqualTo("2");
  }

  @Test
  void at_most_once_job_is_not_run_again() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    first.handles("t", ReceiveMode.LEASED, hangs(started)).start();
    first.enqueue(once("t"));
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.die();
    second.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    Await.until(
        SOON,
        "the job is discarded",
        () ->
            TestDatabase.column(database, "select state from readpast_job_history")
                .equals(List.of("DISCARDED")));
    assertThat(value(database, "select kind from readpast_failure")).isEqualTo("OWNER_LOST");
  }

  @Test
  void stopping_node_drains_and_releases_the_remaining_jobs() throws Exception {
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
    Await.until(SOON, "the node is draining", () -> first.engine().draining());
    go.countDown();
    closer.join(20_000);
    assertThat(
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'"))
        .isEqualTo(1);
    assertThat(TestDatabase.column(database, "select distinct state || attempt from readpast_job"))
        .containsExactly("AVAILABLE0");
    assertThat(value(database, "select state from readpast_node")).isEqualTo("STOPPED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hangs", "hangs@3"})
  void handler_that_ignores_the_interrupt_loses_its_job_and_its_place(String type)
      throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    first
        .concurrency(1)
        .handles(
            type,
            ReceiveMode.TRANSACTIONAL,
            org.readpast.model.RetryPolicy.DEFAULT,
            Duration.ofMillis(300),
            (payload, context) ->
                context.attempt() == 1 ? hangs(started).work(payload, context) : JobResult.done())
        .start();
    first.enqueue(type);
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    awaitCompleted(1);
    assertThat(value(database, "select kind || attempt from readpast_failure"))
        .isEqualTo("TIMED_OUT1");
  }

  @Test
  void job_that_an_abandoned_handler_had_locked_runs_soon() throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    database.execute(
        """
        insert into readpast_queue (name, paused) values ('other', true);
        insert into readpast_job (queue, type, state, position, available_at, payload)
        values ('other', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}')""");
    first
        .handles("t", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done())
        .handles(
            "locks",
            ReceiveMode.TRANSACTIONAL,
            RetryPolicy.DEFAULT,
            Duration.ofSeconds(3),
            (payload, context) -> {
              if (context.attempt() > 1) {
                return JobResult.done();
              }
              first
                  .transactions()
                  .entityManager()
                  .createNativeQuery("select id from readpast_job where queue = 'other' for update")
                  .getResultList();
              return hangs(locked).work(payload, context);
            })
        .start();
    first.enqueue("locks");
    assertThat(locked.await(20, TimeUnit.SECONDS)).isTrue();

    database.execute("update readpast_queue set paused = false where name = 'other'");
    first.enqueue(
        new NewJob("other", "t", 4, null, null, null, null, null, null, null, null, "{}"));
    awaitCompleted(1);
    assertThat(count(database, "select count(*) from readpast_job where queue = 'other'"))
        .as("the locked job waits")
        .isEqualTo(1);

    awaitCompleted(3);
  }

  private void insertSuspect(String type, int crashes) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, attempt, uncounted, crashes, payload)
        values ('q', '%1$s', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), %2$d, 0, %2$d, '{}')"""
            .formatted(type, crashes));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void hanging_suspect_does_not_block_other_jobs(ReceiveMode mode) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    database.execute("insert into readpast_queue (name) values ('q')");
    insertSuspect("hangs", 2);
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
  void suspect_whose_receiver_is_interrupted_before_it_starts_is_released() {
    first.enqueueOnly(TestNode.job("t"));
    insertSuspect("t", 2);
    AtomicInteger ended = new AtomicInteger();
    try (LogLines log = new LogLines("org.readpast.engine")) {
      first
          .concurrency(1)
          .instrumentation(
              (job, properties) ->
                  outcome -> {
                    if (ended.incrementAndGet() == 1) {
                      Thread.currentThread().interrupt();
                    }
                  })
          // One claim leases both jobs.
          .handles(
              "t",
              ReceiveMode.TRANSACTIONAL,
              2,
              RetryPolicy.DEFAULT,
              Duration.ofSeconds(20),
              (payload, context) -> JobResult.done())
          .start();
      awaitCompleted(2);
      assertThat(log.count("READPAST-0017")).as("claims whose response was lost").isZero();
    }
    assertThat(
            TestDatabase.column(database, "select attempt from readpast_job_history order by id"))
        .containsExactly("1", "3");
  }

  /** Inserts a node whose last heartbeat was a minute ago. */
  private int silentNode() {
    database.execute(
        """
        insert into readpast_node (id, name, version, beat_at, lease_ms, queues, types)
        values (gen_random_uuid(), 'silent', 'x', clock_timestamp() - interval '1 minute', 2000, '{}', '{}')""");
    return (int) count(database, "select max(no) from readpast_node");
  }

  /** Runs a step in a transaction that stays open forever, like that of a frozen process. */
  private CountDownLatch freezesIn(Supplier<?> work) throws InterruptedException {
    CountDownLatch worked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Thread frozen =
        new Thread(
            () -> {
              try {
                first
                    .transactions()
                    .inHandlerTransaction(
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
  void node_is_declared_dead_although_a_frozen_transaction_locks_its_row() throws Exception {
    int silent = silentNode();
    UUID id = UUID.fromString(value(database, "select id from readpast_node where no = " + silent));
    Claims claims = new Claims(first.transactions());
    Nodes nodes = new Nodes(first.transactions());
    freezesIn(
        () -> {
          claims.limitIdleTime();
          return nodes.beat(id, silent, List.of(), 0, List.of(), List.of());
        });

    second.start();

    Await.until(
        Duration.ofSeconds(60),
        "the silent node is declared dead",
        () ->
            value(database, "select state from readpast_node where no = " + silent).equals("DEAD"));
  }
}
