package org.readpast.runtime;

import java.util.Map;
import java.util.logging.Level;
import liquibase.Scope;
import liquibase.changelog.ChangeSet;
import liquibase.changelog.ChangeSet.RunStatus;
import liquibase.changelog.DatabaseChangeLog;
import liquibase.changelog.visitor.AbstractChangeExecListener;
import liquibase.database.Database;
import liquibase.exception.LiquibaseException;
import liquibase.logging.Logger;
import liquibase.logging.core.AbstractLogService;
import liquibase.logging.core.AbstractLogger;
import liquibase.ui.LoggerUIService;
import org.jspecify.annotations.Nullable;

/**
 * Makes Liquibase log at FINE what it would otherwise log at INFO or print to the server's console.
 * Liquibase is designed for a command line, and prints at least one line for each change set.
 * {@link Schema} logs the important messages.
 */
final class LiquibaseOutput extends AbstractLogService {
  private static final System.Logger LOG = System.getLogger(Schema.class.getName());
  private static final long SLOW_MILLIS = 1_000;

  private LiquibaseOutput() {}

  /** Calls Liquibase. */
  interface Step {
    void run() throws Exception;
  }

  static void reduced(Step step) throws LiquibaseException {
    LoggerUIService ui = new LoggerUIService();
    ui.setStandardLogLevel(Level.FINE);
    Map<String, Object> scope =
        Map.of(Scope.Attr.ui.name(), ui, Scope.Attr.logService.name(), new LiquibaseOutput());
    try {
      Scope.child(scope, step::run);
    } catch (LiquibaseException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new LiquibaseException(e);
    }
  }

  @Override
  public int getPriority() {
    return PRIORITY_NOT_APPLICABLE;
  }

  @Override
  @SuppressWarnings("rawtypes") // The method of Liquibase has a raw type.
  public Logger getLog(Class source) {
    return new Reduced(source.getName());
  }

  private static final class Reduced extends AbstractLogger {
    private final java.util.logging.Logger log;

    Reduced(String name) {
      log = java.util.logging.Logger.getLogger(name);
    }

    @Override
    public void log(Level level, @Nullable String message, @Nullable Throwable thrown) {
      // Liquibase uses OFF, the highest of all levels, for messages that must appear regardless of
      // the configured level.
      boolean matters = level.intValue() > Level.INFO.intValue() && !level.equals(Level.OFF);
      log.log(matters ? level : Level.FINE, message, thrown);
    }
  }

  /** Logs the duration of each change set, at INFO if the change set takes a long time. */
  static final class Progress extends AbstractChangeExecListener {
    private long begun = System.nanoTime();

    @Override
    public void willRun(
        ChangeSet changeSet, DatabaseChangeLog changeLog, Database database, RunStatus status) {
      begun = System.nanoTime();
    }

    @Override
    public void ran(
        ChangeSet changeSet,
        DatabaseChangeLog changeLog,
        Database database,
        ChangeSet.ExecType outcome) {
      long millis = (System.nanoTime() - begun) / 1_000_000;
      LOG.log(
          millis >= SLOW_MILLIS ? System.Logger.Level.INFO : System.Logger.Level.DEBUG,
          "READPAST-0025 table change {0} was applied and took {1} ms",
          changeSet.getId(),
          Long.toString(millis));
    }
  }
}
