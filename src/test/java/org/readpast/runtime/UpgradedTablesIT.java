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
import org.readpast.support.Database;
import org.readpast.support.DocumentedSql;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;

/** Tables that an older or a newer version has made, and what docs/upgrading.md says of them. */
class UpgradedTablesIT {
  private static final String INDEXES =
      "select indexrelid::regclass || ' ' || indexrelid || ' ' || indisvalid from pg_index"
          + " where indexrelid::regclass::text like 'readpast%correlation' order by 1";
  private static final String INDEX_CHANGE = "correlation";
  // Of the change as it was before an index that exists already was accepted.
  private static final String FORMER_CHECKSUM = "9:bab306b49cb39790da87705442887890";

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

  private void undoIndexes() {
    database.execute("drop index readpast_job_correlation, readpast_job_history_correlation");
    database.execute("delete from readpast_databasechangelog where id = '" + INDEX_CHANGE + "'");
  }

  @Test
  void index_that_was_built_beforehand_as_documented_is_taken_over() {
    List<String> blocks = DocumentedSql.blocks(Path.of("docs/upgrading.md"), "Large migrations");
    undoIndexes();
    for (String statement : blocks.get(0).split(";\\s*")) {
      database.execute(statement);
    }
    List<String> built = TestDatabase.column(database, INDEXES);
    assertThat(built).hasSize(2).allMatch(index -> index.endsWith(" true"));
    assertThat(TestDatabase.column(database, blocks.get(1))).isEmpty();

    schema.prepare("apply");
    assertThat(TestDatabase.column(database, INDEXES)).isEqualTo(built);
  }

  @Test
  void former_form_of_the_change_is_accepted() {
    database.execute(
        "update readpast_databasechangelog set md5sum = '"
            + FORMER_CHECKSUM
            + "' where id = '"
            + INDEX_CHANGE
            + "'");
    schema.prepare("apply");
    schema.prepare("validate");
  }

  @Test
  void printed_plan_has_what_is_missing_and_can_be_executed() throws Exception {
    List<String> recorded = recorded();
    undoIndexes();
    StringWriter plan = new StringWriter();
    liquibase("liquibase/changelog.xml", new DirectoryResourceAccessor(Path.of("")))
        .update(new Contexts(), new LabelExpression(), plan);
    assertThat(plan.toString())
        .contains("readpast_job_history_correlation")
        .doesNotContainIgnoringCase("create table readpast_job (");
    database.execute(plan.toString());

    schema.prepare("validate");
    assertThat(TestDatabase.column(database, INDEXES)).hasSize(2);
    assertThat(recorded()).hasSameSizeAs(recorded);
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
  void version_that_the_tables_still_work_with_may_start() throws Exception {
    newerVersion("labels:oldest-0.1");
    schema.prepare("apply");
  }

  @Test
  void version_that_the_tables_no_longer_work_with_is_refused_by_name() throws Exception {
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
