package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.resource.ResourceAccessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.readpast.api.ReadpastException;
import org.readpast.model.SchemaName;
import org.readpast.support.CodeBlock;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;

/** Tests what docs/upgrading.md promises for tables of an older or a newer version. */
class UpgradedTablesIT {
  @TempDir Path newer;
  private final Database database = TestDatabase.withTables();
  private final Schema schema = new Schema(dataSource(), new SchemaName(database.schema()));

  private PGSimpleDataSource dataSource() {
    var source = new PGSimpleDataSource();
    source.setUrl(database.url());
    source.setUser(database.user());
    source.setPassword(database.password());
    return source;
  }

  private List<String> recorded() {
    return TestDatabase.column(
        database,
        "select concat_ws(' ', orderexecuted, id, md5sum) from readpast_databasechangelog order by 1");
  }

  @Test
  void released_change_sets_stay_unchanged() throws Exception {
    List<String> released = Files.readAllLines(Path.of("src/test/resources/released-changes.txt"));
    assertThat(
            TestDatabase.column(
                database,
                "select concat_ws(' ', id, md5sum) from readpast_databasechangelog order by orderexecuted"))
        .as("released changes are never edited: add a new change set")
        .startsWith(released.toArray(String[]::new));
  }

  @Test
  void query_for_invalid_indexes_works_as_documented() {
    List<String> blocks = CodeBlock.sql(Path.of("docs/upgrading.md"), "Large migrations");
    assertThat(TestDatabase.column(database, blocks.get(0))).isEmpty();
    database.execute(
        """
        insert into readpast_release (queue, type, priority, position)
        select 'mail', 'mail.send', 4, generate_series(1, 2)""");
    assertThatThrownBy(
            () ->
                database.execute(
                    "create unique index concurrently readpast_interrupted on readpast_release (queue)"))
        .hasMessageContaining("readpast_interrupted");
    assertThat(TestDatabase.column(database, blocks.get(0)))
        .singleElement()
        .asString()
        .endsWith("readpast_interrupted");
  }

  @Test
  void printed_plan_contains_the_missing_changes_and_is_executable() throws Exception {
    List<String> recorded = recorded();
    database.execute(
        """
        drop table readpast_schedule, readpast_schedule_declaration, readpast_schedule_run,
          readpast_rule, readpast_rule_run, readpast_rule_found, readpast_sql_log""");
    database.execute("delete from readpast_databasechangelog where id = 'schedules'");
    StringWriter plan = new StringWriter();
    liquibase("liquibase/changelog.xml", new DirectoryResourceAccessor(Path.of("")))
        .update(new Contexts(), new LabelExpression(), plan);
    assertThat(plan.toString())
        .contains("create table readpast_sql_log (")
        .doesNotContainIgnoringCase("create table readpast_job (");
    database.execute(plan.toString());

    schema.prepare("validate");
    assertThat(TestDatabase.count(database, "select count(*) from readpast_sql_log")).isZero();
    assertThat(recorded()).hasSameSizeAs(recorded);
  }

  @Test
  void tables_older_than_the_first_release_are_refused_with_a_remedy() {
    database.execute("delete from readpast_databasechangelog");
    assertThatThrownBy(() -> schema.prepare("apply"))
        .isInstanceOf(ReadpastException.class)
        .hasStackTraceContaining("a version before 1.0.0, which cannot be upgraded")
        .hasStackTraceContaining("readpast.schema.name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"apply", "validate"})
  void changes_of_a_newer_version_stay_and_are_logged(String auto) throws Exception {
    newerVersion("");
    List<String> recorded = recorded();
    try (LogLines log = new LogLines("org.readpast.runtime")) {
      schema.prepare(auto);
      assertThat(log.from(System.Logger.Level.INFO))
          .singleElement()
          .asString()
          .contains("READPAST-0038", "1 changes are unknown");
    }
    assertThat(recorded()).isEqualTo(recorded);
    assertThat(TestDatabase.column(database, "select tablename from pg_tables"))
        .contains("readpast_future");
  }

  @Test
  void version_compatible_with_the_tables_starts() throws Exception {
    newerVersion("labels:oldest-0.1");
    schema.prepare("apply");
  }

  @Test
  void version_incompatible_with_the_tables_is_refused_by_name() throws Exception {
    newerVersion("labels:oldest-7.10");
    assertThatThrownBy(() -> schema.prepare("apply"))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("change 'future'")
        .hasMessageContaining(Configuration.version())
        .hasMessageContaining("deploy Readpast 7.10 or newer");
  }

  private void newerVersion(String labels) throws Exception {
    Files.writeString(
        newer.resolve("999-future.sql"),
        "--liquibase formatted sql\n--changeset readpast:future "
            + labels
            + "\ncreate table readpast_future (id int);\n");
    liquibase("999-future.sql", new DirectoryResourceAccessor(newer))
        .update(new Contexts(), new LabelExpression());
  }

  private Liquibase liquibase(String changeLog, ResourceAccessor files) throws Exception {
    var target =
        DatabaseFactory.getInstance()
            .findCorrectDatabaseImplementation(new JdbcConnection(database.connect()));
    if (database.schema() != null) {
      target.setDefaultSchemaName(database.schema());
      target.setLiquibaseSchemaName(database.schema());
    }
    target.setDatabaseChangeLogTableName(Schema.LOG_TABLE);
    target.setDatabaseChangeLogLockTableName(Schema.LOCK_TABLE);
    return new Liquibase(changeLog, files, target);
  }
}
