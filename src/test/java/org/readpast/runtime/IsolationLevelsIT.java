package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.api.ReadpastException;
import org.readpast.support.Database;
import org.readpast.support.TestPostgres;

/** Tests that a data source above READ COMMITTED is refused, regardless of what sets its level. */
class IsolationLevelsIT {
  private static PGSimpleDataSource source(Database database) {
    var source = new PGSimpleDataSource();
    source.setUrl(database.url());
    source.setUser(database.user());
    source.setPassword(database.password());
    return source;
  }

  private static PGSimpleDataSource source(Database database, String level) {
    PGSimpleDataSource source = source(database);
    source.setOptions("-c default_transaction_isolation=" + level.replace(" ", "\\ "));
    return source;
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "read uncommitted"})
  void levels_up_to_read_committed_are_accepted(String level) {
    PGSimpleDataSource source = source(TestPostgres.shared().newDatabase(), level);
    assertThatCode(new IsolationLevels().with("key", "jdbc/a", source)::require)
        .doesNotThrowAnyException();
  }

  @Test
  void one_message_names_each_refused_data_source_with_level_origin_and_remedy() {
    Database database = TestPostgres.shared().newDatabase("careful", "careful");
    Database superuser = TestPostgres.shared().superuser();
    superuser.execute("alter role careful set default_transaction_isolation = 'repeatable read'");
    IsolationLevels levels =
        new IsolationLevels()
            .with("readpast.datasource", "jdbc/orders", source(database, "serializable"))
            .with("other", "jdbc/fine", source(database, "read committed"))
            .with("readpast.datasource.system", "jdbc/beats", source(database));
    assertThatThrownBy(levels::require)
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining(
            "data source 'jdbc/orders' (readpast.datasource) has isolation level SERIALIZABLE,"
                + " which is set by the options of the connection")
        .hasMessageContaining(
            "data source 'jdbc/beats' (readpast.datasource.system) has isolation level"
                + " REPEATABLE READ, which is set by the role (ALTER ROLE")
        .hasMessageContaining("isolationLevel=\"TRANSACTION_READ_COMMITTED\"")
        .hasMessageContaining("transaction-isolation-level=\"read-committed\"")
        .hasMessageNotContaining("jdbc/fine");
  }

  @Test
  void default_level_of_a_database_is_found() {
    Database database = TestPostgres.shared().newDatabase();
    String name = database.url().substring(database.url().lastIndexOf('/') + 1);
    TestPostgres.shared()
        .superuser()
        .execute("alter database " + name + " set default_transaction_isolation = serializable");
    assertThatThrownBy(new IsolationLevels().with("key", "jdbc/a", source(database))::require)
        .hasMessageContaining("SERIALIZABLE, which is set by the database (ALTER DATABASE");
  }
}
