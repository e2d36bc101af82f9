package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.admin.store.Searches;
import org.readpast.admin.store.StatementWatch;
import org.readpast.api.JobContext;
import org.readpast.model.Rule;
import org.readpast.model.SqlRefusedException;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/**
 * Tests that a statement supplied by a caller cannot be more than one statement, leave the
 * parentheses around it, or reach what it has no right to. Only PostgreSQL and its driver decide
 * how a string is parsed, so the tests use a real database and check that nothing changed in it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlBreakoutIT {
  private static final String HERE = "jdbc/queue";
  private static final String ELSEWHERE = "jdbc/elsewhere";

  /** Contains the side effects that the statements attempt; they replace {@code %s}. */
  private static final String DEED = "commit; create table canary (i int); begin";

  /** Contains strings that some parsers read as a quote or a comment, and others do not. */
  static final List<String> DISGUISES =
      List.of(
          // CR also ends a line in PostgreSQL.
          "select 1 as id --\r; %s --",
          "select 1 as id --\r) x; %s; select * from (select 1 as id",
          // Identifiers may contain characters that are not letters, so the text that follows one
          // is not a dollar quote.
          "select 1 as \uD83D\uDE00$x$; %s; select 1 as \uD83D\uDE00$x$",
          "select 1 as \uD83D\uDE00$x$) x; %s; select * from (select 1 as \uD83D\uDE00$x$",
          "select 1 as \u00A0$x$) x; %s; select * from (select 1 as \u00A0$x$",
          // The tags of dollar quotes may also contain characters outside ASCII.
          "select $\uD83D\uDE00$ ' $\uD83D\uDE00$ as id) x; %s; select * from (select '' as id",
          // Neither a doubled quote nor a newline ends an escape string.
          "select E'a''\\' as id) x; %s; --' as id",
          "select E'a''\\'' as id) x; %s; select * from (select '",
          "select E'a'\n'\\'' as id) x; %s; select * from (select '",
          "select E'a' -- x\n'\\'' as id) x; %s; select * from (select '",
          "select U&'\\0027' as id; %s",
          "select 1e'\\' as id) x; %s; select * from (select '",
          "select '\\'; %s; --'",
          "select 1 as id /*/**/*/) x; %s; select * from (select 1 as id",
          "select \"a\"\"; %s; --",
          "select 1 as \"id\";;%s",
          "select 1 as id\0; %s",
          "select 1 as id\uFF1B %s");

  /**
   * Contains statements for which the role of the data source lacks the privilege; see SECURITY.md.
   */
  static final List<String> REACHES =
      List.of(
          "copy thing to program 'touch canary'",
          "copy thing from program 'echo 99'",
          "copy thing to '/tmp/canary'",
          "select pg_read_file('/etc/passwd') as id",
          "select lo_import('/etc/passwd') as id",
          "select pg_ls_dir('/') as id",
          "create function canary() returns int language c as '/lib/x', 'system'",
          "create extension plpython3u",
          "alter system set archive_command = 'x'",
          "alter role readpast superuser",
          "load '/tmp/canary.so'");

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final PGSimpleDataSource source = new PGSimpleDataSource();

  @BeforeAll
  void makeThings() {
    source.setUrl(database.url());
    source.setUser(database.user());
    source.setPassword(database.password());
    database.execute("create table thing (id bigint)");
  }

  @AfterAll
  void close() {
    transactions.close();
  }

  @AfterEach
  void assert_that_the_database_is_unchanged() {
    assertThat(TestDatabase.value(database, "select to_regclass('canary')")).isNull();
    assertThat(TestDatabase.value(database, "select count(*) from thing")).isEqualTo("0");
  }

  private SqlWork work(List<String> allowed, boolean given) {
    return new SqlWork(
        transactions,
        new SqlAccess(
            new SqlAccess.Allowed(
                allowed,
                HERE,
                Duration.ofSeconds(5),
                given,
                Map.of("add", "insert into thing select 1 where :text = 'never'")),
            name -> source));
  }

  @Test
  void search_cannot_change_data_within_its_query() {
    Searches searches = new Searches(transactions, Duration.ofSeconds(5));
    for (String search :
        List.of(
            "with x as (insert into thing values (99) returning 1 as id) select * from x",
            "select nextval('readpast_position') as id",
            "select setval('readpast_position', 1) as id")) {
      var rule = new Rule("r", search, ELSEWHERE, "t", "q", 4, null, null, true);
      assertThatThrownBy(
              () -> searches.elsewhere(source, rule, "id", 10, StatementWatch.NONE, found -> {}))
          .isInstanceOf(SqlRefusedException.class);
    }
  }

  private static JobContext context() {
    return (JobContext)
        Proxy.newProxyInstance(
            SqlBreakoutIT.class.getClassLoader(),
            new Class<?>[] {JobContext.class},
            (proxy, method, arguments) -> method.getName().equals("id") ? (Object) 1L : 1);
  }

  private static String text(String disguise) {
    return disguise.replace("%s", DEED);
  }

  @ParameterizedTest
  @FieldSource("DISGUISES")
  void search_remains_one_query_without_changes(String disguise) {
    Searches searches = new Searches(transactions, Duration.ofSeconds(5));
    assertThatThrownBy(
            () ->
                searches.keyColumn(
                    source,
                    new Rule("r", text(disguise), ELSEWHERE, "t", "q", 4, null, null, true)))
        .isInstanceOf(SqlRefusedException.class);
  }

  /** If jobs may supply statements, each of them is still a single statement. */
  @ParameterizedTest
  @FieldSource("DISGUISES")
  void statement_of_a_job_remains_one_statement(String disguise) {
    var order = new SqlWork.Order(null, text(disguise), Map.of(), ELSEWHERE);
    // The statement is refused, or contains the attack as a literal. A statement may be accepted if
    // it has none of the attempted side effects.
    assertThatCode(() -> work(List.of(ELSEWHERE), true).execute(order, context()))
        .satisfiesAnyOf(
            thrown -> assertThat(thrown).isNull(),
            thrown ->
                assertThat(thrown).isInstanceOfAny(SqlRefusedException.class, SQLException.class));
  }

  @ParameterizedTest
  @FieldSource("REACHES")
  void role_of_the_data_source_cannot_use_files_or_programs(String reach) {
    var order = new SqlWork.Order(null, reach, Map.of(), ELSEWHERE);
    assertThatThrownBy(() -> work(List.of(ELSEWHERE), true).execute(order, context()))
        .hasMessageMatching("(?s).*(permission denied|is not allowed).*");
  }

  @ParameterizedTest
  @FieldSource("DISGUISES")
  void parameter_is_never_parsed_as_sql(String disguise) throws Exception {
    for (String given : List.of(text(disguise), "x' or 'a'='a", "never'; drop table thing; --")) {
      var order = new SqlWork.Order("add", null, Map.of("text", given), ELSEWHERE);
      if (given.indexOf('\0') >= 0) {
        assertThatThrownBy(() -> work(List.of(ELSEWHERE), false).execute(order, context()))
            .hasMessageContaining("0x00");
      } else {
        assertThat(work(List.of(ELSEWHERE), false).execute(order, context())).isZero();
      }
    }
  }

  @Test
  void unconfigured_statement_or_data_source_is_refused() {
    for (String name :
        List.of(
            "add'--",
            "add; select 1",
            "../add",
            "Add",
            "",
            "\0",
            "${add}",
            "#{add}",
            "java:comp/env/jdbc/other",
            "ldap://127.0.0.1:1/x",
            "${jndi:ldap://127.0.0.1:1/x}")) {
      SqlWork work = work(List.of(ELSEWHERE), true);
      assertThatThrownBy(
              () -> work.execute(new SqlWork.Order(name, null, Map.of(), ELSEWHERE), context()))
          .isInstanceOf(SqlRefusedException.class);
      assertThatThrownBy(
              () -> work.execute(new SqlWork.Order("add", null, Map.of(), name), context()))
          .isInstanceOf(SqlRefusedException.class);
      assertThatThrownBy(
              () -> work.execute(new SqlWork.Order(null, "select 1", Map.of(), name), context()))
          .isInstanceOf(SqlRefusedException.class);
    }
  }

  @Test
  void sql_features_are_off_by_default() {
    var named = new SqlWork.Order("add", null, Map.of("text", "x"), ELSEWHERE);
    assertThatThrownBy(() -> work(List.of(), false).execute(named, context()))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageContaining("disabled");
    var given = new SqlWork.Order(null, "select 1", Map.of(), ELSEWHERE);
    assertThatThrownBy(() -> work(List.of(ELSEWHERE), false).execute(given, context()))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageContaining("readpast.sql.given");
  }
}
