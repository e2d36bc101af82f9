package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceiveMode;
import org.readpast.store.MaintenanceStore;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

class MaintenanceIT {
  private Database database;
  private final List<TestNode> nodes = new ArrayList<>();

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
  }

  @AfterEach
  void closeNodes() {
    nodes.forEach(TestNode::close);
  }

  private TestNode node() {
    TestNode node = new TestNode(database);
    nodes.add(node);
    return node;
  }

  private TestNode nodeThatForgets() {
    return node().keepsOfQueue("q", JobState.COMPLETED, Duration.ZERO);
  }

  private void ended(JobState state, int days) {
    database.execute(
        """
        with queue as (
          insert into readpast_queue (name) values ('%3$s') on conflict do nothing
        ), job as (
          insert into readpast_job_history (id, enqueued_at, available_at, ended_at, claim_no, attempt, uncounted,
            crashes, priority, state, queue, type, payload, kept_until)
          values (nextval('readpast_job_id'), now(), now(), now() - interval '%1$d days', 1, 1, 0, 0, 4, '%2$s', '%3$s', 't',
            '{}', now() - interval '%1$d days' + case '%2$s' when 'COMPLETED' then interval '7 days' else interval '90 days' end)
          returning id
        ), log as (
          insert into readpast_log (job_id, attempt, line) select id, 1, 'a line' from job
        )
        insert into readpast_failure (job_id, attempt, kind) select id, 1, 'FAILED' from job"""
            .formatted(days, state, state + "-" + days));
  }

  @Test
  void ended_jobs_are_removed_with_their_records_after_their_retention() {
    ended(JobState.COMPLETED, 6);
    ended(JobState.COMPLETED, 8);
    ended(JobState.DISCARDED, 89);
    ended(JobState.DISCARDED, 91);
    node()
        .keeps(JobState.COMPLETED, Duration.ofDays(7))
        .keeps(JobState.DISCARDED, Duration.ofDays(90))
        .start();

    Await.until(
        Duration.ofSeconds(20),
        "two are removed",
        () -> count(database, "select count(*) from readpast_job_history") == 2);

    assertThat(column(database, "select queue from readpast_job_history order by queue"))
        .containsExactly("COMPLETED-6", "DISCARDED-89");
    assertThat(count(database, "select count(*) from readpast_log")).isEqualTo(2);
    assertThat(count(database, "select count(*) from readpast_failure")).isEqualTo(2);
  }

  @Test
  void cancellation_request_is_kept_until_the_job_has_ended() {
    database.execute(
        """
        insert into readpast_job (id, queue, type, state, available_at, payload) values
          (7, 'q', 't', 'SCHEDULED', clock_timestamp() + interval '1 hour', '{}');
        insert into readpast_cancellation (job_id) values (7), (8)""");
    try (var transactions = new LocalTransactions(database)) {
      MaintenanceStore upkeep = new MaintenanceStore(transactions);
      transactions.requiresNew(
          () -> {
            upkeep.deleteCarriedOut(List.of(7L, 8L));
            return true;
          });
    }
    assertThat(column(database, "select job_id from readpast_cancellation")).containsExactly("7");
  }

  @Test
  void discarded_job_is_kept_as_long_as_it_holds_other_jobs() {
    ended(JobState.DISCARDED, 91);
    ended(JobState.DISCARDED, 92);
    ended(JobState.DISCARDED, 93);
    ended(JobState.DISCARDED, 94);
    database.execute(
        """
        insert into readpast_batch (name, on_failure, finished_at) values ('over', 'HOLD', now()), ('b', 'HOLD', null);
        insert into readpast_hold (job_id, batch, wave, queue, group_key)
        select h.id, b.id, 1, null, null from readpast_job_history h join readpast_batch b
          on (h.queue, b.name) in (('DISCARDED-92', 'b'), ('DISCARDED-93', 'over'));
        insert into readpast_hold (job_id, queue, group_key)
        select id, queue, 'g' from readpast_job_history where queue = 'DISCARDED-94'""");
    node().keeps(JobState.DISCARDED, Duration.ofDays(90)).start();

    Await.until(
        Duration.ofSeconds(20),
        "two are removed",
        () -> count(database, "select count(*) from readpast_job_history") == 2);
    assertThat(column(database, "select queue from readpast_job_history order by queue"))
        .containsExactly("DISCARDED-92", "DISCARDED-94");
  }

  @Test
  void job_of_a_queue_without_retention_leaves_no_rows() {
    TestNode node =
        nodeThatForgets()
            .handles(
                "t",
                ReceiveMode.TRANSACTIONAL,
                (payload, context) -> {
                  context.log("attempt " + context.attempt());
                  if (context.attempt() == 1) {
                    throw new IllegalStateException("the first time");
                  }
                  return JobResult.done();
                })
            .start();
    node.enqueue("t");
    Await.until(
        Duration.ofSeconds(20),
        "nothing is left",
        () ->
            count(
                    database,
                    "select (select count(*) from readpast_job) + (select count(*) from"
                        + " readpast_job_history)")
                == 0);
    assertThat(count(database, "select count(*) from readpast_failure")).isEqualTo(1);

    database.execute("update readpast_failure set ended_at = ended_at - interval '2 hours'");
    database.execute("update readpast_log set logged_at = logged_at - interval '2 hours'");
    nodeThatForgets().start();

    Await.until(
        Duration.ofSeconds(20),
        "nothing is left of its attempts",
        () ->
            count(
                    database,
                    "select (select count(*) from readpast_failure) + (select count(*) from"
                        + " readpast_log)")
                == 0);
  }

  @Test
  void all_nodes_may_run_maintenance_concurrently() {
    int jobs = 1_000;
    TestNode[] three = {node().start(), node().start(), node().start()};
    database.execute(
        """
        insert into readpast_job (queue, type, state, available_at, expires_at, payload)
        select 'q', 'other', 'SCHEDULED', now() + make_interval(secs => 1 + (n %% 2) * 3600), now() + interval '2 seconds',
          '{}'
        from generate_series(1, %d) n"""
            .formatted(jobs));

    Await.until(
        Duration.ofSeconds(30),
        "all have expired",
        () -> {
          var rounds =
              List.of(three).stream()
                  .map(node -> CompletableFuture.runAsync(node.engine().maintenance()::run))
                  .toArray(CompletableFuture[]::new);
          CompletableFuture.allOf(rounds).join();
          return count(database, "select count(*) from readpast_job") == 0;
        });

    assertThat(
            count(
                database,
                "select count(distinct id) from readpast_job_history where state = 'EXPIRED'"))
        .isEqualTo(jobs);
  }

  /** Makes the attempts of the nodes to terminate database sessions fail. */
  private void refuseToTerminateSessions() {
    database.execute(
        """
        create function public.pg_terminate_backend(pid int) returns boolean language plpgsql as $$
        begin
          raise exception 'refused';
        end $$;
        do $$ begin
          execute format('alter database %I set search_path = public, pg_catalog', current_database());
        end $$""");
  }

  private void awaitAnnouncedLanes(LogLines log) {
    Await.until(
        Duration.ofSeconds(20),
        "the lanes are announced",
        () ->
            log.count("READPAST-0022") > 0
                && count(database, "select count(*) from readpast_release") > 0);
    database.execute("delete from readpast_release");
  }

  @Test
  void lanes_are_announced_although_a_session_of_a_dead_node_cannot_be_terminated()
      throws Exception {
    refuseToTerminateSessions();
    node().lease(Duration.ofSeconds(1)).start();
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        values ('q', 'other', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}')""");
    try (LogLines log = new LogLines("org.readpast.engine")) {
      try (Connection session = database.connect();
          var statement = session.createStatement()) {
        session.setAutoCommit(false);
        // Opens the transaction.
        statement.execute("select 1");
        int pid = session.unwrap(PGConnection.class).getBackendPID();
        String idle =
            """
            select count(*) from pg_stat_activity where pid = %d and state = 'idle in transaction'
              and state_change < clock_timestamp() - interval '3 seconds'"""
                .formatted(pid);
        Await.until(Duration.ofSeconds(20), "it is idle", () -> count(database, idle) == 1);
        database.execute(
            """
            insert into readpast_node (id, name, version, lease_ms, queues, types, beat_at, backends)
            values (gen_random_uuid(), 'silent', 'x', 1000, '{}', '{}', clock_timestamp() - interval '2 s', '{%d}')"""
                .formatted(pid));
        awaitAnnouncedLanes(log);
      }
      awaitAnnouncedLanes(log);
    }
  }

  @Test
  void running_statement_of_a_dead_node_is_ended_only_if_its_locks_are_awaited() throws Exception {
    node().lease(Duration.ofSeconds(1)).start();
    database.execute("create table account (id int); insert into account values (1), (2)");
    try (Connection session = database.connect();
        var statement = session.createStatement()) {
      session.setAutoCommit(false);
      statement.execute("update account set id = id + 10");
      int pid = session.unwrap(PGConnection.class).getBackendPID();
      CompletableFuture<Void> running =
          CompletableFuture.runAsync(() -> execute(statement, "select pg_sleep(300)"));
      database.execute(
          """
          insert into readpast_node (id, name, version, lease_ms, queues, types, beat_at, backends)
          values (gen_random_uuid(), 'silent', 'x', 1000, '{}', '{}', clock_timestamp() - interval '999 ms', '{%d}')"""
              .formatted(pid));
      Await.until(
          Duration.ofSeconds(20),
          "the node has been dead for some rounds of maintenance",
          () ->
              count(
                      database,
                      "select count(*) from readpast_node where state = 'DEAD' and ended_at < clock_timestamp() - interval '6 s'")
                  == 1);
      assertThat(running).isNotDone();

      database.execute("set lock_timeout = '30 s'; delete from account");
      assertThat(running)
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("terminating connection");
    }
  }

  private static void execute(Statement statement, String sql) {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void due_jobs_become_available_in_the_order_in_which_they_were_due() {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, available_at, payload)
        select 'q', 't', 'SCHEDULED', now() - i * interval '1 second', '{}' from generate_series(1, 700) i""");
    node().start();
    Await.until(
        Duration.ofSeconds(20),
        "all jobs are available",
        () ->
            count(database, "select count(*) from readpast_job where state = 'AVAILABLE'") == 700);
    assertThat(TestDatabase.column(database, "select id from readpast_job order by position"))
        .isEqualTo(
            TestDatabase.column(database, "select id from readpast_job order by available_at"));
  }

  @Test
  void finished_batches_and_default_groups_are_removed_after_their_jobs() {
    database.execute(
        """
        with batch as (
          insert into readpast_batch (name, on_failure, sealed_at, finished_at)
          values ('old', 'HOLD', now() - interval '99 days', now() - interval '99 days'),
            ('kept', 'HOLD', now() - interval '99 days', now() - interval '99 days'),
            ('new', 'HOLD', now(), now())
          returning id
        ), wave as (
          insert into readpast_wave (batch, no) select id, 1 from batch
        )
        insert into readpast_callback (batch, event, queue, type, priority, payload)
        select id, 'FINISH', 'q', 't', 4, '{}' from batch""");
    ended(JobState.COMPLETED, 1);
    database.execute(
        "update readpast_job_history set wave = 1, batch = (select id from readpast_batch where name = 'kept')");
    database.execute("insert into readpast_group (queue, key) values ('q', 'plain')");
    database.execute(
        "insert into readpast_group (queue, key, concurrency) values ('q', 'wide', 2)");

    node().start();

    Await.until(
        Duration.ofSeconds(20),
        () ->
            TestDatabase.column(database, "select name from readpast_batch order by id")
                .equals(List.of("kept", "new")));
    assertThat(TestDatabase.count(database, "select count(*) from readpast_wave")).isEqualTo(2);
    assertThat(TestDatabase.count(database, "select count(*) from readpast_callback")).isEqualTo(2);
    Await.until(
        Duration.ofSeconds(20),
        () ->
            TestDatabase.column(database, "select key from readpast_group")
                .equals(List.of("wide")));
  }
}
