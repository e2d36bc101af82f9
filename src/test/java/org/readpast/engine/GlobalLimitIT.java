package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.QueueControl;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.MostRunning;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests a limit of a queue across all nodes, with two nodes. */
class GlobalLimitIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private Database database;
  private final List<TestNode> nodes = new ArrayList<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final Semaphore mayEnd = new Semaphore(0);
  private MostRunning sampler;

  @BeforeEach
  void makeQueue() {
    database = TestDatabase.withTables();
    database.execute("insert into readpast_queue (name) values ('q')");
  }

  @AfterEach
  void closeNodes() {
    if (sampler != null) {
      sampler.close();
    }
    mayEnd.release(10_000);
    nodes.forEach(TestNode::close);
  }

  private TestNode node(ReceiveMode mode) {
    TestNode node =
        new TestNode(database).lease(LEASE).concurrency(8).handles("t", mode, this::work);
    nodes.add(node);
    return node;
  }

  private JobResult work(String payload, org.readpast.api.JobContext context)
      throws InterruptedException {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      if (!mayEnd.tryAcquire(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test did not release it");
      }
      return JobResult.done();
    } finally {
      running.decrementAndGet();
    }
  }

  private static Settings.QueueSettings configured(int limit) {
    return new Settings.QueueSettings(null, null, null, null, limit);
  }

  private void limit(Integer value) {
    new QueueControl(
            nodes.get(0).transactions(), nodes.get(0).engine().signals(), nodes.get(0).audit())
        .change("q", QueueAdmin.Change.globalConcurrency(value));
  }

  private void awaitLimit(int value) {
    Await.until(
        SOON,
        "all nodes know the limit",
        () ->
            nodes.stream()
                .allMatch(
                    node ->
                        node.engine().figures().stream()
                            .anyMatch(
                                of -> Integer.valueOf(value).equals(of.globalConcurrency()))));
  }

  private void enqueue(int jobs) {
    NewJob[] all = new NewJob[jobs];
    java.util.Arrays.setAll(all, i -> job("t"));
    nodes.get(0).enqueue(all);
  }

  private void awaitRunning(int jobs) {
    Await.until(SOON, jobs + " running concurrently", () -> running.get() == jobs);
  }

  private long ended() {
    return count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'");
  }

  private MostRunning mostRunning() {
    sampler = new MostRunning(database, "true");
    return sampler;
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void two_nodes_never_exceed_the_limit_while_it_changes(ReceiveMode mode) {
    node(mode).start();
    limit(3);
    node(mode).start();
    awaitLimit(3);
    MostRunning highest = mostRunning();
    enqueue(300);
    awaitRunning(3);
    mayEnd.release(12);
    Await.until(SOON, "12 ended", () -> ended() == 12);
    awaitRunning(3);
    assertThat(most.getAndSet(0)).as("concurrent under a limit of 3").isEqualTo(3);
    assertThat(highest.take()).as("RUNNING under a limit of 3").isLessThanOrEqualTo(3);

    limit(7);
    awaitLimit(7);
    awaitRunning(7);
    assertThat(most.get()).isEqualTo(7);
    assertThat(highest.get()).isLessThanOrEqualTo(7);

    limit(2);
    awaitLimit(2);
    // Each job that ends lowers the number of running jobs, until the limit is met.
    Await.until(
        SOON,
        "the lower limit is met",
        () -> {
          if (running.get() > 2) {
            mayEnd.release();
          }
          return running.get() == 2;
        });
    // The last job beyond the limit counts as running until its end is committed.
    Await.until(SOON, "the lower limit is met in the database", () -> highest.take() == 2);
    most.set(0);
    for (long before = ended(); ended() < before + 8; ) {
      long now = ended();
      mayEnd.release();
      Await.until(SOON, "one more job has ended", () -> ended() > now);
    }
    assertThat(most.get()).as("concurrent under a limit of 2").isLessThanOrEqualTo(2);
    assertThat(highest.get()).as("RUNNING under a limit of 2").isLessThanOrEqualTo(2);

    limit(null);
    awaitRunning(16);
  }

  @Test
  void busy_node_uses_what_an_idle_node_leaves_of_the_limit() {
    node(ReceiveMode.LEASED).start();
    limit(6);
    awaitLimit(6);
    enqueue(6);
    awaitRunning(6);
    // The first node has leased as many jobs as the limit allows. The second node then gets jobs
    // that only it can run.
    TestNode second =
        new TestNode(database)
            .lease(LEASE)
            .concurrency(8)
            .handles("u", ReceiveMode.LEASED, this::work)
            .start();
    nodes.add(second);
    NewJob[] others = new NewJob[6];
    java.util.Arrays.setAll(others, i -> job("u"));
    second.enqueue(others);
    mayEnd.release(6);
    Await.until(SOON, "the first six jobs have ended", () -> ended() == 6);
    awaitRunning(6);
    assertThat(most.get()).isLessThanOrEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_of_a_dead_node_count_until_they_are_taken_over(ReceiveMode mode) {
    TestNode first = node(mode).start();
    limit(4);
    awaitLimit(4);
    MostRunning highest = mostRunning();
    enqueue(8);
    awaitRunning(4);
    first.die();
    node(mode).start();
    // The handlers of the dead node continue as in a frozen process; the other nodes ignore them.
    Await.until(
        Duration.ofSeconds(40), "four jobs run on the other node", () -> running.get() == 8);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(4);
    mayEnd.release(100);
    Await.until(SOON, "all jobs have ended", () -> ended() == 8);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(4);
  }

  @Test
  void dead_node_that_resumes_respects_the_limit() {
    // The receiver must not stop by itself, because no thread could start another.
    var patient = new Settings.QueueSettings(null, null, Duration.ofMinutes(5), null, null);
    TestNode first = node(ReceiveMode.LEASED).queue("q", patient).start();
    limit(1);
    awaitLimit(1);
    enqueue(30);
    awaitRunning(1);
    first.die();
    node(ReceiveMode.LEASED).start();
    MostRunning highest = mostRunning();
    Await.until(Duration.ofSeconds(40), "the jobs were taken over", () -> running.get() == 2);
    // Both nodes continue until the first node learns that it was declared dead.
    for (int i = 0; i < 20; i++) {
      mayEnd.release();
    }
    Await.until(SOON, "15 jobs have ended", () -> ended() >= 15);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(1);
    mayEnd.release(100);
    Await.until(SOON, "all jobs have ended", () -> ended() == 30);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(1);
  }

  @Test
  void claim_whose_response_was_lost_counts_until_it_is_released() {
    TestNode first = node(ReceiveMode.LEASED).start();
    limit(2);
    awaitLimit(2);
    database.execute(
        """
        create table broken (yes boolean);
        create function break_it() returns trigger language plpgsql as $$
        begin
          if exists (select 1 from broken) then raise exception 'not now'; end if;
          return new;
        end $$;
        create trigger break_it before update on readpast_job for each row
        when (new.state = 'RUNNING') execute function break_it();
        insert into broken values (true)""");
    enqueue(40);
    Await.until(
        SOON,
        "a claim has failed",
        () -> first.engine().figures().stream().anyMatch(l -> l.counters().errors() > 0));
    // One of the failed claims was committed nevertheless: its job is RUNNING in the database, but
    // unknown to the node.
    TestDatabase.insertLeased(database, "select no from readpast_node where state = 'ACTIVE'");
    MostRunning highest = mostRunning();
    database.execute("delete from broken");
    awaitRunning(1);
    mayEnd.release(1_000);
    Await.until(Duration.ofSeconds(40), "all jobs have ended", () -> ended() == 41);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(2);
  }

  @Test
  void node_sends_heartbeats_while_another_is_frozen_in_a_claim() throws Exception {
    database.execute("update readpast_queue set global_concurrency = 2");
    node(ReceiveMode.TRANSACTIONAL).start();
    enqueue(4);
    awaitRunning(2);
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select 1 from readpast_queue where name = 'q' for no key update");
      String locked = TestDatabase.value(database, "select clock_timestamp()");
      Await.until(
          SOON,
          "a heartbeat was sent two leases later",
          () ->
              count(
                      database,
                      "select count(*) from readpast_node where beat_at > timestamptz '"
                          + locked
                          + "' + interval '4 seconds'")
                  == 1);
      connection.rollback();
    }
    mayEnd.release(4);
    Await.until(SOON, "all jobs have ended", () -> ended() == 4);
    assertThat(most.get()).isEqualTo(2);
  }

  @Test
  void failed_receive_releases_its_place_once() throws Exception {
    TestNode node = node(ReceiveMode.LEASED).start();
    limit(1);
    awaitLimit(1);
    enqueue(1);
    mayEnd.release(1);
    Await.until(SOON, "the first job has ended", () -> ended() == 1);
    node.enqueue(job("pulled"));
    database.execute(
        """
        create function refuse() returns trigger language plpgsql as $$
          begin raise 'no history' using errcode = '53100'; end $$;
        create trigger refuse before insert on readpast_job_history for each row
          when (new.type = 'pulled') execute function refuse()""");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () ->
                  node.transactions()
                      .inHandlerTransaction(
                          SOON,
                          () ->
                              node.engine()
                                      .synchronousReceive()
                                      .receive("q", SOON, List.of("pulled"))
                                  != null))
          .hasStackTraceContaining("no history");
    }
    enqueue(5);
    awaitRunning(1);
    MostRunning inUse = mostRunning();
    for (int i = 0; i < 5; i++) {
      mayEnd.release(1);
      int through = i + 2;
      Await.until(SOON, through + " ends", () -> ended() == through);
    }
    assertThat(inUse.get()).isLessThanOrEqualTo(1);
    assertThat(most.get()).isEqualTo(1);
  }

  @Test
  void configured_limit_applies_to_all_engines_until_an_operator_sets_another_limit() {
    TestNode configured = new TestNode(database).lease(LEASE).queue("q", configured(3)).start();
    node(ReceiveMode.LEASED).start();
    node(ReceiveMode.TRANSACTIONAL).start();
    enqueue(40);
    awaitRunning(3);
    configured.close();
    node(ReceiveMode.LEASED).start();
    mayEnd.release(6);
    Await.until(SOON, "6 ended", () -> ended() == 6);
    awaitRunning(3);
    assertThat(most.get()).isEqualTo(3);

    limit(5);
    awaitRunning(5);
    TestNode other = new TestNode(database).lease(LEASE).queue("q", configured(9)).start();
    nodes.add(other);
    awaitLimit(5);
    limit(null);
    awaitRunning(9);
    assertThat(most.get()).isEqualTo(9);
  }

  @Test
  void backlog_of_a_queue_at_its_limit_leaves_nodes_idle() throws Exception {
    database.execute("update readpast_queue set global_concurrency = 2");
    node(ReceiveMode.LEASED).start();
    enqueue(100);
    awaitRunning(2);
    node(ReceiveMode.LEASED).start();
    awaitLimit(2);
    AtomicInteger sent = new AtomicInteger();
    nodes.forEach(node -> node.transactions().watchedBy(sent::incrementAndGet));
    // The test sleeps, because it counts the statements in a given time.
    Thread.sleep(2_000);
    assertThat(sent.get()).as("statements of two nodes in two seconds").isLessThan(200);
    assertThat(most.get()).isEqualTo(2);
  }

  @Test
  void receive_from_a_queue_at_its_limit_returns_in_time() {
    database.execute("update readpast_queue set global_concurrency = 1");
    TestNode node = node(ReceiveMode.LEASED).start();
    enqueue(2);
    awaitRunning(1);
    long start = System.nanoTime();
    var received =
        node.transactions()
            .required(
                () ->
                    node.engine()
                        .synchronousReceive()
                        .receive("q", Duration.ofMillis(200), List.of("t")));
    assertThat(received).isNull();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }
}
