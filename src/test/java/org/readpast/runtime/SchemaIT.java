package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.api.ReadpastException;
import org.readpast.model.SchemaName;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;
import org.xml.sax.InputSource;

/** Tests that the engine and an administrator's run of the Maven plugin agree about the schema. */
class SchemaIT {
  private static final String RECORDED =
      "select concat_ws(' ', orderexecuted, filename, id, author, md5sum, dateexecuted)"
          + " from readpast_databasechangelog order by orderexecuted";
  private static final String INSERT =
      "insert into readpast_job (queue, type, state, available_at, payload)"
          + " values ('q', 't', 'SCHEDULED', 'infinity', '{}')";

  private final Database database = TestPostgres.shared().newDatabase();
  private final Schema schema = new Schema(dataSource(database), SchemaName.NONE);

  @Test
  void nothing_remains_to_migrate_for_the_engine_after_the_administrator() throws Exception {
    administrator().update(new Contexts(), new LabelExpression());
    List<String> recorded = recorded();

    schema.prepare("validate");
    schema.prepare("apply");

    assertThat(recorded()).isNotEmpty().isEqualTo(recorded);
  }

  @Test
  void liquibase_messages_stay_out_of_the_log() {
    try (LogLines log = new LogLines("");
        LogLines ownLog = new LogLines("org.readpast.runtime")) {
      schema.prepare("apply");
      schema.prepare("validate");
      assertThat(log.count("ran successfully")).as("at FINE").isPositive();
      assertThat(log.from(System.Logger.Level.INFO))
          .isEqualTo(ownLog.from(System.Logger.Level.INFO))
          .last()
          .asString()
          .contains("READPAST-0029");
    }
  }

  @Test
  void nothing_remains_to_migrate_for_the_administrator_after_the_engine() throws Exception {
    schema.prepare("apply");
    List<String> recorded = recorded();

    assertThat(administrator().listUnrunChangeSets(new Contexts(), new LabelExpression()))
        .isEmpty();
    administrator().update(new Contexts(), new LabelExpression());

    assertThat(recorded()).isNotEmpty().isEqualTo(recorded);
  }

  @Test
  void heartbeats_must_use_the_database_of_the_jobs() {
    schema.requireSameDatabase(dataSource(database));
    DataSource elsewhere = dataSource(TestPostgres.shared().newDatabase());

    assertThatThrownBy(() -> schema.requireSameDatabase(elsewhere))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("readpast.datasource.system");
  }

  @Test
  void start_waits_for_an_unavailable_database() throws Exception {
    TestPostgres own = TestPostgres.durable();
    DataSource late = dataSource(own.newDatabase());
    own.process().stop();
    CompletableFuture<Void> start =
        CompletableFuture.runAsync(
            () ->
                new Schema(late, SchemaName.NONE)
                    .prepare(late, () -> {}, "apply", Duration.ofMinutes(1)));
    assertThat(start).isNotDone();
    assertThatThrownBy(() -> start.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);

    own.process().start();
    start.get(30, TimeUnit.SECONDS);
    own.process().stopImmediately();
  }

