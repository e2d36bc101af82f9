package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/**
 * What a node prepares at its first start is still right when the first large backlog has come: the
 * database keeps a plan until it looks at the table again, a minute later.
 */
class EmptyTablePlanIT {
  private Database database;
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.withTables();
    database.execute("alter table readpast_job set (autovacuum_enabled = false)");
    connection = database.connect();
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

  private List<String> lines(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }

  private static String statement(String name) {
    return switch (name) {
      case "lease" -> ClaimSql.lease();
      case "end" -> EndSql.endLeased();
      case "expire" -> HousekeepingSql.expired();
      case "pass groups" -> SettleSql.passGroups();
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lease | 'q', '{t}', '{4}', '{0}', '{}', 1, 10, 60000",
        "end | '{1}', '{1}', '{COMPLETED}', '{0}', 1, '{f}', 1, '{NULL}'",
        "expire | 100",
        "pass groups | '{q}', '{k}'",
      })
  void a_plan_for_an_empty_table_does_not_read_all_of_a_full_one(String name, String parameters)
      throws SQLException {
    execute("prepare it as " + statement(name).replaceAll("\\?(\\d)", "\\$$1"));
    execute("execute it(" + parameters + ")");
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload)
        select 'q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}'
        from generate_series(1, 20000)""");
    assertThat(String.join("\n", lines("explain (analyze) execute it(" + parameters + ")")))
        .contains("on readpast_job")
        .doesNotContain("Seq Scan on readpast_job ");
  }
}
