package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.QueueControl;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests how queues share the workers of a node, and what happens to failures. */
class WorkersIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  private Database database;
  private TestNode node;
  private final AtomicInteger flooding = new AtomicInteger();
  private final Semaphore mayEnd = new Semaphore(0);

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database).concurrency(16);
  }

  @AfterEach
  void closeNode() {
    mayEnd.release(10_000);
    node.close();
  }

  private static NewJob[] of(String queue, String type, int jobs) {
    NewJob[] all = new NewJob[jobs];
    java.util.Arrays.setAll(
        all, i -> new NewJob(queue, type, 4, null, null, null, null, null, null, null, null, "{}"));
    return all;
  }

  private JobResult flood(String payload, org.readpast.api.JobContext context)
      throws InterruptedException {
    flooding.incrementAndGet();
    try {
      mayEnd.tryAcquire(60, TimeUnit.SECONDS);
      return JobResult.done();
    } finally {
      flooding.decrementAndGet();
    }
  }

  @Test
  void reserved_workers_are_available_when_another_queue_floods_the_node() {
    node.queue("b", new Settings.QueueSettings(null, null, null, 2, null))
        .handles("long", ReceiveMode.LEASED, this::flood)
        .handles("short", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .start();
    node.enqueue(of("b", "short", 1));
    Await.until(SOON, "the queue is served", () -> ended("short") == 1);
    node.enqueue(of("a", "long", 40));
    Await.until(SOON, "the flood runs", () -> flooding.get() == 14);
    node.enqueue(of("b", "short", 20));
    Await.until(SOON, "the short jobs have ended", () -> ended("short") == 21);
    assertThat(flooding).as("workers of the flood").hasValue(14);
    assertThat(
            count(
                database,
                "select count(*) from readpast_job_history where type = 'short'"
                    + " and started_at > enqueued_at + interval '1 second'"))
        .isZero();

    // The change takes effect under load: released workers serve the queue, and reserved workers
    // are taken back when receivers finish.
    change("b", QueueAdmin.Change.reserved(0));
    Await.until(SOON, "all workers are busy", () -> flooding.get() == 16);
    change("b", QueueAdmin.Change.reserved(1));
    // The listener reads the change in its next round.
    LockSupport.parkNanos(1_000_000_000L);
    mayEnd.release(4);
    Await.until(SOON, "one worker stays free", () -> ended("long") == 4 && flooding.get() == 15);
  }

  @Test
  void job_whose_handler_requests_an_immediate_retry_runs_after_the_waiting_jobs() {
    Queue<Long> starts = new ConcurrentLinkedQueue<>();
    node.enqueueOnly(of("q", "t", 2));
    node.concurrency(1)
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              starts.add(context.id());
              return starts.size() == 1 ? JobResult.retryLater(Duration.ZERO) : JobResult.done();
            })
        .start();
    Await.until(SOON, "both jobs have ended", () -> ended("t") == 2);
    assertThat(starts).containsExactly(1L, 2L, 1L);
  }

  /** Starts the node with two idle queues, because reservations of unknown queues do not apply. */
  private void startWithQueues() {
    database.execute("insert into readpast_queue (name) values ('a'), ('b')");
    node.start();
    Await.until(
        SOON,
        "the node is idle",
        () -> node.engine().figures().size() == 2 && node.engine().receivers() == 0);
  }

  @Test
  void idle_node_whose_workers_are_all_reserved_runs_the_jobs_of_another_queue() {
    node.workers(2)
        .queue("b", new Settings.QueueSettings(null, null, null, 2, null))
        .handles("long", ReceiveMode.LEASED, this::flood)
        .handles("short", ReceiveMode.LEASED, (payload, context) -> JobResult.done());
    startWithQueues();
    node.enqueue(of("a", "short", 1));
    Await.until(SOON, "the job has ended", () -> ended("short") == 1);
    node.enqueue(of("b", "long", 2));
    Await.until(SOON, "the reserved workers run jobs", () -> flooding.get() == 2);
    node.enqueue(of("a", "short", 1));
    mayEnd.release(2);
    Await.until(SOON, "the other queue is served again", () -> ended("short") == 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void receiver_of_another_queue_leaves_the_reserved_workers_to_their_queue(int workers) {
    node.workers(workers)
        .queue("a", new Settings.QueueSettings(null, null, Duration.ofHours(1), null, null))
        .queue("b", new Settings.QueueSettings(null, null, null, workers, null))
        .handles("long", ReceiveMode.LEASED, this::flood)
        .handles(
            "many",
            ReceiveMode.LEASED,
            (payload, context) -> {
              TimeUnit.MILLISECONDS.sleep(10);
              return JobResult.done();
            });
    startWithQueues();
    node.enqueue(of("a", "many", 3_000));
    Await.until(SOON, "the other queue is served", () -> ended("many") > 0);
    node.enqueue(of("b", "long", workers));
    Await.until(SOON, "the reserved workers run jobs", () -> flooding.get() == workers);
    assertThat(ended("many")).isLessThan(3_000);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_without_room_on_one_node_wake_another_immediately(ReceiveMode mode) {
    Duration poll = Duration.ofMinutes(1);
    node.poll(poll).notifiesOtherNodes().handles("long", mode, this::flood).start();
    try (TestNode other = new TestNode(database).concurrency(8).poll(poll).notifiesOtherNodes()) {
      other.handles("long", mode, this::flood).start();
      node.enqueue(of("a", "long", 1));
      node.enqueue(of("b", "long", 1));
      Await.until(SOON, "the first jobs run", () -> flooding.get() == 2);
      node.enqueue(of("a", "long", 20));
      Await.until(SOON, "22 jobs run on both nodes", () -> flooding.get() == 22);
      // The queue has capacity on this node, but no worker is free.
      node.enqueue(of("b", "long", 1));
      Await.until(SOON, "the last job runs", () -> flooding.get() == 23);
    }
  }

  private void change(String queue, QueueAdmin.Change change) {
    new QueueControl(node.transactions(), node.engine().signals(), node.audit())
        .change(queue, change);
  }

  private long ended(String type) {
    return count(database, "select count(*) from readpast_job_history where type = '" + type + "'");
  }

  @Test
  void work_time_limit_lets_another_queue_run_without_reserved_workers() {
    var limit = new Settings.QueueSettings(null, null, Duration.ofMillis(200), null, null);
    node.queue("a", limit)
        .handles(
            "many",
            ReceiveMode.LEASED,
            (payload, context) -> {
              TimeUnit.MILLISECONDS.sleep(10);
              return JobResult.done();
            })
        .handles("few", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .start();
    node.enqueue(of("b", "few", 1));
    Await.until(SOON, "the queue is served", () -> ended("few") == 1);
    node.enqueue(of("a", "many", 3_000));
    Await.until(SOON, "the flood runs", () -> ended("many") > 100);
    node.enqueue(of("b", "few", 5));
    Await.until(SOON, "the other jobs have ended", () -> ended("few") == 6);
    assertThat(ended("many")).as("drained by then").isLessThan(3_000);
    assertThat(
            count(
                database,
                "select count(*) from readpast_job_history where type = 'few'"
                    + " and started_at > enqueued_at + interval '1 second'"))
        .isZero();
  }

  @Test
  void counters_report_the_outcomes_of_each_queue() {
    node.handles("good", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
        .handles("bad", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.failNow("no"))
        .lease(Duration.ofSeconds(3))
        .start();
    node.enqueue(job("good"), job("good"), job("bad"));
    Await.until(
        SOON,
        "the counters are stored",
        () ->
            value(
                    database,
                    "select received || ' ' || completed || ' ' || failed || ' ' || dead || ' '"
                        + " || receivers || ' ' || errors from readpast_listener"
                        + " where queue = 'q'")
                .equals("3 2 1 1 0 0"));
    Await.until(
        SOON,
        "wake-ups and empty receives are counted",
        () ->
            count(
                    database,
                    "select count(*) from readpast_listener"
                        + " where wake_ups > 0 and empty_receives > 0")
                >= 1);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void failed_job_becomes_a_dead_letter_in_one_transaction_with_its_record(ReceiveMode mode) {
    database.execute(
        """
        create table broken (yes boolean);
        create function break_it() returns trigger language plpgsql as $$
        begin
          if exists (select 1 from broken) then raise exception 'not now'; end if;
          return new;
        end $$;
        create trigger break_it before insert on readpast_failure for each row execute function break_it();
        insert into broken values (true)""");
    AtomicInteger runs = new AtomicInteger();
    node.lease(Duration.ofSeconds(3))
        .handles(
            "t",
            mode,
            (payload, context) -> {
              runs.incrementAndGet();
              return JobResult.failNow("for good");
            })
        .start();
    long id = node.enqueue("t");
    Await.until(SOON, "the attempt has run", () -> runs.get() == 1);
    // The failure cannot be recorded, so the job is not a dead letter, is not lost, and does not
    // run again.
    for (int beats = 0; beats < 5; beats++) {
      node.engine().beat();
      assertThat(count(database, "select count(*) from readpast_job_history")).isZero();
      assertThat(count(database, "select count(*) from readpast_job where id = " + id)).isOne();
    }
    assertThat(runs).hasValue(1);
    database.execute("delete from broken");
    Await.until(
        SOON,
        "the dead letter exists",
        () ->
            value(
                    database,
                    "select h.state || ' ' || h.attempt || ' ' || f.message from readpast_job_history h"
                        + " join readpast_failure f on f.job_id = h.id")
                .equals("DISCARDED 1 for good"));
    assertThat(runs).hasValue(1);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
  }
}
