package org.readpast.benchmark;

import java.util.concurrent.Callable;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Counts the statements and commits in one database, and the write-ahead log that PostgreSQL writes
 * for them.
 */
final class Meter {
  /** Specifies the setting that PostgreSQL requires for counting statements. */
  static final String SETTING = "shared_preload_libraries=pg_stat_statements";

  // An idle connection reports its commits after ten seconds.
  private static final long FLUSH_MILLIS = 11_000;

  private final Database superuser;
  private final Database database;

  Meter(TestPostgres postgres, Database database) {
    superuser = postgres.superuser();
    this.database = database;
    superuser.execute("create extension if not exists pg_stat_statements");
    // The statistics are off by default, so that other measures are not slowed down.
    set("pg_stat_statements.track = 'none'");
  }

  /** Holds the counts of one period; BEGIN and COMMIT do not count as statements. */
  record Reading(double statements, double commits, double walBytes) {
    Reading by(double number) {
      return new Reading(statements / number, commits / number, walBytes / number);
    }
  }

  /**
   * Returns the counts for the time in which the given step runs. The period starts just after a
   * checkpoint, so that the first change of each page writes the whole page. Autovacuum is off,
   * because it writes at arbitrary times.
   */
  Reading during(Callable<?> work) throws Exception {
    set("autovacuum = off", "pg_stat_statements.track = 'top'");
    try {
      superuser.execute("checkpoint");
      superuser.execute("select pg_stat_statements_reset()");
      double commits = commits();
      double walBytes = walBytes();
      work.call();
      double statements = statements();
      double written = walBytes() - walBytes;
      awaitCommitsKnown();
      return new Reading(statements, commits() - commits, written);
    } finally {
      set("autovacuum = on", "pg_stat_statements.track = 'none'");
    }
  }

  /**
   * Waits until idle connections have reported their commits, which would otherwise be counted in
   * the next period.
   */
  private static void awaitCommitsKnown() throws InterruptedException {
    Thread.sleep(FLUSH_MILLIS);
  }

  private void set(String... settings) {
    for (String setting : settings) {
      superuser.execute("alter system set " + setting);
    }
    superuser.execute("select pg_reload_conf()");
  }

  private double statements() {
    return number(
        """
        select coalesce(sum(calls), 0) from pg_stat_statements s
        join pg_database d on d.oid = s.dbid and d.datname = '%s'
        join pg_roles r on r.oid = s.userid and r.rolname = '%s'
        where query not in ('BEGIN', 'COMMIT')"""
            .formatted(name(), database.user()));
  }

  private double commits() {
    return number("select xact_commit from pg_stat_database where datname = '" + name() + "'");
  }

  private double walBytes() {
    return number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }

  private double number(String sql) {
    return Double.parseDouble(TestDatabase.value(superuser, sql));
  }

  private String name() {
    return database.url().substring(database.url().lastIndexOf('/') + 1);
  }
}
