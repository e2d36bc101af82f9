package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.admin.sql.ReasonSql;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/**
 * Tests that the cost of explaining why a job waits does not depend on the number of waiting jobs.
 */
class ReasonPlanIT {
  private static Database database;

  @BeforeAll
  static void fill() {
    database = TestDatabase.withTables();
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_type_limit values ('t1', 5);
        insert into readpast_lease (node, queue, jobs, deadline, begun)
        select 1, 'q', array[i], clock_timestamp(), array[i] from generate_series(1, 100) i;
        insert into readpast_batch (name, on_failure) values ('b', 'HOLD');
        insert into readpast_wave (batch, no, live) select 1, i, 1000 from generate_series(1, 100) i;
        insert into readpast_job (id, queue, type, priority, state, position, available_at, payload)
        select i, 'q', 't' || i % 3, i % 10, 'AVAILABLE', i, clock_timestamp(), '{}' from generate_series(1, 100000) i;
        insert into readpast_job (id, queue, type, state, waits_for, batch, wave, group_key, available_at, payload)
        select i, 'q', 't', 'BLOCKED', case when i % 2 = 0 then 'WAVE' else 'GROUP' end, 1, i % 100, 'g',
          clock_timestamp(), '{}' from generate_series(100001, 200000) i;
        insert into readpast_predecessor (job_id, predecessor_id, on_failure, seen_at, decided)
        select 200000 - i % 100, i, 'HOLD', clock_timestamp(), true from generate_series(1, 100000) i;
        insert into readpast_hold (job_id, batch, wave, queue, group_key)
        select -i, 1, i % 100, 'q', 'g' from generate_series(1, 20000) i;
        analyze""");
  }

  private static String statement(String name) {
    return switch (name) {
      case "job" -> ReasonSql.job();
      case "predecessors" -> ReasonSql.predecessors();
      case "lower waves" -> ReasonSql.lowerWaves();
      case "wave holds" -> ReasonSql.waveHolds();
      case "group holds" -> ReasonSql.groupHolds();
      case "group active" -> ReasonSql.groupActive();
      case "group turn" -> ReasonSql.groupTurn();
      case "ahead" -> ReasonSql.ahead();
      case "type limit" -> ReasonSql.typeLimit();
      case "begun" -> ReasonSql.begun();
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "job | 150000",
        "predecessors | 199999, '{}', true",
        "lower waves | 1, 50",
        "wave holds | 1, 50",
        "group holds | 'q', 'g', 17",
        "group active | 'q', 'g'",
        "group turn | 'q', 'g', 190001",
        "ahead | 'q', 't0', 0, 99990",
        "type limit | cast('t1@2' as text)",
        "begun | array['t1']",
      })
  void few_rows_are_read_for_any_number_of_waiting_jobs(String name, String parameters)
      throws SQLException {
    try (GenericPlans plans = new GenericPlans(database)) {
      plans.prepare("it", statement(name));
      plans.of("it", parameters);
      String plan = plans.of("it", parameters);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(4_000);
    }
  }
}
