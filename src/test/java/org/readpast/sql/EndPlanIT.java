package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Jobs are ended by their ids, whatever the planner last heard of the table. */
class EndPlanIT {
  private static final int RUNNING = 5_000;

  private Database database;
  private Connection connection;

  @BeforeEach
  void let_many_run_in_a_table_that_was_analyzed_when_none_did() throws SQLException {
    database = TestDatabase.withTables();
    database.execute("alter table readpast_job set (autovacuum_enabled = false)");
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}'
        from generate_series(1, 20000)""");
    database.execute("vacuum analyze readpast_job");
    database.execute(
        "update readpast_job set state = 'RUNNING', owner = 1, claim_no = 1, attempt = 1 where id <= "
            + RUNNING);
    connection = database.connect();
    connection.setAutoCommit(false);
    execute("set plan_cache_mode = force_generic_plan");
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  private void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String plan(String sql, String parameters) throws SQLException {
    execute("prepare it as " + sql.replaceAll("\\?(\\d)", "\\$$1"));
    List<String> lines = new ArrayList<>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("explain (analyze) execute it(" + parameters + ")")) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return String.join("\n", lines);
  }

  @Test
  void many_leases_are_ended_by_their_ids() throws SQLException {
    String plan =
        plan(
            EndSql.endLeased(),
            "'{1,2}', '{1,1}', '{COMPLETED,COMPLETED}', '{0,0}', 1, '{f,f}', 1, '{NULL,NULL}'");
    assertThat(plan).contains("using readpast_job_pk").doesNotContain("readpast_job_running");
    assertThat(plan).containsPattern("Delete on readpast_job.*rows=2");
  }

  @Test
  void leases_are_given_back_by_their_ids() throws SQLException {
    assertThat(plan(EndSql.giveBack(), "'{1,2}', '{1,1}'"))
        .contains("using readpast_job_pk")
        .doesNotContain("readpast_job_running");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, RUNNING})
  void a_lease_is_retried_by_its_id(int id) throws SQLException {
    assertThat(plan(EndSql.retryLeased(), id + ", 1, 0, 0"))
        .contains("using readpast_job_pk")
        .doesNotContain("readpast_job_running");
  }
}
