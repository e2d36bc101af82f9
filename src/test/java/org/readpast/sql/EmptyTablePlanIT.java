package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.dependency.DependencySql;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/**
 * Tests that a plan that a node has prepared when it first started is still good after the first
 * large backlog was enqueued. PostgreSQL keeps a plan until the table is analyzed, which may take
 * up to a minute.
 */
class EmptyTablePlanIT {
  private Database database;
  private GenericPlans plans;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.withTables();
    database.execute("alter table readpast_job set (autovacuum_enabled = false)");
    plans = new GenericPlans(database);
  }

  @AfterEach
  void disconnect() throws SQLException {
    plans.close();
  }

  private static String statement(String name) {
    return switch (name) {
      case "lease" -> ClaimSql.lease();
      case "end" -> EndSql.endLeased();
      case "expire" -> MaintenanceSql.expired();
      case "from wave" -> ClaimSql.leaseFromWave();
      case "from its end" -> ClaimSql.leaseFromEndOfWave();
      case "waiting" -> DependencySql.waiting();
      case "pass waves" -> DependencySql.releaseWaves();
      case "pass groups" -> DependencySql.releaseGroups();
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lease | 'q', '{t}', '{4}', '{0}', '{1}', 1, 10, 60000, 1000000, 100000, '{t}'",
        "end | '{1}', '{1}', '{COMPLETED}', '{0}', 1, '{0}', '{NULL}', '{f}'",
        "expire | 100",
        "pass groups | '{q}', '{k}'",
        "waiting | '{1}', 10, 10",
        "pass waves | '{1}', 10",
        "from wave | 'q', 't', 4, 1, 1, 1, 10, 60000, 0, 9000000, 1000000",
        "from its end | 'q', 't', 4, 1, 1, 1, 10, 60000, 0, 9000000, 1000000",
      })
  void plan_made_for_an_empty_table_does_not_read_a_whole_full_table(String name, String parameters)
      throws SQLException {
    plans.prepare("it", statement(name));
    plans.of("it", parameters);
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}'
        from generate_series(1, 20000)""");
    assertThat(plans.of("it", parameters))
        .contains("on readpast_job")
        .doesNotContain("Seq Scan on readpast_job ");
  }
}
