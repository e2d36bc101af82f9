package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.admin.SqlWork.Order;
import org.readpast.admin.store.SqlLog;
import org.readpast.api.Backoff;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceiveMode;
import org.readpast.model.RetryPolicy;
import org.readpast.model.SqlRefusedException;
import org.readpast.retention.RetentionStore;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

class SqlWorkIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String HERE = "jdbc/queue";
  private static final String ELSEWHERE = "jdbc/elsewhere";
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, Backoff.FIXED, Duration.ofMillis(10), Duration.ofSeconds(1), 0, List.of());

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database);
  private SqlAccess access = access(List.of(HERE, ELSEWHERE), false);
  private SqlWork work;

  @BeforeEach
  void makeTable() {
    database.execute("create table thing (id bigint primary key, name text, at timestamptz)");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private SqlAccess access(List<String> allowed, boolean given) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database.url());
    source.setUser(database.user());
    source.setPassword(database.password());
    return new SqlAccess(
        new SqlAccess.Allowed(
            allowed,
            HERE,
            Duration.ofSeconds(30),
            given,
            Map.of(
                "add", "insert into thing values (:id, :name, cast(:at as timestamptz))",
                "look", "select i from generate_series(1, 2500) i",
                "watch",
                    "insert into thing select 1, name from pg_cursors where name <> '' limit 1",
                "wrong", "insert into thing values (1, 'a'); select 1",
                "late", "select pg_sleep(60)")),
        name -> source);
  }

  /** Executes an SQL job, and returns the job's final state. */
  private String execute(ReceiveMode mode, Duration timeout, Order order) {
    work = new SqlWork(node.transactions(), access);
    node.handles(
            "sql",
            mode,
            TWICE,
            timeout,
            (payload, context) -> {
              try {
                work.execute(order, context);
                return JobResult.done();
              } catch (SqlRefusedException e) {
                return JobResult.failNow(e.getMessage());
              }
            })
        .start();
    long id = node.enqueue("sql");
    Await.until(
        SOON, () -> count("select count(*) from readpast_job_history where id = " + id) == 1);
    return TestDatabase.value(
        database,
        """
        select h.state || coalesce(': ' || (select message from readpast_failure where job_id = h.id
          order by id desc limit 1), '') from readpast_job_history h where id = """
            + id);
  }

  private String execute(Order order) {
    return execute(ReceiveMode.TRANSACTIONAL, SOON, order);
  }

  private static Order named(String name, String dataSource) {
    return new Order(name, null, Map.of(), dataSource);
  }

  private static Order add(Object id, String dataSource) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("id", id);
    parameters.put("name", null);
    parameters.put("at", "2026-03-29T02:30:00Z");
    return new Order("add", null, parameters, dataSource);
  }

  private long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  private SqlLog.Entry logged() {
    return work.log(null, null, 1).get(0);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void named_statement_runs_with_its_parameters_and_is_logged(ReceiveMode mode) {
    String dataSource = mode == ReceiveMode.LEASED ? ELSEWHERE : null;
    assertThat(execute(mode, SOON, add(7L, dataSource))).isEqualTo("COMPLETED");
    assertThat(
            TestDatabase.value(
                database,
                "select id || coalesce(name, '-') || (at = '2026-03-29T02:30Z') from thing"))
        .isEqualTo("7-true");
    SqlLog.Entry entry = logged();
    assertThat(entry.statement()).isEqualTo("add");
    assertThat(entry.datasource()).isEqualTo(mode == ReceiveMode.LEASED ? ELSEWHERE : HERE);
    assertThat(entry.rows()).isOne();
    assertThat(entry.endedAt()).isAfterOrEqualTo(entry.startedAt());
    assertThat(entry.error()).isNull();
  }

  @Test
  void query_is_read_completely_and_its_rows_are_counted() {
    assertThat(execute(named("look", null))).isEqualTo("COMPLETED");
    assertThat(logged().rows()).isEqualTo(2_500);
  }

  @Test
  void rows_are_fetched_in_chunks_also_outside_a_transaction() {
    // The driver uses a named cursor if it fetches rows repeatedly.
    assertThat(execute(ReceiveMode.LEASED, SOON, named("watch", ELSEWHERE))).isEqualTo("COMPLETED");
    assertThat(count("select count(*) from thing")).isOne();
  }

  @Test
  void failed_statement_leaves_only_its_log_and_is_retried() {
    assertThat(execute(add(new BigDecimal("1e30"), null))).startsWith("DISCARDED: ");
    assertThat(count("select count(*) from thing")).isZero();
    assertThat(work.log(null, null, 10)).hasSize(2);
    assertThat(logged().error()).contains("22003");
    assertThat(logged().rows()).isNull();
    assertThat(logged().endedAt()).isNotNull();
  }

  @Test
  void statement_of_a_failed_transactional_job_is_rolled_back() {
    node.handles(
            "sql",
            ReceiveMode.TRANSACTIONAL,
            TWICE,
            SOON,
            (payload, context) -> {
              new SqlWork(node.transactions(), access).execute(add(1L, null), context);
              throw new IllegalStateException("after the statement");
            })
        .start();
    node.enqueue("sql");
    Await.until(SOON, () -> count("select count(*) from readpast_job_history") == 1);
    assertThat(count("select count(*) from thing")).isZero();
    assertThat(count("select count(*) from readpast_sql_log where rows = 1")).isEqualTo(2);
  }

  @Test
  void record_of_executed_sql_is_deleted_after_a_job_that_is_not_kept() {
    work = new SqlWork(node.transactions(), access);
    node.keeps(JobState.COMPLETED, Duration.ZERO)
        .handles(
            "sql",
            ReceiveMode.TRANSACTIONAL,
            TWICE,
            SOON,
            (payload, context) -> {
              work.execute(named("look", null), context);
              return JobResult.done();
            })
        .start();
    node.enqueue("sql");
    Await.until(SOON, () -> count("select count(*) from readpast_job") == 0);
    assertThat(count("select count(*) from readpast_job_history")).isZero();
    RetentionStore retention = new RetentionStore(node.transactions());

    node.transactions().autoCommit(() -> retention.forgetAttempts(100));
    assertThat(count("select count(*) from readpast_sql_log")).isOne();

    database.execute("update readpast_sql_log set started_at = started_at - interval '2 hours'");
    node.transactions().autoCommit(() -> retention.forgetAttempts(100));
    assertThat(count("select count(*) from readpast_sql_log")).isZero();
  }

  @Test
  void statement_supplied_by_a_job_runs_if_allowed() {
    access = access(List.of(HERE), true);
    assertThat(execute(new Order(null, "insert into thing values (1)", Map.of(), HERE)))
        .isEqualTo("COMPLETED");
    assertThat(logged().statement()).isNull();
  }

  @Test
  void forbidden_statement_is_refused() {
    Order given = new Order(null, "insert into thing values (1)", Map.of(), null);
    assertRefused(access, given, "readpast.sql.given");
    assertRefused(access(List.of(), true), given, "readpast.sql.datasources");
    assertRefused(access(List.of(), true), named("look", HERE), "readpast.sql.datasources");
    assertRefused(access, named("look", "java:comp/env/jdbc/other"), "not allowed");
    assertRefused(
        access, named("nowhere", null), "known statements: add, late, look, watch, wrong");
    assertRefused(access, named("wrong", null), "one statement");
    for (String text : List.of("commit", " /* x */ ROLLBACK work", "set role postgres")) {
      assertRefused(
          access(List.of(HERE), true), new Order(null, text, Map.of(), null), "begins with");
    }
    assertRefused(access, new Order(null, null, Map.of(), null), "either");
    assertRefused(access, new Order("look", "select 1", Map.of(), null), "either");
    assertRefused(
        access, new Order("add", null, Map.of("id", 1L, "nam", "x"), null), "[at, id, name]");
    assertThat(count("select count(*) from thing")).isZero();
    assertThat(count("select count(*) from readpast_sql_log")).isZero();
  }

  private void assertRefused(SqlAccess by, Order order, String why) {
    assertThatThrownBy(() -> new SqlWork(node.transactions(), by).execute(order, null))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void statement_is_cancelled_at_the_timeout_of_its_job(ReceiveMode mode) {
    assertThat(
            execute(
                mode,
                Duration.ofMillis(500),
                named("late", mode == ReceiveMode.LEASED ? ELSEWHERE : null)))
        .contains("DISCARDED")
        .contains("ran longer than its timeout");
    assertThat(logged().error()).contains("57014");
    assertThat(
            count(
                "select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()"))
        .isZero();
  }
}
