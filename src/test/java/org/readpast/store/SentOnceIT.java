package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.database.Sql;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests that a statement that commits by itself is sent only once. If the connection of such a
 * statement breaks, it is unknown whether the statement has committed.
 */
class SentOnceIT {
  private final Database database = TestPostgres.shared().newDatabase();
  private final LocalTransactions transactions = new LocalTransactions(database);

  @BeforeEach
  void breakTheFirstConnectionThatAsks() {
    // A sequence keeps its value if a transaction is rolled back.
    database.execute("create sequence sent");
    database.execute(
        """
        create function ask() returns text language plpgsql as $$
        declare
          n bigint := nextval('sent');
        begin
          if n = 1 then
            perform pg_terminate_backend(pg_backend_pid());
          end if;
          return n;
        end $$""");
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  @Test
  void statement_that_must_not_be_repeated_is_sent_once() {
    assertThatThrownBy(() -> transactions.autoCommitOnce(this::ask))
        .hasStackTraceContaining("terminating connection");
    assertThat(TestDatabase.value(database, "select last_value from sent")).isEqualTo("1");
  }

  @Test
  void repeatable_statement_is_repeated_once() {
    assertThat(transactions.autoCommit(this::ask)).isEqualTo("2");
  }

  private String ask() {
    return Sql.first(transactions.entityManager(), "select ask()", row -> row.text(0));
  }
}
