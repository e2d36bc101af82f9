package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.admin.sql.SearchSql;
import org.readpast.admin.sql.SearchSql.Direction;
import org.readpast.admin.sql.SearchSql.Way;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Tests that the cost of a page of jobs does not depend on the number of jobs. */
class SearchPlanIT {
  private static final int JOBS = 60_000;

  private static final Database database = TestDatabase.withTables();

  @BeforeAll
  static void fill() {
    database.execute(
        """
        insert into readpast_batch (name, on_failure) values ('nightly', 'HOLD');
        insert into readpast_job (id, queue, type, state, position, available_at, payload, batch, wave)
          select %1$d + i, 'q', 't', 'AVAILABLE', i, clock_timestamp(), '{}', case when i %% 10 = 0 then 1 end,
            case when i %% 10 = 0 then 1 end
          from generate_series(1, %1$d) i;
        insert into readpast_job_history (id, queue, type, state, available_at, enqueued_at, claim_no, attempt,
          uncounted, crashes, priority, payload, batch, wave)
          select i, 'q', 't', case when i %% 10 = 0 then cast('DISCARDED' as readpast_ended_state) else 'COMPLETED' end,
            clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, '{}', case when i %% 10 = 0 then 1 end,
            case when i %% 10 = 0 then 1 end
          from generate_series(1, %1$d) i;
        update readpast_job set state = 'BLOCKED', position = null, waits_for = 'PREDECESSOR'
          where id between 70001 and 70020;
        insert into readpast_predecessor (job_id, predecessor_id, on_failure)
          select j, p, 'HOLD' from generate_series(70001, 70020) j, generate_series(1, 5000) p"""
            .formatted(JOBS));
    // The tables contain deleted rows from the start.
    database.execute("vacuum analyze readpast_job");
    database.execute("vacuum analyze readpast_job_history");
    database.execute("vacuum analyze readpast_predecessor");
  }

  @Test
  void search_for_blocked_jobs_reads_few_of_their_predecessors() throws SQLException {
    try (GenericPlans plans = new GenericPlans(database)) {
      plans.prepare("blocked", SearchSql.blocked());
      String plan = plans.of("blocked", "10001");
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(250);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALL | BACKWARD | 9223372036854775807 | 119900 | true |",
        "ALL | BACKWARD | 60000 | 59900 | true |",
        "ALL | FORWARD | -9223372036854775808 | 100 | true |",
        "ALL | FORWARD | 60000 | 60100 | true |",
        "ENDED | BACKWARD | 9223372036854775807 | 59000 | false | DISCARDED",
        "ENDED | FORWARD | -9223372036854775808 | 1000 | false | DISCARDED",
        "BATCH | BACKWARD | 9223372036854775807 | 119000 | true | nightly",
        "BATCH | FORWARD | -9223372036854775808 | 1000 | true | nightly",
      })
  void only_the_jobs_of_a_piece_are_read(
      Way way, Direction direction, long after, long last, boolean live, @Nullable String argument)
      throws SQLException {
    String path =
        "%d, %s, true, %s, "
            .formatted(after, live, argument == null ? "null" : "'" + argument + "'");
    String scope = way.named() ? ", '{}', true" : "";
    String any =
        ", '{}', '{}', '{}'" + ", null".repeat(6) + ", '{}', null, '{}', '{}', null, null, ''";
    try (GenericPlans plans = new GenericPlans(database)) {
      plans.prepare("reach", SearchSql.reach(way, direction));
      plans.prepare("matching", SearchSql.matching(way, direction));
      String reach = plans.of("reach", path + "100" + scope);
      String matching =
          plans.of("matching", path + "50, " + last + any + ", '{}', true, '{}', '{}', '{}', '{}'");
      assertThat(GenericPlans.buffers(reach)).as(reach).isLessThan(200);
      assertThat(GenericPlans.buffers(matching)).as(matching).isLessThan(2_000);
    }
  }
}
