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
 * Statements of others that want to be more than one statement, to leave the brackets they are put
 * in, or to reach what they were not given. What PostgreSQL and its driver make of a text decides,
 * not what we take it for: hence a real database, in which nothing may have changed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlBreakoutIT {
  private static final String HERE = "jdbc/queue";
  private static final String ELSEWHERE = "jdbc/elsewhere";

  /** What each of them would do if it could; {@code %s} where it stands. */
  private static final String DEED = "commit; create table canary (i int); begin";

  /** By which a text might look like a quote or a comment to one reader, and not to another. */
  static final List<String> DISGUISES =
      List.of(
          // A line ends by CR too.
          "select 1 as id --\r; %s --",
          "select 1 as id --\r) x; %s; select * from (select 1 as id",
          // Names may have signs in them that are no letters: what follows is no dollar quote.
          "select 1 as \uD83D\uDE00$x$; %s; select 1 as \uD83D\uDE00$x$",
          "select 1 as \uD83D\uDE00$x$) x; %s; select * from (select 1 as \uD83D\uDE00$x$",
          "select 1 as \u00A0$x$) x; %s; select * from (select 1 as \u00A0$x$",
          // And so may dollar quotes.
          "select $\uD83D\uDE00$ ' $\uD83D\uDE00$ as id) x; %s; select * from (select '' as id",
          // A doubled quote does not end a string with escapes, nor does a new line.
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

  /** What the role of the data source has no right to; see SECURITY.md. */
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
  void nothing_has_happened() {
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
  void search_may_not_change_anything_within_itself() {
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
  void search_stays_one_query_that_changes_nothing(String disguise) {
    Searches searches = new Searches(transactions, Duration.ofSeconds(5));
    assertThatThrownBy(
            () ->
                searches.keyColumn(
                    source,
                    new Rule("r", text(disguise), ELSEWHERE, "t", "q", 4, null, null, true)))
        .isInstanceOf(SqlRefusedException.class);
  }

  /** Where jobs may bring statements, each is still one. */
  @ParameterizedTest
  @FieldSource("DISGUISES")
  void statement_of_a_job_stays_one(String disguise) {
    var order = new SqlWork.Order(null, text(disguise), Map.of(), ELSEWHERE);
    // Refused, or a text that holds the deed as a text: what has happened counts.
    assertThatCode(() -> work(List.of(ELSEWHERE), true).execute(order, context()))
        .satisfiesAnyOf(
            thrown -> assertThat(thrown).isNull(),
            thrown ->
                assertThat(thrown).isInstanceOfAny(SqlRefusedException.class, SQLException.class));
  }

  @ParameterizedTest
  @FieldSource("REACHES")
  void role_of_the_data_source_reaches_no_file_and_no_program(String reach) {
    var order = new SqlWork.Order(null, reach, Map.of(), ELSEWHERE);
    assertThatThrownBy(() -> work(List.of(ELSEWHERE), true).execute(order, context()))
        .hasMessageMatching("(?s).*(permission denied|is not allowed).*");
  }

  @ParameterizedTest
  @FieldSource("DISGUISES")
  void parameter_is_never_read_as_sql(String disguise) throws Exception {
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
  void name_of_a_statement_or_a_data_source_is_one_that_is_configured_or_refused() {
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
  void all_of_it_is_off_unless_it_is_switched_on() {
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
