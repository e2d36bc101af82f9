package org.readpast.sql;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.sql.OverviewSql;
import org.readpast.admin.sql.SearchSql;
import org.readpast.dependency.CancelSql;
import org.readpast.dependency.DependencySql;
import org.readpast.retention.RetentionSql;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/**
 * Tests that the regular work of a node takes the same time regardless of the number of scheduled
 * or stored jobs.
 */
class MaintenancePlanIT {
  private static final Map<String, Database> FILLED = new HashMap<>();

  private static String statement(String name) {
    return switch (name) {
      case "due work" -> MaintenanceSql.toDo();
      case "poll", "poll other queues" -> ClaimSql.pollForJobs();
      case "lost" -> MaintenanceSql.lockLostOrOverdue();
      case "depths" -> RetentionSql.noteDepths();
      case "queues" -> SearchSql.depths();
      case "beat" -> NodeSql.beat();
      case "seconds" -> NodeSql.storeSeconds();
      case "promote" -> MaintenanceSql.promote();
      case "expire" -> MaintenanceSql.expired();
      case "prune" -> RetentionSql.prune();
      case "types" -> ClaimSql.typesWithWork();
      case "oldest" -> OverviewSql.oldest();
      case "waves" -> DependencySql.releaseWaves();
      case "waiting" -> DependencySql.waiting();
      case "from wave" -> ClaimSql.leaseFromWave();
      case "from its end" -> ClaimSql.leaseFromEndOfWave();
      case "cancel" -> CancelSql.toCancel();
      case "groups" -> DependencySql.releaseGroups();
      case "new predecessors" -> DependencySql.checkNewPredecessors();
      case "predecessors" -> DependencySql.checkPredecessors();
      case "succeeded" -> DependencySql.notifyOfSuccess();
      case "failed" -> DependencySql.notifyOfFailure();
      case "followers" -> DependencySql.releaseAfterPredecessors();
      case "next of groups" -> NextInGroupSql.endAndLeaseNextWithoutHistory();
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "due work | 1000",
        "poll | '{q}', '{0}', '{false}', '{t}', -1",
        "poll | '{q}', '{0}', '{true}', '{t}', -1",
        "poll | '{}', '{}', '{}', '{t}', -1",
        "promote | 100",
        "expire | 100",
        "prune | 100",
      })
  void jobs_that_are_not_due_are_not_read(String name, String parameters) throws SQLException {
    Database database =
        filledWith(
            """
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, available_at, expires_at, payload)
        select 'q', 't', 'SCHEDULED', clock_timestamp() + interval '1 day', clock_timestamp() + interval '2 days', '{}'
        from generate_series(1, 50000);
        insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes,
          priority, state, queue, type, payload)
        select i, clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, 'COMPLETED', 'q', 't', '{}'
        from generate_series(1, 50000) i;
        analyze""");
    try (GenericPlans plans = new GenericPlans(database)) {
      String plan = secondPlan(plans, statement(name), parameters);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(20);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "due work | 1000",
        "poll | '{q}', '{20001}', '{false}', '{t}', -1",
        "poll | '{q}', '{0}', '{true}', '{u}', -1",
        "poll | '{}', '{}', '{}', '{t}', 20000",
        "poll | '{q}', '{null}', '{false}', '{t}', -1",
        "lost | 1000, 100",
        "beat | 1, '{}', 0, '{}', '{}', '{}', '00000000-0000-0000-0000-000000000001'",
        "depths | 10000",
      })
  void ended_jobs_that_vacuum_cannot_remove_yet_are_not_read(String name, String parameters)
      throws SQLException {
    Database database = TestDatabase.withTables();
    try (Connection reader = database.connect();
        var statement = reader.createStatement();
        GenericPlans plans = new GenericPlans(database)) {
      reader.setAutoCommit(false);
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("select 1");
      TestDatabase.insertLeased(database, "select 1 from generate_series(1, 20000)");
      database.execute(
          "delete from readpast_job; delete from readpast_lease; insert into readpast_queue (name) values ('q');"
              + " insert into readpast_depth (minute, queue, depth)"
              + " select date_trunc('minute', clock_timestamp()) + i * interval '1 minute', 'q', 1"
              + " from generate_series(0, 2) i; analyze");
      String plan = secondPlan(plans, statement(name), parameters);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(20);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seconds | 1, '{1}', '{q}', '{t}', '{1}', '{1}', '{0}', '{\"{1}\"}', '{\"{1}\"}'",
        "depths | 10000",
      })
  void retention_does_not_read_counts_that_it_keeps(String name, String parameters)
      throws SQLException {
    Database database =
        filledWith(
            """
        insert into readpast_second (second, queue, type, node, enqueued, completed, failed, waits, runs)
        select clock_timestamp() - i % 200 * interval '1 second', 'q' || i, 't', i % 3, 1, 1, 0, '{1,2,3}', '{1,2,3}'
        from generate_series(1, 50000) i;
        insert into readpast_minute (minute, queue, node, enqueued, completed, failed, dead, waits, runs)
        select date_trunc('minute', clock_timestamp()) - i % 1000 * interval '1 minute', 'q' || i, i % 3, 1, 1, 0, 0,
          '{1,2,3}', '{1,2,3}'
        from generate_series(1, 50000) i;
        analyze""");
    try (GenericPlans plans = new GenericPlans(database)) {
      String plan = secondPlan(plans, statement(name), parameters);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(40);
    }
  }

