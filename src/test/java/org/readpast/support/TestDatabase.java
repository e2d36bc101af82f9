package org.readpast.support;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.ClassLoaderResourceAccessor;

/** Databases that have Readpast's tables, and questions to them. */
public final class TestDatabase {
  /** What holds between the columns of a job, in every statement; see 009-domains.sql. */
  private static final String RULES =
      """
      alter table readpast_job
        add constraint counts check (uncounted between 0 and attempt and crashes >= 0),
        add constraint position check ((position is null) = (state in ('SCHEDULED', 'BLOCKED')
          or state = 'RUNNING' and waits_for is not null)),
        add constraint owner check ((state = 'RUNNING') = (owner is not null)),
        add constraint wave check ((batch is null) = (wave is null)),
        add constraint waits check ((waits_for is not null) = (state = 'BLOCKED'
          or state = 'RUNNING' and waits_for in ('WAVE', 'GROUP') and position is null)),
        add constraint unsettled check (not unsettled or state = 'BLOCKED')""";

  private static boolean templateMade;

  private TestDatabase() {}

  /** A new database with the tables, copied from one that Liquibase has made once. */
  public static synchronized Database withTables() {
    TestPostgres postgres = TestPostgres.shared();
    if (!templateMade) {
      Database template = postgres.newDatabase("readpast_template");
      migrate(template);
      template.execute(RULES);
      templateMade = true;
    }
    return postgres.newDatabaseFrom("readpast_template");
  }

  public static void migrate(Database database) {
    try (var connection = database.connect()) {
      var target =
          DatabaseFactory.getInstance()
              .findCorrectDatabaseImplementation(new JdbcConnection(connection));
      target.setDatabaseChangeLogTableName("readpast_databasechangelog");
      target.setDatabaseChangeLogLockTableName("readpast_databasechangeloglock");
      new Liquibase("liquibase/changelog.xml", new ClassLoaderResourceAccessor(), target)
          .update(new Contexts(), new LabelExpression());
    } catch (SQLException | LiquibaseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Inserts jobs that these nodes have in work, as a claim leaves them. */
  public static void insertLeased(Database database, String nodes) {
    database.execute(
        """
        with jobs as (
          insert into readpast_job (queue, type, state, position, owner, claim_no, attempt, claimed_at, deadline,
            available_at, payload)
          select 'q', 't', 'RUNNING', nextval('readpast_position'), no, 1, 1, clock_timestamp(),
            clock_timestamp() + interval '1 hour', clock_timestamp(), '{}'
          from (%s) n(no) returning id, owner, deadline)
        insert into readpast_lease (node, queue, jobs, deadline)
        select owner, 'q', array_agg(id), max(deadline) from jobs group by owner, id / 500"""
            .formatted(nodes));
  }

  /** The first column of every row. */
  public static List<String> column(Database database, String sql) {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /** The only value. */
  public static String value(Database database, String sql) {
    return column(database, sql).get(0);
  }

  /** Where a job stands, live or ended. */
  public static String stateOf(Database database, long job) {
    return value(
        database,
        "select state from readpast_job where id = "
            + job
            + " union all select state from readpast_job_history where id = "
            + job);
  }

  public static long count(Database database, String sql) {
    return Long.parseLong(value(database, sql));
  }
}
