package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Tests that jobs are ended by their ids, regardless of the statistics of the table. */
class EndPlanIT {
  private static final int RUNNING = 5_000;

  private Database database;
  private GenericPlans plans;

  @BeforeEach
  void create_many_running_jobs_after_the_table_was_analyzed() throws SQLException {
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
    plans = new GenericPlans(database);
  }

  @AfterEach
  void disconnect() throws SQLException {
    plans.close();
  }

  private String plan(String sql, String parameters) throws SQLException {
    plans.prepare("it", sql);
    return plans.of("it", parameters);
  }

  @Test
  void many_leases_are_ended_by_their_ids() throws SQLException {
    String plan =
        plan(
            EndSql.endLeased(),
            "'{1,2}', '{1,1}', '{COMPLETED,COMPLETED}', '{0,0}', 1, '{0,0}', '{NULL,NULL}', '{f,f}'");
    assertThat(plan).contains("using readpast_job_pk");
    assertThat(plan).containsPattern("Delete on readpast_job.*rows=2");
  }

  @ParameterizedTest(name = "in a batch {0}, kept {1}")
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void equal_jobs_are_completed_by_their_ids(boolean inBatch, boolean kept) throws SQLException {
    if (inBatch) {
      database.execute("update readpast_job set batch = 1, wave = 1 where id <= 2");
    }
    String plan = plan(EndSql.completeAlike(kept), kept ? "'{1,2}', 1, -1000" : "'{1,2}', 1");
    assertThat(plan).contains("using readpast_job_pk").doesNotContain("Seq Scan on readpast_job ");
    assertThat(plan).containsPattern("Delete on readpast_job.*rows=2");
  }

  @ParameterizedTest(name = "kept {0}")
  @ValueSource(booleans = {false, true})
  void one_job_is_completed_by_its_id_and_isolation_is_read_once(boolean kept) throws SQLException {
    String plan = plan(EndSql.completeOne(kept), kept ? "1, 1, -1000" : "1, 1");
    assertThat(plan).contains("using readpast_job_pk").doesNotContain("Seq Scan on readpast_job ");
    assertThat(plan).containsPattern("Delete on readpast_job[\\s\\S]*InitPlan");
  }

  @Test
  void many_jobs_without_retention_are_ended_by_their_ids_and_isolation_is_read_once()
      throws SQLException {
    String plan = plan(EndSql.endLeasedWithoutHistory(), "'{1,2}', '{1,1}', '{f,f}'");
    assertThat(plan).contains("using readpast_job_pk");
    assertThat(plan).containsPattern("Delete on readpast_job.*rows=2");
    assertThat(plan)
        .containsPattern(
            "Delete on readpast_job[\\s\\S]*InitPlan[\\s\\S]*Index Scan using readpast_job_pk");
  }

  @Test
  void next_jobs_of_groups_are_found_by_the_index() throws SQLException {
    nextAreFoundByTheIndex(
        plan(
            NextInGroupSql.endAndLeaseNext(),
            "'{1,2}', '{1,1}', '{COMPLETED,COMPLETED}', '{0,0}', 1, '{0,1000}', '{NULL,NULL}', 1, 1000, null, 4, 1000000"));
  }

  @Test
  void next_jobs_of_groups_are_found_by_the_index_without_retention() throws SQLException {
    nextAreFoundByTheIndex(
        plan(
            NextInGroupSql.endAndLeaseNextWithoutHistory(),
            "'{1,2}', '{1,1}', 1, 1000, null, 4, 1000000"));
  }

  private static void nextAreFoundByTheIndex(String plan) {
    assertThat(plan)
        .contains("using readpast_job_group_waiting", "Tid Scan on readpast_job")
        .doesNotContain("Seq Scan on readpast_job ");
    assertThat(plan).containsPattern("Delete on readpast_job.*rows=2");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, RUNNING})
  void leases_are_released_by_their_ids(int id) throws SQLException {
    assertThat(
            plan(
                ReleaseSql.release(),
                "'{%d,2}', '{1,1}', '{t,f}', '{t,f}', '{null,1}', '{0,1000}', '{t,f}'"
                    .formatted(id)))
        .contains("using readpast_job_pk");
  }
}