  @Test
  void search_for_unseen_jobs_does_not_read_registered_jobs() throws SQLException {
    Database database =
        filledWith(
            """
        insert into readpast_job (queue, type, state, unseen, waits_for, batch, wave, available_at, payload)
        select 'q', 't', 'BLOCKED', true, 'WAVE', 1, 1, clock_timestamp(), '{}' from generate_series(1, 50000);
        analyze""");
    try (GenericPlans plans = new GenericPlans(database)) {
      Map<String, String> parameters = Map.of("pending", "", "lock", "");
      secondPlan(plans, "pending", WaitingSql.pending(), parameters.get("pending"));
      secondPlan(plans, "lock", DependencySql.lock(), parameters.get("lock"));
      database.execute("update readpast_job set unseen = false");
      database.execute("vacuum readpast_job");
      for (String name : parameters.keySet()) {
        String plan = plans.of(name, parameters.get(name));
        assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(20);
      }
    }
  }

  /**
   * Lists the statements that run while a backlog is processed, with what they must find in the
   * next backlog.
   */
  private static final List<Arguments> WORK_ON_A_BACKLOG =
      List.of(
          arguments("due work", "1000", "Result .* rows=1.00"),
          arguments("poll", "'{q}', '{0}', '{false}', '{t}', -1", "Append .* rows=2.00"),
          arguments(
              "poll other queues",
              "'{a,z}', '{0,0}', '{false,false}', '{t}', -1",
              "Append .* rows=2.00"),
          arguments("promote", "10", "Update on readpast_job .* rows=10.00"),
          arguments("types", "cast('q' as text)", "CTE Scan on t .* rows=1.00"),
          arguments("oldest", "''", "CTE Scan on lane .* rows=1.00"),
          arguments("waves", "'{1}', 10", "CTE Scan on moved .* rows=10.00"),
          arguments("waiting", "'{1}', 10, 10", "Limit .* rows=10.00"),
          arguments(
              "from wave",
              "'q', 't', 4, 1, 1, 1, 10, 60000, 20000, 9000000, 1000000",
              "CTE Scan on leased .* rows=10.00"),
          arguments(
              "from its end",
              "'q', 't', 4, 1, 1, 1, 10, 60000, 0, 9000000, 1000000",
              "CTE Scan on leased .* rows=10.00"),
          arguments("cancel", "'{2}', 10", "Limit .* rows=10.00"),
          arguments("groups", "'{q}', '{g}'", "CTE Scan on moved .* rows=1.00"),
          arguments(
              "next of groups",
              "'{0}', '{1}', 1, 60000, null, 1, 1000000",
              "CTE Scan on following .* rows=1.00"));

  private static @Nullable GenericPlans ofTheNextBacklog;

  @ParameterizedTest
  @FieldSource("WORK_ON_A_BACKLOG")
  void second_backlog_is_not_read_completely_after_the_first_was_processed(
      String name, String parameters, String found) throws SQLException {
    if (ofTheNextBacklog == null) {
      ofTheNextBacklog = plansOfTheNextBacklog();
    }
    String plan = ofTheNextBacklog.of(name, parameters);
    assertThat(plan).containsPattern(found);
    assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(200);
  }

  @AfterAll
  static void close() throws SQLException {
    if (ofTheNextBacklog != null) {
      ofTheNextBacklog.close();
      ofTheNextBacklog = null;
    }
  }

