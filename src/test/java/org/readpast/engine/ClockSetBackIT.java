package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.stateOf;
import static org.readpast.support.TestDatabase.value;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.readpast.api.GroupFailure;
import org.readpast.api.PredecessorFailure;
import org.readpast.dependency.WaveStore;
import org.readpast.dependency.WaveStore.Waiting;
import org.readpast.model.JobDependencies;
import org.readpast.model.RetryPolicy;
import org.readpast.store.ClaimedJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.SettableClock;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests nodes and waiting jobs when the clock of the database is set back. */
class ClockSetBackIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final Database database = TestDatabase.withTables();
  private final SettableClock clock = SettableClock.installIn(database);
  private final TestNode first = new TestNode(database).lease(LEASE);
  private final TestNode second = new TestNode(database).lease(LEASE);
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final StepNode steps =
      new StepNode("steps", transactions, RetryPolicy.DEFAULT, List.of("t"), "unkept");

  @AfterEach
  void close() {
    first.close();
    second.close();
    transactions.close();
  }

  @Test
  void node_is_declared_dead_by_a_clock_that_was_set_back_by_more_than_the_uptime() {
    first.start();
    int no = Integer.parseInt(value(database, "select no from readpast_node"));
    second.start();
    first.die();

    // The shared database of the tests has not been running for that long.
    clock.setBack(Duration.ofDays(1_000));

    Await.until(
        SOON,
        "the silent node is declared dead",
        () -> value(database, "select state from readpast_node where no = " + no).equals("DEAD"));
  }

  @Test
  void session_of_a_dead_node_is_terminated_by_a_clock_that_was_set_back() throws Exception {
    try (Connection session = database.connect();
        var statement = session.createStatement()) {
      session.setAutoCommit(false);
      // Opens the transaction.
      statement.execute("select 1");
      int pid = session.unwrap(PGConnection.class).getBackendPID();
      database.execute(
          """
          insert into readpast_node (id, name, version, lease_ms, queues, types, state, ended_at, backends)
          values (gen_random_uuid(), 'dead', 'x', 2000, '{}', '{}', 'DEAD', clock_timestamp(), '{%d}')"""
              .formatted(pid));

      clock.setBack(Duration.ofHours(1));
      second.start();

      Await.until(
          SOON,
          "the session is terminated",
          () -> count(database, "select count(*) from pg_stat_activity where pid = " + pid) == 0);
    }
  }

  private long enqueue(JobDependencies dependencies) {
    return steps.enqueue(List.of(TestNode.job("t", dependencies))).get(0).id();
  }

  private static JobDependencies dependencies(String group, List<Long> predecessors) {
    return new JobDependencies(
        group, GroupFailure.SKIP, null, 0, null, predecessors, List.of(), PredecessorFailure.HOLD);
  }

  private ClaimedJob claimed(long id) {
    ClaimedJob job = steps.lease("q", 1, false).get(0);
    assertThat(job.id()).isEqualTo(id);
    return job;
  }

  @Test
  void jobs_without_a_delay_are_released_as_available() {
    steps.register();
    long predecessor = enqueue(JobDependencies.ALONE);
    long follower = enqueue(dependencies(null, List.of(predecessor)));
    long ofGroup = enqueue(dependencies("g", List.of()));
    long ofWave = enqueue(JobDependencies.inBatch("b", 1));
    steps.acknowledge(List.of(claimed(predecessor)));

    clock.setBack(Duration.ofHours(1));
    steps.resolve();

    assertThat(List.of(follower, ofGroup, ofWave))
        .extracting(job -> stateOf(database, job))
        .containsOnly("AVAILABLE");
  }

  @Test
  void next_job_of_a_group_without_a_delay_is_leased() {
    steps.register();
    long running = enqueue(dependencies("g", List.of()));
    long next = enqueue(dependencies("g", List.of()));
    steps.resolve();
    ClaimedJob job = claimed(running);

    clock.setBack(Duration.ofHours(1));

    assertThat(steps.continueAfter(List.of(job), List.of()))
        .extracting(ClaimedJob::id)
        .containsExactly(next);
  }

  @Test
  void jobs_without_a_delay_are_leased_from_an_open_wave() {
    steps.register();
    long job = enqueue(JobDependencies.inBatch("b", 1));
    enqueue(JobDependencies.inBatch("b", 1));
    database.execute(
        """
        insert into readpast_wave (batch, no, live) select id, 1, 2 from readpast_batch;
        update readpast_job set unseen = false""");
    long batch = count(database, "select id from readpast_batch");

    clock.setBack(Duration.ofHours(1));

    List<Waiting> waiting =
        transactions
            .requiresNew(() -> new WaveStore(transactions).waiting(List.of(batch), 10))
            .get(batch);
    assertThat(waiting).extracting(Waiting::ready).containsExactly(true);
    assertThat(steps.leaseFromWave(job, false)).hasSize(2);
  }
}
