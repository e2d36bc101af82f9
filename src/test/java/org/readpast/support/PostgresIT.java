package org.readpast.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PostgresIT {

  @Test
  void databases_of_the_shared_server_are_separate() throws SQLException {
    var first = TestPostgres.shared().newDatabase();
    var second = TestPostgres.shared().newDatabase();
    first.execute("create table mine (id bigint)");
    assertThatThrownBy(() -> second.execute("select * from mine"))
        .hasMessageContaining("does not exist");
  }

  @Test
  void durable_server_keeps_its_rows_and_port_through_a_crash() throws SQLException {
    var postgres = TestPostgres.durable();
    var database = postgres.newDatabase();
    database.execute("create table kept as select 1 as id");
    postgres.process().stopImmediately();
    assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
    postgres.process().start();
    try (var connection = database.connect();
        var rows = connection.createStatement().executeQuery("select id from kept")) {
      assertThat(rows.next()).isTrue();
    }
  }
}
