package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.readpast.admin.sql.ScheduleAdminSql;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/**
 * Tests that the cost of the list of schedules does not depend on the length of their histories.
 */
class SchedulePlanIT {
  @Test
  void only_the_latest_runs_of_each_schedule_are_read() throws SQLException {
    Database database = TestDatabase.withTables();
    database.execute(
        """
        insert into readpast_schedule (name, type, queue, priority, kind, expression, zone, anchor, next_at, payload,
          catch_up, catch_up_cap, overlap, enabled)
          select 's' || i, 't', 'q', 4, 'DAILY', '02:30', 'UTC', now(), now(), '{}', 'ONCE', 100, 'ALLOW', true
          from generate_series(1, 10) i;
        insert into readpast_schedule_run (schedule, planned_at, job_id)
          select 's' || i % 10 + 1, now() - i * interval '1 minute', i from generate_series(1, 60000) i;
        insert into readpast_job_history (id, queue, type, state, available_at, enqueued_at, claim_no, attempt,
          uncounted, crashes, priority, payload)
          select i, 'q', 't', 'COMPLETED', clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, '{}'
          from generate_series(1, 60000) i;
        analyze readpast_schedule, readpast_schedule_run, readpast_job_history""");
    try (GenericPlans plans = new GenericPlans(database)) {
      plans.prepare("runs", ScheduleAdminSql.lastRuns());
      String plan = plans.of("runs", "8, '{}', true");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(1_000);
    }
  }
}
