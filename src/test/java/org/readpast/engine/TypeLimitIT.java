package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.QueueControl;
import org.readpast.admin.TypeControl;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.admin.store.TypeAdmin;
import org.readpast.api.JobResult;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.GatedWork;
import org.readpast.support.MostRunning;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests limits of job types, on one node and across several. */
class TypeLimitIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private Database database;
  private final List<TestNode> nodes = new ArrayList<>();
  private final GatedWork limited = new GatedWork();
  private MostRunning highest;

  @BeforeEach
  void createDatabase() {
    database = TestDatabase.withTables();
    highest = new MostRunning(database, "split_part(type, '@', 1) in ('t', 'old')");
  }

  @AfterEach
  void closeNodes() {
    highest.close();
    limited.release(10_000);
    nodes.forEach(TestNode::close);
  }

  /**
   * Handles the limited type t, whose calls return when the test permits it, and the type u, whose
   * calls return immediately.
   */
  private TestNode node(ReceiveMode mode) {
    TestNode node =
        new TestNode(database)
            .lease(LEASE)
            .concurrency(8)
            .handles("t", mode, limited::work)
            .handles("u", mode, (payload, context) -> JobResult.done());
    nodes.add(node);
    return node;
  }

  private void enqueue(String type, int jobs) {
    nodes.get(0).enqueue(jobs(job(type), jobs));
  }

  private static NewJob[] jobs(NewJob one, int jobs) {
    return IntStream.range(0, jobs).mapToObj(i -> one).toArray(NewJob[]::new);
  }

  private long ended(String type) {
    return count(
        database,
        "select count(*) from readpast_job_history where state = 'COMPLETED' and type = '"
            + type
            + "'");
  }

  private void awaitEnded(String type, int jobs) {
    Await.until(SOON, jobs + " of " + type + " ended", () -> ended(type) == jobs);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void node_limits_the_concurrency_of_a_type_and_other_types_continue(ReceiveMode mode) {
    node(mode).limits("t", 2, null).start();
    enqueue("t", 30);
    limited.awaitRunning(2, SOON);
    enqueue("u", 300);
    awaitEnded("u", 300);
    for (int i = 1; i <= 30; i++) {
      limited.release(1);
      awaitEnded("t", i);
      enqueue("u", 1);
    }
    awaitEnded("u", 330);
    assertThat(limited.takeMost()).isEqualTo(2);
  }

  @Test
  void limit_of_a_node_does_not_prevent_leasing_many_short_jobs() {
    TestNode node =
        new TestNode(database)
            .limits("s", 1, null)
            .handles("s", ReceiveMode.LEASED, (payload, context) -> JobResult.done());
    nodes.add(node);
    AtomicLong sent = new AtomicLong();
    node.start();
    enqueue("s", 500);
    awaitEnded("s", 500);
    node.transactions().watchedBy(sent::incrementAndGet);
    enqueue("s", 2_000);
    awaitEnded("s", 2_500);
    assertThat(sent.get()).as("statements for 2,000 jobs").isLessThan(500);
  }

  @Test
  void queues_take_turns_in_running_a_limited_type() {
    TestNode node = node(ReceiveMode.LEASED).limits("t", null, 1).start();
    enqueue("t", 50);
    limited.awaitRunning(1, SOON);
    node.enqueue(jobs(inQueue("other", "t"), 5));
    Await.until(
        SOON,
        "the other queue is served",
        () ->
            node.engine().figures().stream().anyMatch(of -> of.counters().queue().equals("other")));
    for (int i = 1; endedInOther() < 5; i++) {
      limited.release(1);
      awaitEnded("t", i);
    }
    assertThat(ended("t")).as("until the last of five jobs of the other queue").isLessThan(25);
    assertThat(limited.takeMost()).isEqualTo(1);
  }

  @Test
  void queues_whose_jobs_of_a_limited_type_have_ended_leave_the_node_idle() throws Exception {
    TestNode node = node(ReceiveMode.LEASED).limits("t", null, 1).start();
    limited.release(60);
    node.enqueue(jobs(inQueue("other", "t"), 30));
    enqueue("t", 30);
    awaitEnded("t", 60);
    assertThat(sentWithinTwoSeconds()).as("statements of an idle node").isLessThan(150);
  }

  private long sentWithinTwoSeconds() throws InterruptedException {
    AtomicLong sent = new AtomicLong();
    nodes.forEach(node -> node.transactions().watchedBy(sent::incrementAndGet));
    // The test sleeps, because it counts the statements in a given time.
    Thread.sleep(2_000);
    return sent.get();
  }

  private long endedInOther() {
    return count(database, "select count(*) from readpast_job_history where queue = 'other'");
  }

  private static NewJob inQueue(String queue, String type) {
    return new NewJob(queue, type, 4, null, null, null, null, null, null, null, null, "{}");
  }

  @Test
  void urgent_jobs_of_a_limited_type_start_first() {
    node(ReceiveMode.TRANSACTIONAL).limits("t", 1, 1).start();
    enqueue("t", 1);
    limited.awaitRunning(1, SOON);
    enqueue("t", 3);
    nodes
        .get(0)
        .enqueue(
            new NewJob("q", "t", 9, null, null, null, null, null, null, null, null, "\"urgent\""));
    limited.release(5);
    awaitEnded("t", 5);
    assertThat(limited.started().get(1)).isEqualTo("\"urgent\"");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void limit_of_a_type_over_all_nodes_is_respected_and_other_types_continue(ReceiveMode mode) {
    node(mode).limits("t", null, 3).start();
    // The configuration of this node does not contain the limit.
    node(mode).start();
    enqueue("t", 60);
    limited.awaitRunning(3, SOON);
    enqueue("u", 300);
    awaitEnded("u", 300);
    for (int i = 1; i <= 20; i++) {
      limited.release(1);
      awaitEnded("t", i);
    }
    limited.awaitRunning(3, SOON);
    limited.release(40);
    awaitEnded("t", 60);
    assertThat(limited.takeMost()).isEqualTo(3);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(3);
  }

  @Test
  void jobs_of_a_dead_node_count_under_the_limit_of_their_type_until_they_are_taken_over() {
    TestNode first = node(ReceiveMode.TRANSACTIONAL).limits("t", null, 4).start();
    enqueue("t", 8);
    limited.awaitRunning(4, SOON);
    first.die();
    node(ReceiveMode.TRANSACTIONAL).start();
    // The handlers of the dead node continue as in a frozen process; the other nodes ignore them.
    limited.awaitRunning(8, Duration.ofSeconds(40));
    limited.release(100);
    awaitEnded("t", 8);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(4);
  }

  @Test
  void limit_of_the_queue_and_of_the_type_hold_together() {
    TestNode node = node(ReceiveMode.LEASED).limits("t", 6, 4).start();
    QueueControl queues =
        new QueueControl(node.transactions(), node.engine().signals(), node.audit());
    enqueue("t", 60);
    limited.awaitRunning(4, SOON);
    queues.change("q", QueueAdmin.Change.globalConcurrency(2));
    awaitLimitOfQueue(2);
    limited.release(2);
    limited.awaitRunning(2, SOON);
    limited.takeMost();
    for (int i = 3; i <= 12; i++) {
      limited.release(1);
      awaitEnded("t", i);
    }
    limited.awaitRunning(2, SOON);
    assertThat(limited.takeMost()).as("under the limit of the queue").isEqualTo(2);
    queues.change("q", QueueAdmin.Change.globalConcurrency(7));
    awaitLimitOfQueue(7);
    limited.awaitRunning(4, SOON);
    assertThat(limited.takeMost()).as("under the limit of the type").isEqualTo(4);
  }

  private void awaitLimitOfQueue(int limit) {
    Await.until(
        SOON,
        "all nodes know the limit of the queue",
        () ->
            nodes.stream()
                .allMatch(
                    node ->
                        node.engine().figures().stream()
                            .anyMatch(
                                of -> Integer.valueOf(limit).equals(of.globalConcurrency()))));
  }

  @Test
  void versions_and_aliases_count_under_their_type_on_every_node() {
    node(ReceiveMode.LEASED)
        .handles("t@2", ReceiveMode.LEASED, limited::work)
        .handles("old", ReceiveMode.LEASED, limited::work)
        .alias("old", "t")
        .limits("t", 3, 4)
        .start();
    enqueue("t", 5);
    enqueue("t@2", 5);
    enqueue("old", 5);
    limited.awaitRunning(3, SOON);
    TestNode another =
        new TestNode(database).handles("old", ReceiveMode.LEASED, limited::work).lease(LEASE);
    nodes.add(another);
    another.start();
    limited.awaitRunning(4, SOON);
    limited.release(15);
    Await.until(SOON, "all jobs have ended", () -> ended("t") + ended("t@2") + ended("old") == 15);
    assertThat(limited.takeMost()).isEqualTo(4);
    assertThat(highest.get()).as("RUNNING").isLessThanOrEqualTo(4);
  }

  private void awaitLimitOfType(Integer limit) {
    Await.until(
        SOON,
        "all nodes apply the limit " + limit,
        () ->
            nodes.stream()
                .map(node -> node.engine().typeLimits().get("t"))
                .allMatch(of -> of == null ? limit == null : limit.equals(of.globalConcurrency())));
  }

  @Test
  void limit_that_an_operator_sets_replaces_the_configured_limit_on_running_nodes() {
    TestNode first = node(ReceiveMode.LEASED).limits("t", null, 2).start();
    node(ReceiveMode.LEASED).start();
    TypeControl types = new TypeControl(first.transactions(), first.audit());
    enqueue("t", 60);
    limited.awaitRunning(2, SOON);

    assertThat(types.limit("t", 5)).isEqualTo(new TypeAdmin.Limit("t", 5));
    limited.awaitRunning(5, SOON);
    assertThat(types.limit("t", 10_000).most()).isNull();
    limited.awaitRunning(16, SOON);
    assertThat(types.limit("t", null).most()).isEqualTo(2);
    awaitLimitOfType(2);
    // Jobs that were leased before the limit was set count as well.
    for (int ended = 1; ended <= 14; ended++) {
      limited.release(1);
      awaitEnded("t", ended);
    }
    limited.awaitRunning(2, SOON);
    limited.takeMost();
    limited.release(5);
    awaitEnded("t", 19);
    limited.awaitRunning(2, SOON);
    assertThat(limited.takeMost()).isEqualTo(2);
    assertThat(
            TestDatabase.column(
                database,
                "select who || ' ' || target || ' ' || detail from readpast_audit order by id"))
        .containsExactly(
            "tester t {\"globalConcurrency\":{\"from\":null,\"to\":5}}",
            "tester t {\"globalConcurrency\":{\"from\":5,\"to\":10000}}",
            "tester t {\"globalConcurrency\":{\"from\":10000,\"to\":null}}");
  }

  @Test
  void concurrent_first_changes_to_a_limit_are_audited_in_sequence() throws Exception {
    TestNode node = node(ReceiveMode.LEASED).start();
    TypeControl types = new TypeControl(node.transactions(), node.audit());
    CompletableFuture<TypeAdmin.Limit> second =
        node.transactions()
            .required(
                () -> {
                  types.limit("t", 5);
                  var other = CompletableFuture.supplyAsync(() -> types.limit("t", 7));
                  Await.until(
                      SOON,
                      "the second change waits",
                      () ->
                          TestDatabase.count(
                                  database,
                                  "select count(*) from pg_stat_activity"
                                      + " where wait_event_type = 'Lock' and datname = current_database()")
                              > 0);
                  return other;
                });
    assertThat(second.get(20, TimeUnit.SECONDS).most()).isEqualTo(7);
    assertThat(TestDatabase.column(database, "select detail from readpast_audit order by id"))
        .containsExactly(
            "{\"globalConcurrency\":{\"from\":null,\"to\":5}}",
            "{\"globalConcurrency\":{\"from\":5,\"to\":7}}");
  }

  @Test
  void alias_has_the_limit_of_its_type_and_unknown_types_are_refused() {
    TestNode node =
        node(ReceiveMode.LEASED)
            .handles("old", ReceiveMode.LEASED, limited::work)
            .alias("old", "t")
            .start();
    TypeControl types = new TypeControl(node.transactions(), node.audit());
    assertThat(types.limit("old", 3)).isEqualTo(new TypeAdmin.Limit("t", 3));
    assertThatThrownBy(() -> types.limit("nothing", 3))
        .isInstanceOf(NotFoundException.class)
        .hasMessage(
            "job type 'nothing' does not exist: no engine has ever registered a handler for it");
    enqueue("old", 5);
    limited.awaitRunning(3, SOON);
    assertThat(highest.get()).isEqualTo(3);
  }

  @Test
  void jobs_that_were_leased_before_the_type_was_limited_count() {
    node(ReceiveMode.LEASED).start();
    enqueue("t", 30);
    limited.awaitRunning(8, SOON);
    node(ReceiveMode.LEASED).limits("t", null, 3).start();
    Await.until(
        SOON,
        "the first node knows the limit",
        () -> nodes.get(0).engine().typeLimits().containsKey("t"));
    for (int i = 1; i <= 6; i++) {
      limited.release(1);
      awaitEnded("t", i);
    }
    limited.awaitRunning(3, SOON);
    limited.takeMost();
    limited.release(10);
    awaitEnded("t", 16);
    limited.awaitRunning(3, SOON);
    assertThat(limited.takeMost()).isEqualTo(3);
  }

  @Test
  void backlog_of_a_type_at_its_limits_leaves_nodes_idle() throws Exception {
    node(ReceiveMode.LEASED).limits("t", 1, 2).start();
    node(ReceiveMode.LEASED).limits("t", 1, 2).start();
    node(ReceiveMode.LEASED).start();
    enqueue("t", 500);
    limited.awaitRunning(2, SOON);
    assertThat(sentWithinTwoSeconds())
        .as("statements of three nodes in two seconds")
        .isLessThan(300);
    assertThat(limited.takeMost()).isEqualTo(2);
  }

  @Test
  void handler_that_does_not_end_loses_its_place() {
    AtomicInteger started = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    TestNode node =
        new TestNode(database)
            .limits("hangs", 1, null)
            .handles(
                "hangs",
                ReceiveMode.LEASED,
                RetryPolicy.DEFAULT,
                Duration.ofMillis(100),
                (payload, context) -> {
                  started.incrementAndGet();
                  while (!over.get()) {
                    Thread.onSpinWait();
                  }
                  return JobResult.done();
                });
    nodes.add(node);
    node.start();
    enqueue("hangs", 2);
    try {
      Await.until(SOON, "the other job has started", () -> started.get() == 2);
    } finally {
      over.set(true);
    }
  }
}
