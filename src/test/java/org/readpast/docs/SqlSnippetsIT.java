package org.readpast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.readpast.support.CodeBlock;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** Tests that PostgreSQL can execute the statements of the pages, one after the other. */
class SqlSnippetsIT {
  /** Creates the tables of an example application that pages name. */
  private static final String APPLICATION =
      """
      create table invoice (id bigint primary key, closed_at timestamptz, archived boolean);
      create table customer (id bigint primary key);
      create table visit (id bigint primary key)""";

  private final Database database = TestDatabase.withTables();

  @TestFactory
  Stream<DynamicTest> statements_of_each_block_are_executed() {
    List<CodeBlock> blocks = Pages.blocks("sql");
    assertThat(blocks).hasSizeGreaterThan(3);
    database.execute(APPLICATION);
    return blocks.stream()
        .map(block -> DynamicTest.dynamicTest(block.toString(), () -> execute(block)));
  }

  private void execute(CodeBlock block) throws SQLException {
    Database superuser = TestPostgres.shared().superuser();
    Database own =
        new Database(database.url(), superuser.user(), superuser.password(), database.schema());
    try (var connection = own.connect();
        var statement = connection.createStatement()) {
      // Roles are shared by all databases of the server, so each must be removed again.
      connection.setAutoCommit(false);
      for (String one : statements(block.text())) {
        statement.execute(onOwnDatabase(one));
      }
      connection.rollback();
    }
  }

  /** Replaces a database that a page creates or mentions with the test's own database. */
  private String onOwnDatabase(String statement) {
    String name = database.url().replaceAll(".*/|\\?.*", "");
    return statement
        .replaceFirst("^create database \\w+ owner", "alter database " + name + " owner to")
        .replace("on database app ", "on database " + name + " ");
  }

  private static List<String> statements(String text) {
    return Arrays.stream(text.replaceAll("--.*", "").split(";"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }
}
