package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Tests that a claim reads only one range of its index, regardless of the rest of the table. */
class ClaimPlanIT {
  private static final String LANES =
      "'q', '{mine,mine,mine}', '{9,4,0}', '{%1$d,%1$d,%1$d}', '{1,1,1}', 1, %2$d, 60000, 1000000, 100000";

  private Database database;
  private GenericPlans plans;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.withTables();
    // Dead rows are not removed from the table, because a claim must be fast in spite of dead rows.
    database.execute("alter table readpast_job set (autovacuum_enabled = false)");
    plans = new GenericPlans(database);
    plans.prepare("lease", ClaimSql.lease());
    plans.prepare("limited", ClaimSql.leaseUpToLimit());
    plans.prepare("look", ClaimSql.pollForJobs());
  }

  @AfterEach
  void disconnect() throws SQLException {
    plans.close();
  }

  private void insert(String type, String state, int jobs) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', '%s', '%s', case when '%s' = 'AVAILABLE' then nextval('readpast_position') end,
          clock_timestamp() + case when '%s' = 'SCHEDULED' then interval '1 day' else interval '0' end, '{}'
        from generate_series(1, %d)"""
            .formatted(type, state, state, state, jobs));
  }

  private String plan(String claim, long mark) throws SQLException {
    return plan(claim, mark, 10);
  }

  private String plan(String claim, long mark, int most) throws SQLException {
    String last = claim.equals("limited") ? ", 50" : claim.equals("lease") ? ", '{t}'" : "";
    return plans.of(claim, LANES.formatted(mark, most) + last);
  }

  /** Returns the number of blocks that the search touches, without those that the update writes. */
  private long buffers(long mark) throws SQLException {
    plan("lease", mark, 1);
    return GenericPlans.buffers(plan("lease", mark, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lease", "limited"})
  void claim_is_an_index_range_scan_without_a_sort(String claim) throws SQLException {
    insert("mine", "AVAILABLE", 60_000);
    database.execute("analyze readpast_job");
    String plan = plan(claim, 0);
    assertThat(plan).contains("Index Scan using readpast_job_claim").contains("LockRows");
    assertThat(plan).doesNotContain("Sort").doesNotContain("Seq Scan on readpast_job ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lease", "limited"})
  void claim_is_an_index_range_scan_if_nearly_all_jobs_are_blocked(String claim)
      throws SQLException {
    database.execute(
        """
        insert into readpast_job (queue, type, state, waits_for, available_at, payload)
        select 'q', 'mine', 'BLOCKED', 'PREDECESSOR', clock_timestamp(), '{}' from generate_series(1, 20000)""");
    insert("mine", "AVAILABLE", 100);
    database.execute("vacuum analyze readpast_job");
    assertThat(plan(claim, 0))
        .contains("Index Scan using readpast_job_claim")
        .doesNotContain("Sort")
        .doesNotContain("Seq Scan on readpast_job ")
        .doesNotContain("Bitmap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lease", "limited", "look"})
  void second_backlog_is_not_sorted_after_the_first_was_processed(String name) throws SQLException {
    insert("mine", "AVAILABLE", 20_000);
    database.execute("analyze readpast_job");
    database.execute("delete from readpast_job");
    database.execute("vacuum analyze readpast_job");
    planFromTheStart(name);
    insert("mine", "AVAILABLE", 20_000);
    assertThat(planFromTheStart(name))
        .contains("Index Scan using readpast_job_claim")
        .doesNotContain("Bitmap Index Scan on readpast_job_claim", "Seq Scan on readpast_job ")
        .doesNotContainPattern("Sort Key: .*position");
  }

  private String planFromTheStart(String name) throws SQLException {
    return name.equals("look")
        ? plans.of("look", "'{q}', '{0}', '{true}', '{mine}', -1")
        : plan(name, 0);
  }

  @Test
  void number_of_pages_that_a_claim_reads_does_not_depend_on_the_backlog() throws SQLException {
    insert("mine", "AVAILABLE", 1_000);
    database.execute("analyze readpast_job");
    long small = buffers(0);
    insert("mine", "SCHEDULED", 60_000);
    insert("mine", "AVAILABLE", 60_000);
    database.execute("analyze readpast_job");
    // The index tree may be deeper, which takes one more page for each of the three lanes.
    assertThat(buffers(0)).isLessThanOrEqualTo(small + 10);
  }

  @Test
  void jobs_of_an_unhandled_type_are_not_read() throws SQLException {
    insert("mine", "AVAILABLE", 1_000);
    database.execute("analyze readpast_job");
    long before = buffers(0);
    database.execute("delete from readpast_job");
    database.execute("vacuum readpast_job");
    insert("theirs", "AVAILABLE", 60_000);
    insert("mine", "AVAILABLE", 1_000);
    database.execute("analyze readpast_job");
    assertThat(buffers(0)).isLessThanOrEqualTo(before + 10);
  }

  @Test
  void jobs_that_just_ended_are_not_read_again_from_the_mark() throws SQLException {
    insert("mine", "AVAILABLE", 1_000);
    database.execute("analyze readpast_job");
    long before = buffers(0);
    insert("mine", "AVAILABLE", 60_000);
    try (Connection reader = database.connect();
        var statement = reader.createStatement()) {
      // A long transaction prevents dead entries from being marked as dead.
      reader.setAutoCommit(false);
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("select 1");
      database.execute("delete from readpast_job where position <= 41000");
      assertThat(buffers(0)).isGreaterThan(1_000);
      assertThat(buffers(41_001)).isLessThanOrEqualTo(before + 10);
    }
  }

  @Test
  void claim_of_many_jobs_writes_no_index() throws SQLException {
    insert("mine", "AVAILABLE", 10_000);
    try (Connection claimer = database.connect();
        var statement = claimer.createStatement()) {
      claimer.setAutoCommit(false);
      statement.execute("prepare lease as " + ClaimSql.lease().replaceAll("\\?(\\d)", "\\$$1"));
      for (int i = 0; i < 20; i++) {
        statement.execute(
            "execute lease('q', '{mine}', '{4}', '{0}', '{1}', 1, 500, 60000, 1000000, 100000, '{mine}')");
      }
      try (var hot =
          statement.executeQuery(
              "select pg_stat_get_xact_tuples_hot_updated('readpast_job'::regclass)")) {
        assertThat(hot.next()).isTrue();
        assertThat(hot.getLong(1)).isEqualTo(10_000);
      }
    }
  }
}
