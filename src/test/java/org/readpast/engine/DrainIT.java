package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.count;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.NodeControl;
import org.readpast.api.JobResult;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.StateConflictException;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests draining: a drained node claims no more jobs, while its application keeps running. */
class DrainIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Database database = TestDatabase.withTables();
  private final Set<Long> started = ConcurrentHashMap.newKeySet();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final TestNode node = new TestNode(database).lease(Duration.ofSeconds(2));
  private final TestNode other = new TestNode(database).lease(Duration.ofSeconds(2));

  private final AtomicBoolean outage = new AtomicBoolean();
  private boolean closed;

  @AfterEach
  void close() {
    gate.countDown();
    if (!closed) {
      node.close();
    }
    other.close();
  }

  private TestNode start(TestNode one, ReceiveMode mode) {
    return start(one, mode, Duration.ofMillis(100));
  }

  private TestNode start(TestNode one, ReceiveMode mode, Duration grace) {
    return one.grace(grace)
        .handles(
            "t",
            mode,
            (payload, context) -> {
              started.add(context.id());
              gate.await(20, TimeUnit.SECONDS);
              return JobResult.done();
            })
        .start();
  }

  private void drain() {
    new NodeControl(other.transactions(), other.audit()).drain(id());
  }

  private UUID id() {
    return UUID.fromString(
        TestDatabase.value(database, "select id from readpast_node order by no limit 1"));
  }

  private String state() {
    return TestDatabase.value(database, "select state from readpast_node order by no limit 1");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void drained_node_claims_no_more_jobs_and_stops_after_its_running_jobs(ReceiveMode mode) {
    start(node, mode);
    long first = node.enqueue("t");
    Await.until(SOON, () -> started.contains(first));
    drain();
    Await.until(SOON, "node is STOPPING", () -> state().equals("STOPPING"));
    long second = node.enqueue("t");

    start(other, mode);
    Await.until(SOON, "claimed by the other node", () -> started.contains(second));
    // By now, much more time has passed than the shutdown grace period of the node.
    assertThat(state()).isEqualTo("STOPPING");
    assertThat(node.engine().receivers()).isEqualTo(1);

    gate.countDown();
    Await.until(SOON, "node is STOPPED", () -> state().equals("STOPPED"));
    Await.until(SOON, () -> count(database, "select count(*) from readpast_job") == 0);
    assertThat(count(database, "select count(*) from readpast_failure")).isZero();
    assertThat(TestDatabase.column(database, "select node from readpast_job_history order by id"))
        .containsExactly("1", "2");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void drain_does_not_wait_for_a_handler_that_was_abandoned(ReceiveMode mode) {
    CountDownLatch ended = new CountDownLatch(1);
    node.handles(
            "t",
            mode,
            RetryPolicy.DEFAULT,
            Duration.ofSeconds(1),
            (payload, context) -> {
              started.add(context.id());
              while (gate.getCount() > 0) {
                try {
                  gate.await();
                } catch (InterruptedException e) {
                  // The handler ignores interrupts.
                }
              }
              ended.countDown();
              return JobResult.done();
            })
        .start();
    long id = node.enqueue("t");
    Await.until(SOON, () -> started.contains(id));
    drain();
    Await.until(SOON, "node is STOPPED", () -> state().equals("STOPPED"));

    assertThat(ended.getCount()).as("handlers that run").isEqualTo(1);
    assertThat(TestDatabase.stateOf(database, id)).isNotEqualTo("RUNNING");
    assertThat(TestDatabase.value(database, "select kind from readpast_failure"))
        .isEqualTo("TIMED_OUT");
    gate.countDown();
    Await.until(SOON, "the handler has ended", () -> ended.getCount() == 0);
    assertThat(node.engine().receivers()).isZero();
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_that_is_interrupted_at_a_stop_keeps_its_position_before_the_backlog(ReceiveMode mode) {
    start(node.concurrency(1), mode);
    long interrupted = node.enqueue("t");
    Await.until(SOON, () -> started.contains(interrupted));
    String position = TestDatabase.value(database, "select position from readpast_job");
    long next = node.enqueue("t");
    node.close();
    closed = true;

    assertThat(TestDatabase.value(database, "select kind from readpast_failure"))
        .isEqualTo("OWNER_LOST");
    assertThat(
            TestDatabase.column(
                database, "select id || ' ' || state from readpast_job order by position"))
        .containsExactly(interrupted + " AVAILABLE", next + " AVAILABLE");
    assertThat(TestDatabase.column(database, "select position from readpast_release"))
        .containsExactly(position);
  }

  private void failDuringOutage() {
    node.transactions()
        .watchedBy(
            () -> {
              if (outage.get()) {
                throw new IllegalStateException(new SQLException("is recovering", "57P03"));
              }
            });
  }

  @Test
  void drained_node_stores_a_failure_after_an_outage_before_it_stops() {
    node.handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              started.add(context.id());
              gate.await(20, TimeUnit.SECONDS);
              throw new IllegalStateException("as every time");
            })
        .start();
    failDuringOutage();
    long id = node.enqueue("t");
    Await.until(SOON, () -> started.contains(id));
    drain();
    Await.until(SOON, "node is STOPPING", () -> state().equals("STOPPING"));
    try (LogLines log = new LogLines("org.readpast.engine")) {
      outage.set(true);
      gate.countDown();
      Await.until(SOON, "no receiver", () -> node.engine().receivers() == 0);
      Await.until(SOON, "the failure was not stored", () -> log.count("READPAST-0011") > 0);
      assertThat(node.engine().node()).as("the node is not retired").isNotNull();
      outage.set(false);
      Await.until(SOON, "node is STOPPED", () -> state().equals("STOPPED"));
    }
    assertThat(TestDatabase.value(database, "select kind from readpast_failure"))
        .isEqualTo("FAILED");
  }

  @Test
  void node_that_stops_stores_its_successes_after_a_short_outage() throws Exception {
    start(node, ReceiveMode.LEASED, Duration.ofSeconds(15));
    failDuringOutage();
    long id = node.enqueue("t");
    Await.until(SOON, () -> started.contains(id));
    try (LogLines log = new LogLines("org.readpast.engine")) {
      outage.set(true);
      CompletableFuture<Void> stop = CompletableFuture.runAsync(node::close);
      closed = true;
      gate.countDown();
      Await.until(SOON, "no receiver", () -> node.engine().receivers() == 0);
      Await.until(SOON, "tried repeatedly", () -> log.count("READPAST-0021") > 1);
      outage.set(false);
      stop.get(20, TimeUnit.SECONDS);
    }
    assertThat(
            TestDatabase.value(
                database, "select state || ' ' || attempt from readpast_job_history"))
        .isEqualTo("COMPLETED 1");
    assertThat(state()).isEqualTo("STOPPED");
  }

  @Test
  void drain_that_found_no_thread_begins_with_a_later_heartbeat() {
    start(node, ReceiveMode.LEASED);
    node.refuseThreads(true);
    drain();
    node.engine().beat();
    assertThat(state()).isEqualTo("ACTIVE");

    node.refuseThreads(false);
    Await.until(SOON, "node is STOPPED", () -> state().equals("STOPPED"));
  }

  @Test
  void application_of_a_drained_node_continues() {
    start(node, ReceiveMode.LEASED);
    drain();
    Await.until(SOON, "node is STOPPED", () -> state().equals("STOPPED"));
    Await.until(SOON, "the node is retired", () -> node.engine().node() == null);

    long id = node.enqueue("t");
    assertThat(TestDatabase.stateOf(database, id)).isEqualTo("AVAILABLE");
    String beat = TestDatabase.value(database, "select beat_at from readpast_node");
    node.engine().beat();
    assertThat(TestDatabase.value(database, "select beat_at from readpast_node")).isEqualTo(beat);
    assertThat(node.engine().databaseReachable()).isTrue();
    assertThat(node.engine().shuttingDown()).isFalse();
    assertThat(count(database, "select count(*) from readpast_node")).isEqualTo(1);
    assertThat(started).isEmpty();
  }

  @Test
  void application_receives_nothing_from_a_drained_node() throws Exception {
    start(node, ReceiveMode.LEASED);
    gate.countDown();
    long known = node.enqueue("t");
    Await.until(SOON, () -> TestDatabase.stateOf(database, known).equals("COMPLETED"));
    drain();
    Await.until(SOON, "node is STOPPED", () -> state().equals("STOPPED"));
    node.enqueue("t");
    node.transactions()
        .inHandlerTransaction(
            SOON,
            () -> {
              SynchronousReceive.Received job =
                  node.engine()
                      .synchronousReceive()
                      .receive("q", Duration.ofMillis(300), List.of("t"));
              assertThat(job).isNull();
              return true;
            });
  }

  @Test
  void server_that_stops_ends_a_drain_that_waits() {
    start(node, ReceiveMode.LEASED);
    long id = node.enqueue("t");
    Await.until(SOON, () -> started.contains(id));
    drain();
    Await.until(SOON, "node is STOPPING", () -> state().equals("STOPPING"));
    node.close();
    closed = true;
    assertThat(state()).isEqualTo("STOPPED");
    assertThat(node.threadsEnded()).isTrue();
    assertThat(TestDatabase.stateOf(database, id)).isNotEqualTo("RUNNING");
  }

  @Test
  void only_active_nodes_are_drained() {
    start(node, ReceiveMode.LEASED);
    NodeControl control = new NodeControl(other.transactions(), other.audit());
    assertThatThrownBy(() -> control.drain(new UUID(1, 2))).isInstanceOf(NotFoundException.class);
    UUID id = id();
    node.engine().stop();
    assertThatThrownBy(() -> control.drain(id))
        .isInstanceOf(StateConflictException.class)
        .hasMessage("node 'test' is STOPPED; only nodes that are ACTIVE can be drained");
  }
}
