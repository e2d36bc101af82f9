package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.DatabaseHealth;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests that the database information comes from PostgreSQL's statistics, and reports what the role
 * cannot see.
 */
class AboutDatabaseIT {
  private final Database database = TestDatabase.withTables();

  private About.Database about(Database as) {
    try (LocalTransactions transactions = new LocalTransactions(as)) {
      return new About(transactions, "1.0", seen -> List.of()).database();
    }
  }

  private Connection connect(String application, Database as) throws Exception {
    Properties properties = new Properties();
    properties.put("user", as.user());
    properties.put("password", as.password());
    properties.put("ApplicationName", application);
    Connection connection = DriverManager.getConnection(as.url(), properties);
    connection.setAutoCommit(false);
    return connection;
  }

  @Test
  void tables_are_listed_with_their_rows_and_indexes() {
    database.execute(
        """
        insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes,
          priority, state, queue, type, payload)
        select i, clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, 'COMPLETED', 'q', 't', '{}'
        from generate_series(1, 5000) i""");
    database.execute("delete from readpast_job_history where id <= 1000");
    Await.until(Duration.ofSeconds(20), () -> Long.valueOf(4000).equals(history().live()));
    database.execute("vacuum readpast_job_history");
    Await.until(Duration.ofSeconds(20), () -> history().vacuumedAt() != null);
    var relations = about(database).relations();
    assertThat(history().bytes()).isGreaterThan(100_000);
    var next = relations.get(relations.indexOf(history()) + 1);
    assertThat(next.table()).isEqualTo("readpast_job_history");
    assertThat(next.live()).isNull();
    assertThat(relations)
        .extracting(DatabaseHealth.Relation::name)
        .contains("readpast_job", "readpast_job_claim", "readpast_audit");
  }

  private DatabaseHealth.Relation history() {
    return about(database).relations().stream()
        .filter(relation -> relation.name().equals("readpast_job_history"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oldest_transaction_and_the_blocker_of_vacuum_are_reported() throws Exception {
    assertThat(about(database).oldestTransaction()).isNull();
    assertThat(about(database).heldBack()).isNull();
    try (Connection reader = connect("a long report", database);
        var statement = reader.createStatement()) {
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("select 1");
      for (int i = 0; i < 5; i++) {
        database.execute("insert into readpast_queue (name) values ('q" + i + "')");
      }
      About.Database about = about(database);
      assertThat(about.hiddenSessions()).isZero();
      assertThat(about.oldestTransaction().application()).isEqualTo("a long report");
      assertThat(about.oldestTransaction().state()).isEqualTo("idle in transaction");
      assertThat(about.oldestTransaction().millis()).isNotNegative();
      assertThat(about.heldBack().by()).isEqualTo(DatabaseHealth.Holder.SESSION);
      assertThat(about.heldBack().name()).isEqualTo("a long report");
      assertThat(about.heldBack().transactions()).isGreaterThanOrEqualTo(5);
    }
  }

  @Test
  void sessions_hidden_by_the_database_are_counted() throws Exception {
    String role = "plain" + ProcessHandle.current().pid();
    Database superuser = TestPostgres.shared().superuser();
    Database here = new Database(database.url(), superuser.user(), superuser.password());
    here.execute(
        "create role %1$s login password 'p'; grant select on all tables in schema public to %1$s"
            .formatted(role));
    Database plain = new Database(database.url(), role, "p");
    try (Connection other = connect("somebody else", database);
        var statement = other.createStatement()) {
      statement.execute("insert into readpast_queue (name) values ('q')");
      About.Database about = about(plain);
      assertThat(about.hiddenSessions()).isEqualTo(1);
      assertThat(about.oldestTransaction()).isNull();
      assertThat(about.heldBack().name()).as("visible to every role").isEqualTo("somebody else");
      assertThat(about.relations()).isNotEmpty();
    } finally {
      here.execute("drop owned by %1$s; drop role %1$s".formatted(role));
    }
  }

  @Test
  void database_and_library_versions_are_reported() {
    try (LocalTransactions transactions = new LocalTransactions(database)) {
      assertThat(new About(transactions, "1.0", seen -> List.of()).versions("a server"))
          .containsEntry("Readpast", "1.0")
          .containsEntry("Server", "a server")
          .hasEntrySatisfying("EclipseLink", v -> assertThat(v).startsWith("4."))
          .hasEntrySatisfying("PostgreSQL", v -> assertThat(v).matches("\\d+\\.\\d+.*"));
    }
  }
}