  /** Returns plans that were prepared on an empty table, for execution on a large backlog. */
  private static GenericPlans plansOfTheNextBacklog() throws SQLException {
    Database database = TestDatabase.withTables();
    database.execute(
        """
        alter table readpast_job set (autovacuum_enabled = false);
        insert into readpast_batch (name, on_failure, cancelled_at) values ('b', 'HOLD', null), ('c', 'HOLD', now());
        insert into readpast_wave (batch, no, live) select id, 1, 20000 from readpast_batch""");
    String backlog =
        """
        insert into readpast_job (queue, type, state, position, waits_for, batch, wave, group_key,
          available_at, payload)
        select 'q', 't', s.*, now() - interval '1 hour', '{}'
        from generate_series(1, 20000) i cross join lateral (values
          ('SCHEDULED', cast(null as bigint), null, cast(null as bigint), cast(null as int), null),
          ('AVAILABLE', i, null, null, null, null),
          ('BLOCKED', null, 'WAVE', 1, 1, null),
          ('BLOCKED', null, 'WAVE', 2, 1, null),
          ('BLOCKED', null, 'GROUP', null, null, 'g'),
          ('BLOCKED', null, 'GROUP', null, null, 'h')) s""";
    database.execute(backlog);
    database.execute("analyze readpast_job");
    database.execute("delete from readpast_job");
    database.execute("vacuum analyze readpast_job");
    GenericPlans plans = new GenericPlans(database);
    for (Arguments work : WORK_ON_A_BACKLOG) {
      String name = (String) work.get()[0];
      secondPlan(plans, name, statement(name), (String) work.get()[1]);
    }
    database.execute(backlog);
    database.execute(
        """
        update readpast_job set id = 0, state = 'RUNNING', waits_for = null, position = 1, owner = 1, claim_no = 1, attempt = 1
        where id = (select min(id) from readpast_job where group_key = 'h')""");
    return plans;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"types | cast('q' as text)", "oldest | ''"})
  void backlog_is_not_read_to_find_its_first_job(String name, String parameters)
      throws SQLException {
    Database database =
        filledWith(
            """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', 't', 'AVAILABLE', i, clock_timestamp(), '{}' from generate_series(1, 100000) i;
        analyze readpast_job""");
    try (GenericPlans plans = new GenericPlans(database)) {
      String plan = secondPlan(plans, statement(name), parameters);
      assertThat(plan).contains(" rows=1.00");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(50);
    }
  }

  @Test
  void next_job_of_a_group_is_not_searched_among_all_groups() throws SQLException {
    Database database = TestDatabase.withTables();
    database.execute("alter table readpast_job set (autovacuum_enabled = false)");
    try (GenericPlans plans = new GenericPlans(database)) {
      secondPlan(
          plans,
          NextInGroupSql.endAndLeaseNextWithoutHistory(),
          "'{0}', '{1}', 1, 60000, null, 1, 1000000");
      database.execute(
          """
          insert into readpast_job (queue, type, state, position, owner, claim_no, attempt, waits_for, group_key,
            available_at, payload)
          select 'q', 't', s.*, 'g' || n, now(), '{}'
          from generate_series(1, 10) i cross join generate_series(1, 500) n cross join lateral (
            select 'RUNNING', n as place, 1, 1, 1, null where i = 1
            union all
            select 'BLOCKED', null, null, 0, 0, 'GROUP' where i > 1) s""");
      String running =
          TestDatabase.value(
              database, "select array_agg(id) from readpast_job where state = 'RUNNING'");
      String plan =
          plans.of(
              "it",
              "'%s', array_fill(1, array[500]), 1, 60000, null, 1, 1000000".formatted(running));
      assertThat(plan).containsPattern("CTE Scan on following .* rows=500.00");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(20_000);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "new predecessors | 2000, 0 | CTE Scan on seen .* rows=2000.00",
        "predecessors | 2000, 9 | CTE Scan on seen .* rows=2000.00",
        "succeeded | '{0}', 2000 | Delete on readpast_predecessor .* rows=2000.00",
        "failed | '{0}', 2000, '{DISCARDED}' | Update on readpast_predecessor .* rows=2000.00",
        "followers | cast('{%s}' as bigint[]) | CTE Scan on moved .* rows=2000.00",
      })
  void plan_made_without_followers_does_not_read_them_for_each_job(
      String name, String shortParameters, String found) throws SQLException {
    String ids = IntStream.rangeClosed(1, 2000).mapToObj(String::valueOf).collect(joining(","));
    String parameters = shortParameters.formatted(ids);
    Database database = TestDatabase.withTables();
    database.execute(
        """
        alter table readpast_job set (autovacuum_enabled = false);
        alter table readpast_predecessor set (autovacuum_enabled = false);
        analyze""");
    try (GenericPlans plans = new GenericPlans(database)) {
      secondPlan(plans, statement(name), parameters);
      database.execute(
          """
          insert into readpast_job (queue, type, state, waits_for, available_at, payload)
          select 'q', 't', 'BLOCKED', 'PREDECESSOR', now(), '{}' from generate_series(1, 5000);
          insert into readpast_predecessor (job_id, predecessor_id, on_failure, ended_as)
          select id, 0, 'RUN', case '%s' when 'followers' then 'COMPLETED' end from readpast_job;
          insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes,
            priority, state, queue, type, payload)
          select -i, clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, 'COMPLETED', 'q', 't', '{}'
          from generate_series(1, 5000) i"""
              .formatted(name));
      String plan = plans.of("it", parameters);
      assertThat(plan).doesNotContain("Rows Removed by Join Filter");
      assertThat(plan).containsPattern(found);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(60_000);
      plans.planEachTime();
      plan = plans.of("it", parameters);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(60_000);
    }
  }

  @Test
  void groups_are_not_compared_one_by_one_with_their_running_jobs() throws SQLException {
    Database database = TestDatabase.withTables();
    database.execute(
        """
        insert into readpast_job (queue, type, state, owner, claim_no, waits_for, group_key, available_at, payload)
        select 'q', 't', case i when 1 then 'RUNNING' else 'BLOCKED' end, case i when 1 then 1 end, 1, 'GROUP',
          'g' || n, now(), '{}'
        from generate_series(1, 3) i cross join generate_series(1, 1000) n;
        insert into readpast_lease (node, jobs, deadline, of_groups)
        select 1, array_agg(id), now(), true from readpast_job where state = 'RUNNING' group by id / 100""");
    String groups =
        TestDatabase.value(database, "select array_agg(distinct group_key) from readpast_job");
    try (GenericPlans plans = new GenericPlans(database)) {
      String plan =
          secondPlan(
              plans,
              DependencySql.releaseGroups(),
              "array_fill('q'::text, array[1000]), '%s'".formatted(groups));
      assertThat(plan)
          .contains("hashed SubPlan")
          .containsPattern("CTE Scan on moved .* rows=0.00")
          .containsPattern("CTE next\\s+.*rows=1000.00");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(25_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"depths", "queues"})
  void counting_live_jobs_does_not_read_ended_jobs(String name) throws SQLException {
    Database database = TestDatabase.withTables();
    database.execute(
        """
        alter table readpast_job set (autovacuum_enabled = false);
        insert into readpast_queue (name) values ('q');
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', 't', 'AVAILABLE', i, clock_timestamp(), '{}' from generate_series(1, 20000) i;
        delete from readpast_job where position <= 19500""");
    try (GenericPlans plans = new GenericPlans(database)) {
      plans.prepare("it", statement(name));
      String plan = plans.of("it", name.equals("queues") ? "100, '{}', true" : "100");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(300);
    }
  }

  @Test
  void finished_waves_that_vacuum_cannot_remove_yet_are_not_read_again() throws SQLException {
    Database database = TestDatabase.withTables();
    try (Connection reader = database.connect();
        var statement = reader.createStatement();
        GenericPlans plans = new GenericPlans(database)) {
      reader.setAutoCommit(false);
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      database.execute(
          """
          insert into readpast_queue (name) values ('q');
          insert into readpast_batch (name, on_failure) values ('b', 'HOLD');
          insert into readpast_wave (batch, no, live) select min(id), no, case no when 20 then 1000 else 0 end
          from readpast_batch, generate_series(0, 20) no group by no;
          insert into readpast_job (queue, type, state, waits_for, batch, wave, available_at, payload)
          select 'q', 't', 'BLOCKED', 'WAVE', batch, no, now(), '{}'
          from readpast_wave, generate_series(1, 1000) order by no""");
      statement.execute("select 1");
      database.execute("delete from readpast_job where wave < 20; analyze");
      String plan = secondPlan(plans, DependencySql.releaseWaves(), "'{1}', 1");
      assertThat(plan).contains("rows=1.00");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(100);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "waves | '{1}', 500",
        "waiting | '{1}', 500, 500",
        "from wave | 'q', 't', 4, 1, 1, 1, 500, 60000, 0, 9000000, 1000000",
      })
  void query_searches_unseen_jobs_only_once(String name, String parameters) throws SQLException {
    Database database = TestDatabase.withTables();
    try (Connection reader = database.connect();
        var statement = reader.createStatement();
        GenericPlans plans = new GenericPlans(database)) {
      reader.setAutoCommit(false);
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      database.execute(
          """
          alter table readpast_job set (autovacuum_enabled = false);
          insert into readpast_queue (name) values ('q');
          insert into readpast_batch (name, on_failure) values ('b', 'HOLD');
          insert into readpast_wave (batch, no, live) select id, 1, 500 from readpast_batch;
          insert into readpast_job (queue, type, state, waits_for, batch, wave, unseen, available_at, payload)
          select 'q', 't', 'BLOCKED', 'WAVE', id, 1, true, now(), '{}'
          from readpast_batch, generate_series(1, 500)""");
      // While this transaction is open, dead entries are not marked as dead.
      statement.execute("select 1");
      database.execute("update readpast_job set unseen = false");
      String plan = secondPlan(plans, statement(name), parameters);
      assertThat(plan).contains("rows=500.00");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(20_000);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "waves | '{1}', 10",
        "waiting | '{1}', 10, 10",
        "from wave | 'q', 't', 4, 1, 9, 1, 10, 60000, 45000, 9000000, 1000000",
        "from its end | 'q', 't', 4, 1, 9, 1, 10, 60000, 45000, 9000000, 1000000",
      })
  void query_for_one_wave_does_not_read_the_whole_batch(String name, String parameters)
      throws SQLException {
    Database database =
        filledWith(
            """
        alter table readpast_job set (autovacuum_enabled = false);
        insert into readpast_batch (name, on_failure) values ('b', 'HOLD');
        insert into readpast_wave (batch, no, live) select id, 9, 5000 from readpast_batch;
        insert into readpast_job (queue, type, state, waits_for, batch, wave, available_at, payload)
        select 'q', 't', 'BLOCKED', 'WAVE', 1, i / 5000, now(), '{}' from generate_series(1, 50000) i;
        analyze""");
    try (GenericPlans plans = new GenericPlans(database)) {
      String plan = secondPlan(plans, statement(name), parameters);
      assertThat(plan).contains("rows=10.00");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(150);
      plans.planEachTime();
      plan = plans.of("it", parameters);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(150);
    }
  }

  @Test
  void cancelling_a_batch_reads_only_its_jobs() throws SQLException {
    Database database =
        filledWith(
            """
        alter table readpast_job set (autovacuum_enabled = false);
        insert into readpast_batch (name, on_failure, cancelled_at) values ('b', 'HOLD', now());
        insert into readpast_job (queue, type, state, position, waits_for, batch, wave, available_at, payload)
        select 'q', 't', state, place, waits_for, batch, wave, now(), '{}' from (values
          ('AVAILABLE', 1, cast(null as text), cast(null as bigint), cast(null as int)),
          ('BLOCKED', null, 'WAVE', 1, 1)) one(state, place, waits_for, batch, wave), generate_series(1, 30000)
        order by state;
        analyze""");
    try (GenericPlans plans = new GenericPlans(database)) {
      String plan = secondPlan(plans, CancelSql.toCancel(), "'{1}', 10");
      assertThat(plan).contains("rows=10.00");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(150);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1000, 1 | rows=100.00",
        "60, 91 | rows=160.00",
        "60, 30001 | rows=60.00",
      })
  void check_reads_few_followers_that_cannot_be_released(String parameters, String read)
      throws SQLException {
    String plan = planOfFollowers(DependencySql.checkPredecessors(), parameters);
    assertThat(plan).containsPattern("CTE seen\\s+.*" + read);
    assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(3000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"'{1}', 70 | 800", "'{2}', 70 | 50"})
  void only_some_followers_of_an_ended_job_are_read(String parameters, int most)
      throws SQLException {
    String plan = planOfFollowers(DependencySql.notifyOfSuccess(), parameters);
    assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(most);
  }

  private static String planOfFollowers(String statement, String parameters) throws SQLException {
    Database database =
        filledWith(
            """
        alter table readpast_predecessor set (autovacuum_enabled = false);
        insert into readpast_predecessor (job_id, predecessor_id, on_failure, seen_at, first_check)
        select 2 + i, 1, 'HOLD', now(), i from generate_series(1, 30000) i;
        analyze""");
    try (GenericPlans plans = new GenericPlans(database)) {
      return secondPlan(plans, statement, parameters);
    }
  }

  /**
   * Returns a database that was filled by the given statements. The cases of a test share the
   * database, because the changes made by the statements are rolled back.
   */
  private static Database filledWith(String sql) {
    return FILLED.computeIfAbsent(
        sql,
        s -> {
          Database database = TestDatabase.withTables();
          database.execute(s);
          return database;
        });
  }

  /** Returns the plan of the second execution, because the first one also reads the catalog. */
  private static String secondPlan(GenericPlans plans, String statement, String parameters)
      throws SQLException {
    return secondPlan(plans, "it", statement, parameters);
  }

  private static String secondPlan(
      GenericPlans plans, String name, String statement, String parameters) throws SQLException {
    plans.prepare(name, statement);
    plans.of(name, parameters);
    return plans.of(name, parameters);
  }
}