  @Test
  void start_fails_after_its_grace_period_or_at_once_if_waiting_is_useless() {
    DataSource nobody = dataSource(new Database("jdbc:postgresql://localhost:1/x", "x", "x"));
    assertThatThrownBy(
            () ->
                new Schema(nobody, SchemaName.NONE)
                    .prepare(nobody, () -> {}, "apply", Duration.ofSeconds(1)))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("does not respond");

    DataSource stranger = dataSource(new Database(database.url(), database.user(), "wrong"));
    CompletableFuture<Void> start =
        CompletableFuture.runAsync(
            () ->
                new Schema(stranger, SchemaName.NONE)
                    .prepare(stranger, () -> {}, "apply", Duration.ofMinutes(1)));
    assertThatThrownBy(() -> start.get(20, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(SQLException.class)
        .hasMessageContaining("password");
  }

  /** Reverts the change that creates the indexes of tables to which applications write. */
  private void undoIndexes() {
    schema.prepare("apply");
    List<String> indexes =
        TestDatabase.column(
            database,
            """
            select indexrelid::regclass from pg_index where not indisprimary and indrelid in (
              'readpast_job'::regclass, 'readpast_job_history'::regclass, 'readpast_predecessor'::regclass)""");
    database.execute("drop index " + String.join(", ", indexes));
    database.execute("delete from readpast_databasechangelog where id = 'indexes'");
  }

  private Connection openWriter() throws SQLException {
    Connection writer = database.connect();
    writer.setAutoCommit(false);
    try (var statement = writer.createStatement()) {
      statement.execute(INSERT);
    }
    return writer;
  }

  @Test
  void migration_blocked_by_an_open_transaction_blocks_no_other_caller_and_succeeds_later()
      throws Exception {
    undoIndexes();
    try (LogLines log = new LogLines("org.readpast.runtime");
        Connection writer = openWriter();
        Connection other = database.connect();
        var statement = other.createStatement()) {
      CompletableFuture<Void> start = CompletableFuture.runAsync(() -> schema.prepare("apply"));
      Await.until(
          Duration.ofSeconds(30),
          "a failed migration attempt",
          () ->
              log.from(System.Logger.Level.WARNING).stream()
                  .anyMatch(line -> line.contains("READPAST-0028")));
      statement.execute("set statement_timeout = '10s'");
      statement.execute(INSERT);
      new Schema(dataSource(database), new SchemaName("jobs")).prepare("apply");
      assertThat(start).as("another installation does not wait for it").isNotDone();
      assertThat(log.from(System.Logger.Level.WARNING))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .contains("READPAST-0028")
                      .contains("readpast_job")
                      .contains("insert into readpast_job"));
      writer.rollback();

      start.get(30, TimeUnit.SECONDS);
    }
    schema.prepare("validate");
  }

  @Test
  void start_blocked_by_a_transaction_names_it_and_keeps_finished_changes() throws Exception {
    undoIndexes();
    DataSource itself = dataSource(database);
    try (Connection writer = openWriter()) {
      assertThatThrownBy(() -> schema.prepare(itself, () -> {}, "apply", Duration.ofSeconds(1)))
          .isInstanceOf(ReadpastException.class)
          .hasMessageContaining("did not get its lock")
          .hasMessageContaining("readpast_job")
          .hasMessageContaining("end this transaction");
    }

    schema.prepare("apply");
    schema.prepare("validate");
  }

  @Test
  void validation_refuses_an_empty_database_and_leaves_it_empty() {
    assertThatThrownBy(() -> schema.prepare("validate"))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("the tables do not exist")
        .hasMessageContaining("readpast.schema.auto=apply");

    assertThat(tables()).isEmpty();
  }

  @Test
  void validation_refuses_outdated_tables() {
    schema.prepare("apply");
    database.execute(
        "delete from readpast_databasechangelog where orderexecuted >="
            + " (select max(orderexecuted) - 1 from readpast_databasechangelog)");

    assertThatThrownBy(() -> schema.prepare("validate"))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("2 changes to the tables are missing");
  }

  @Test
  void named_schema_is_created_and_gets_all_objects() throws Exception {
    var kept = new KeptConnections();
    var named = new Schema(kept, new SchemaName("jobs"));
    named.prepare("apply");
    named.prepare("validate");

    assertThat(
            TestDatabase.column(
                database,
                """
                select distinct n.nspname from (
                  select relnamespace as namespace, relname as name from pg_class
                  union all select typnamespace, typname from pg_type
                  union all select pronamespace, proname from pg_proc) o
                join pg_namespace n on n.oid = o.namespace where o.name ~ '^_?readpast_'"""))
        .containsExactly("jobs");
    assertThat(administrator("jobs").listUnrunChangeSets(new Contexts(), new LabelExpression()))
        .isEmpty();
    for (Connection connection : kept.made) {
      try (connection) {
        assertThat(setting(connection, "search_path")).isEqualTo("\"$user\", public");
        assertThat(setting(connection, "lock_timeout")).isEqualTo("0");
      }
    }
  }

  @Test
  void missing_or_reserved_schema_is_refused_with_a_remedy() {
    assertThatThrownBy(() -> named("jobs", database).prepare("validate"))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("'jobs' (readpast.schema.name) does not exist")
        .hasMessageContaining("create schema \"jobs\" authorization \"readpast\"");
    assertThatThrownBy(() -> named("order", database).prepare("apply"))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("'order' (readpast.schema.name) has a name that SQL reserves");
    assertThat(schemas()).containsExactly("public");
  }

  @Test
  void role_without_privileges_on_the_named_schema_is_refused_with_a_remedy() {
    Database guest = TestPostgres.shared().newDatabase("guest", "p");
    Database lent = new Database(database.url(), guest.user(), guest.password());
    assertThatThrownBy(() -> named("jobs", lent).prepare("apply"))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("role 'guest' may not create it")
        .hasMessageContaining("create schema \"jobs\" authorization \"guest\"");

    database.execute("create schema jobs");
    assertThatThrownBy(() -> named("jobs", lent).prepare("apply"))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("cannot be used by the database role 'guest'")
        .hasMessageContaining("grant usage, create on schema \"jobs\" to \"guest\"");
  }

  private static Schema named(String name, Database database) {
    return new Schema(dataSource(database), new SchemaName(name));
  }

  private List<String> schemas() {
    return TestDatabase.column(
        database,
        "select nspname from pg_namespace where nspname !~ '^pg_' and nspname <>"
            + " 'information_schema'");
  }

  @Test
  void migration_mode_none_changes_nothing() {
    schema.prepare("none");

    assertThat(tables()).isEmpty();
  }

  /**
   * If the search path changed, the next user of the pooled connection would use another schema.
   */
  @Test
  void connections_keep_the_search_path_of_their_role() throws Exception {
    var kept = new KeptConnections();
    new Schema(kept, SchemaName.NONE).prepare("apply");

    for (Connection connection : kept.made) {
      try (connection) {
        assertThat(setting(connection, "search_path")).isEqualTo("\"$user\", public");
      }
    }
    assertThat(kept.made).hasSizeGreaterThan(1);
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (var rows = connection.createStatement().executeQuery("show " + name)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  /** Behaves like a pool: a closed connection is returned with its session state. */
  private final class KeptConnections extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;
    final transient List<Connection> made = new ArrayList<>();

    KeptConnections() {
      setUrl(database.url());
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = getConnection(database.user(), database.password());
      made.add(connection);
      return (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) ->
                  method.getName().equals("close") ? null : method.invoke(connection, arguments));
    }
  }

  private List<String> recorded() {
    return TestDatabase.column(database, RECORDED);
  }

  private List<String> tables() {
    return TestDatabase.column(
        database, "select tablename from pg_tables where schemaname = 'public'");
  }

  /** Returns Liquibase, configured like its Maven plugin in the pom. */
  private Liquibase administrator() throws Exception {
    return administrator(null);
  }

  private Liquibase administrator(@Nullable String schemaName) throws Exception {
    var target =
        DatabaseFactory.getInstance()
            .findCorrectDatabaseImplementation(new JdbcConnection(database.connect()));
    if (schemaName != null) {
      target.setDefaultSchemaName(schemaName);
      target.setLiquibaseSchemaName(schemaName);
    }
    target.setDatabaseChangeLogTableName(plugin("databaseChangeLogTableName"));
    target.setDatabaseChangeLogLockTableName(plugin("databaseChangeLogLockTableName"));
    return new Liquibase(
        plugin("changeLogFile"), new DirectoryResourceAccessor(Path.of("")), target);
  }

  private static String plugin(String parameter) throws XPathExpressionException {
    return XPathFactory.newInstance()
        .newXPath()
        .evaluate(
            "//*[local-name()='plugin'][*[local-name()='artifactId']='liquibase-maven-plugin']"
                + "/*[local-name()='configuration']/*[local-name()='"
                + parameter
                + "']",
            new InputSource("pom.xml"));
  }

  private static DataSource dataSource(Database database) {
    var source = new PGSimpleDataSource();
    source.setUrl(database.url());
    source.setUser(database.user());
    source.setPassword(database.password());
    return source;
  }
}
