package org.readpast.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.UpdateSummaryEnum;
import liquibase.database.Database;
import liquibase.exception.LiquibaseException;
import liquibase.lockservice.DatabaseChangeLogLock;
import liquibase.lockservice.LockServiceFactory;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.readpast.api.ReadpastException;
import org.readpast.database.TransientErrors;
import org.readpast.model.Causes;
import org.readpast.model.SchemaName;

/**
 * Updates the tables to the version that this engine requires.
 *
 * <p>Applications that start concurrently wait for each other on an advisory lock, which PostgreSQL
 * releases at the end of the transaction. If an application holds that lock, then a lock of another
 * engine in Liquibase's own table was left by a server that died.
 *
 * <p>A change that locks a table waits for open transactions that use the table, and later
 * transactions queue behind the change. The change is therefore abandoned after a few seconds, and
 * tried again after a pause in which the other transactions can proceed. Each change set commits by
 * itself, so completed change sets are kept.
 */
final class Schema {
  private static final Logger LOG = System.getLogger(Schema.class.getName());

  // Advisory locks belong to the whole database, so the key contains the schema: installations in
  // different schemas do not wait for each other. If no name is configured, the first schema of the
  // search path gets the tables.
  private static final String MIGRATION_LOCK =
      """
      select pg_advisory_xact_lock(
        hashtextextended(coalesce(?, current_schema(), ''), 5931124207310671476))""";
  private static final String ENGINE = "readpast-engine";
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(3);
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(2);
  private static final Duration USUAL_GRACE = Duration.ofMinutes(1);

  static final String CHANGELOG = "liquibase/changelog.xml";
  static final String LOG_TABLE = "readpast_databasechangelog";
  static final String LOCK_TABLE = "readpast_databasechangeloglock";

  private final DataSource dataSource;
  private final SchemaName schema;

  Schema(DataSource dataSource, SchemaName schema) {
    this.dataSource = dataSource;
    this.schema = schema;
  }

  /**
   * Updates the tables, after checking that the system data source uses the same database.
   *
   * @param check refuses data sources that cannot be used; repeated while they do not respond
   * @param auto apply, validate or none
   * @param grace how long to wait for a database that does not respond
   */
  void prepare(DataSource other, Runnable check, String auto, Duration grace) {
    long until = System.nanoTime() + grace.toNanos();
    boolean waits = false;
    while (true) {
      try {
        requireSameDatabase(other);
        check.run();
        prepare(auto, until);
        return;
      } catch (ReadpastException e) {
        if (!TransientErrors.isOutage(e) || System.nanoTime() - until >= 0) {
          throw e;
        }
        if (!waits) {
          waits = true;
          LOG.log(
              Level.WARNING,
              "READPAST-0080 startup tries again every second for up to {0}"
                  + " (readpast.start-grace): {1}",
              grace,
              e.getMessage());
        }
        pause(e);
      }
    }
  }

  private static void pause(ReadpastException why) {
    try {
      TimeUnit.SECONDS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw why;
    }
  }

  /** Refuses a second data source that uses a different database. */
  void requireSameDatabase(DataSource other) {
    try {
      if (leadsElsewhere(other)) {
        throw new ReadpastException(
            "readpast.datasource and readpast.datasource.system lead to different databases;"
                + " name two data sources of the same database, or set both keys to the same"
                + " name");
      }
    } catch (SQLException e) {
      throw new ReadpastException(
          "the database of readpast.datasource or readpast.datasource.system does not respond;"
              + " it must be available when the application starts: "
              + e.getMessage(),
          e);
    }
  }

  private boolean leadsElsewhere(DataSource other) throws SQLException {
    // The identities are compared twice, because a failover between two queries would make one
    // database look like two.
    for (int looks = 0; looks < 2; looks++) {
      if (identity(dataSource).equals(identity(other))) {
        return false;
      }
    }
    return true;
  }

