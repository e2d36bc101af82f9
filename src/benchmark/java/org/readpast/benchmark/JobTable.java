package org.readpast.benchmark;

import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Accesses Readpast's jobs by SQL, which creates millions of them faster, and can remove all of
 * them.
 */
final class JobTable {
  private static final int TEXT = 80;

  private final TestPostgres postgres;
  private final Database database;

  JobTable(TestPostgres postgres, Database database) {
    this.postgres = postgres;
    this.database = database;
  }

  /** Adds jobs as if another producer had enqueued them long ago. */
  void prefill(String queue, String type, int jobs) {
    fill(queue, type, jobs);
    vacuum();
  }

  void fill(String queue, String type, int jobs) {
    fill(queue, type, jobs, TEXT);
  }

  /** Adds jobs whose payload has a string of the given number of characters. */
  void fill(String queue, String type, int jobs, int text) {
    insert(
        "queue, type, priority, state, position, available_at, payload",
        "'%s', '%s', 4, 'AVAILABLE', nextval('readpast_position'), now(), %s"
            .formatted(queue, type, payload(text)),
        jobs);
  }

  /** Adds jobs that are not due before tomorrow, each of them the first job of a group. */
  void fillScheduled(String queue, String type, int jobs) {
    insert(
        "queue, type, priority, state, available_at, group_key, payload",
        "'%s', '%s', 4, 'SCHEDULED', now() + interval '1 day' + i * interval '1 second', 'g' || i, %s"
            .formatted(queue, type, payload(TEXT)),
        jobs);
  }

  /** Adds jobs that wait for the first of the given groups. */
  void fillBlocked(String queue, String type, int jobs, int groups) {
    insert(
        "queue, type, priority, state, waits_for, available_at, group_key, payload",
        "'%s', '%s', 4, 'BLOCKED', 'GROUP', now(), 'g' || (1 + i %% %d), %s"
            .formatted(queue, type, groups, payload(TEXT)),
        jobs);
  }

  private void insert(String columns, String values, int jobs) {
    database.execute(
        "insert into readpast_job (%s) select %s from generate_series(1, %d) i"
            .formatted(columns, values, jobs));
  }

  private static String payload(int text) {
    return "cast('{\"sentAt\":0,\"text\":\"' || repeat('x', " + text + ") || '\"}' as json)";
  }

  /** Writes all changed pages to the disk, so that no checkpoint does so during a measurement. */
  void vacuum() {
    database.execute("vacuum analyze readpast_job");
    postgres.superuser().execute("checkpoint");
  }

  void clear() {
    database.execute("truncate readpast_job");
    database.execute("vacuum analyze readpast_job");
  }

  long left(String queue) {
    return count("queue = '" + queue + "'");
  }

  /** Returns true if Readpast has resolved the dependencies of all jobs. */
  boolean allResolved() {
    return count("unseen") == 0
        && TestDatabase.count(database, "select count(*) from readpast_dependency_event") == 0;
  }

  long count(String condition) {
    return TestDatabase.count(database, "select count(*) from readpast_job where " + condition);
  }
}
