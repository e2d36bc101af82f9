package org.readpast.support;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.jspecify.annotations.Nullable;

/** Creates databases with Readpast's tables, and queries them. */
public final class TestDatabase {
  /**
   * Contains the rules between the columns of a job that every statement must satisfy; see
   * 001-jobs.sql.
   */
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
        add constraint unseen check (not unseen or state = 'BLOCKED')""";

  // The default schema in tests.
  private static final String SCHEMA = System.getProperty("readpast.test.schema");
  private static final Set<String> TEMPLATES = new HashSet<>();
  private static final KeptConnections KEPT = new KeptConnections();

  private TestDatabase() {}

  /** Returns a new database with the tables, copied from one that Liquibase has created once. */
  public static Database withTables() {
    return copy(SCHEMA == null ? List.of() : List.of(SCHEMA));
  }

  /**
   * Returns a new database with the tables in each of the given schemas, none of which is in the
   * search path.
   */
  public static Database withTablesIn(String... schemas) {
    return copy(List.of(schemas));
  }

  private static synchronized Database copy(List<String> schemas) {
    TestPostgres postgres = TestPostgres.shared();
    String name = String.join("_", "readpast_template", String.join("_", schemas));
    if (TEMPLATES.add(name)) {
      Database template = postgres.newDatabase(name);
      if (schemas.isEmpty()) {
        create(template);
      }
      schemas.forEach(schema -> create(template.in(schema)));
    }
    return postgres.newDatabaseFrom(name).in(schemas.isEmpty() ? null : schemas.get(0));
  }

  /** Drops the databases of a test class that has ended. */
  static synchronized void dropCopies() {
    if (!TEMPLATES.isEmpty()) {
      TestPostgres.shared().dropCopies();
    }
  }

  private static void create(Database installation) {
    migrate(installation);
    installation.execute(RULES);
  }

  public static void migrate(Database database) {
    String schema = database.schema();
    if (schema != null) {
      database.execute("create schema \"" + schema + '"');
    }
    try (var connection = database.connect()) {
      var target =
          DatabaseFactory.getInstance()
              .findCorrectDatabaseImplementation(new JdbcConnection(connection));
      target.setDatabaseChangeLogTableName("readpast_databasechangelog");
      target.setDatabaseChangeLogLockTableName("readpast_databasechangeloglock");
      if (schema != null) {
        target.setDefaultSchemaName(schema);
        target.setLiquibaseSchemaName(schema);
      }
      new Liquibase("liquibase/changelog.xml", new ClassLoaderResourceAccessor(), target)
          .update(new Contexts(), new LabelExpression());
    } catch (SQLException | LiquibaseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Inserts jobs that the given nodes have leased, in the state that a claim leaves. */
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

  /**
   * Returns the first column of all rows. Many tests repeat a query until its result changes, so
   * the connection is kept for the next query of the same database.
   */
  public static List<String> column(Database database, String sql) {
    try {
      Connection connection = KEPT.take(database);
      List<String> values = new ArrayList<>();
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          values.add(rows.getString(1));
        }
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
      KEPT.put(database, connection);
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /** Closes the kept connection, for tests that copy the database. */
  public static void closeKept(Database database) throws SQLException {
    Connection kept = KEPT.takeIdle(database);
    if (kept != null) {
      kept.close();
    }
  }

  /** Keeps one idle connection for each of the databases that were queried last. */
  private static final class KeptConnections {
    private static final int MOST = 8;
    private final Map<Database, Connection> idle = new LinkedHashMap<>();

    synchronized @Nullable Connection takeIdle(Database database) {
      return idle.remove(database);
    }

    /** Returns the kept connection if it is still usable, or else a new one. */
    Connection take(Database database) throws SQLException {
      Connection kept = takeIdle(database);
      if (kept != null) {
        if (kept.isValid(5)) {
          return kept;
        }
        kept.close();
      }
      return database.connect();
    }

    void put(Database database, Connection connection) throws SQLException {
      List<Connection> surplus = new ArrayList<>();
      synchronized (this) {
        Connection other = idle.put(database, connection);
        if (other != null) {
          surplus.add(other);
        }
        if (idle.size() > MOST) {
          surplus.add(idle.remove(idle.keySet().iterator().next()));
        }
      }
      for (Connection each : surplus) {
        each.close();
      }
    }
  }

  /** Returns the single value that a query selects. */
  public static String value(Database database, String sql) {
    return column(database, sql).get(0);
  }

  /** Returns the state of a live or ended job. */
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