  private static String identity(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select current_database() || ' of ' || pg_postmaster_start_time()")) {
      row.next();
      return row.getString(1);
    }
  }

  /** Updates the tables; {@code auto} is apply, validate or none. */
  void prepare(String auto) {
    prepare(auto, System.nanoTime() + USUAL_GRACE.toNanos());
  }

  private void prepare(String auto, long until) {
    if (auto.equals("none")) {
      return;
    }
    signLocks();
    onThreadOfItsOwn(() -> bringUpToDate(auto, until));
  }

  /**
   * Runs a step on a new thread. Liquibase leaves a thread-local that later threads inherit: on a
   * thread of the server, it would keep the classes of this application in memory forever.
   */
  private static void onThreadOfItsOwn(Runnable step) {
    FutureTask<Boolean> task = new FutureTask<>(step, true);
    new Thread(task, "readpast-schema").start();
    try {
      task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ReadpastException known
          ? known
          : new ReadpastException("the tables could not be updated", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReadpastException("startup was interrupted while it updated the tables", e);
    }
  }

  private void bringUpToDate(String auto, long until) {
    try (Connection guard = dataSource.getConnection();
        Connection worker = dataSource.getConnection()) {
      refuseOthers(guard);
      boolean autoCommit = guard.getAutoCommit();
      guard.setAutoCommit(false);
      try (PreparedStatement statement = guard.prepareStatement(MIGRATION_LOCK)) {
        statement.setString(1, schema.name());
        statement.execute();
        LiquibaseOutput.reduced(() -> migrate(worker, auto, until));
      } finally {
        guard.rollback();
        guard.setAutoCommit(autoCommit);
      }
    } catch (SQLException | LiquibaseException e) {
      throw new ReadpastException(
          "the tables could not be updated (readpast.schema.auto=" + auto + "): " + e.getMessage(),
          e);
    }
  }

  private static void refuseOthers(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    if (!product.equals("PostgreSQL")) {
      throw new ReadpastException(
          "the data source is " + product + "; Readpast needs PostgreSQL 14 or newer");
    }
    if (connection.getMetaData().getDatabaseMajorVersion() < 14) {
      throw new ReadpastException(
          "the data source is PostgreSQL "
              + connection.getMetaData().getDatabaseProductVersion()
              + "; Readpast needs 14 or newer");
    }
  }

  private void migrate(Connection connection, String auto, long until)
      throws LiquibaseException, SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (schema.name() != null) {
      NamedSchema.require(connection, schema, auto.equals("apply"));
    }
    Database database = new SchemaDatabase(connection, schema, LOCK_TIMEOUT);
    try {
      Liquibase liquibase =
          new Liquibase(
              CHANGELOG, new ClassLoaderResourceAccessor(Schema.class.getClassLoader()), database);
      if (auto.equals("validate")) {
        validate(connection, liquibase);
      } else {
        breakLeftLock(connection, liquibase);
        update(connection, liquibase, until);
      }
      NewerChanges.check(database, liquibase.getDatabaseChangeLog(), Configuration.version());
    } finally {
      LockServiceFactory.getInstance().getLockService(database).reset();
      // Liquibase turns autocommit off, and a pooled connection would keep that setting.
      connection.rollback();
      connection.setAutoCommit(autoCommit);
    }
  }

  private void update(Connection connection, Liquibase liquibase, long until)
      throws LiquibaseException, SQLException {
    int missing = liquibase.listUnrunChangeSets(new Contexts(), new LabelExpression()).size();
    if (missing == 0) {
      return;
    }
    liquibase.setShowSummary(UpdateSummaryEnum.OFF);
    liquibase.setChangeExecListener(new LiquibaseOutput.Progress());
    long start = System.nanoTime();
    while (true) {
      try {
        liquibase.update(new Contexts(), new LabelExpression());
        LOG.log(
            Level.INFO,
            "READPAST-0029 all missing changes to the tables were applied: {0} changes in {1} ms",
            Integer.toString(missing),
            Long.toString((System.nanoTime() - start) / 1_000_000));
        return;
      } catch (LiquibaseException e) {
        connection.rollback();
        if (!isLockedOut(e)) {
          throw e;
        }
        String way = TransactionsInTheWay.describe(connection, schema);
        if (System.nanoTime() - until >= 0) {
          throw new ReadpastException(
              "a change to the tables did not get its lock within readpast.start-grace, because"
                  + " of "
                  + way
                  + "; end this transaction, or wait for its end, and start the"
                  + " application again (changes that were applied stay applied)",
              e);
        }
        LOG.log(
            Level.WARNING,
            "READPAST-0028 a change to the tables waits for a lock, because of {0}; startup"
                + " tries again every 2 s until readpast.start-grace has passed. Let this"
                + " transaction finish, or end it with pg_terminate_backend",
            way);
      }
      sleep(BETWEEN_TRIES);
    }
  }

  private static boolean isLockedOut(Throwable e) {
    return Causes.of(e)
        .anyMatch(
            cause ->
                cause instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState()));
  }

  private static void sleep(Duration pause) {
    try {
      TimeUnit.MILLISECONDS.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReadpastException(
          "startup was interrupted while a change to the tables waited for its lock", e);
    }
  }

  private void validate(Connection connection, Liquibase liquibase)
      throws LiquibaseException, SQLException {
    // If the tables do not exist, the query below would make Liquibase create its own tables.
    if (!exists(connection)) {
      throw invalid("the tables do not exist" + place());
    }
    int missing = liquibase.listUnrunChangeSets(new Contexts(), new LabelExpression()).size();
    if (missing > 0) {
      throw invalid(missing + " changes to the tables are missing" + place());
    }
  }

  private String place() {
    return schema.name() == null ? "" : " in the schema '" + schema.name() + "'";
  }

  private static ReadpastException invalid(String what) {
    return new ReadpastException(
        what
            + ", and readpast.schema.auto is validate; apply liquibase/changelog.xml with"
            + " Liquibase, or set readpast.schema.auto=apply");
  }

  private void breakLeftLock(Connection connection, Liquibase liquibase)
      throws LiquibaseException, SQLException {
    if (!exists(connection)) {
      return;
    }
    for (DatabaseChangeLogLock lock : liquibase.listLocks()) {
      if (lock.getLockedBy() != null && lock.getLockedBy().contains(ENGINE)) {
        LOG.log(
            Level.WARNING,
            "READPAST-0005 the migration lock of {0} is removed, because its server died while"
                + " it held the lock",
            lock.getLockedBy());
        liquibase.forceReleaseLocks();
        return;
      }
    }
  }

  private boolean exists(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                schema.qualify("select to_regclass('" + LOCK_TABLE + "') is not null"))) {
      return row.next() && row.getBoolean(1);
    }
  }

  /**
   * Marks Liquibase's locks as those of the engine, to distinguish them from locks of a run by an
   * administrator. Liquibase reads this property once.
   */
  private static void signLocks() {
    if (System.getProperty("liquibase.hostDescription") == null) {
      System.setProperty("liquibase.hostDescription", ENGINE);
    }
  }
}
