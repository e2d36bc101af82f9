package org.readpast.example.demo;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;

/**
 * Creates the table of orders when first started, and enqueues jobs so that a visitor sees some
 * immediately.
 *
 * <p>The table and the jobs are created in one transaction, so the jobs exist if and only if the
 * table exists.
 */
@Singleton
@Startup
@DependsOn("EngineBoot")
public class DemoStart {
  // The lock is needed if two servers start concurrently.
  private static final String LOCK =
      "select pg_advisory_xact_lock(hashtext('org.readpast.example.demo'))";

  private static final String TABLE =
      """
      create table demo_order (
        id bigint generated always as identity primary key,
        item text not null,
        confirmed boolean not null
      )""";

  @Resource(lookup = "jdbc/readpast")
  private DataSource database;

  @Inject private JobQueue jobs;

  @PostConstruct
  void begin() {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(LOCK);
      if (isFirst(statement)) {
        statement.execute(TABLE);
        jobs.enqueue(JobRequest.of(Catalogue.REFRESH, "application/json", "{}").queue("catalogue"));
        jobs.enqueue(JobRequest.of(MonthEnd.BEGIN, "application/json", "{}").queue("closing"));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the table of the demo", e);
    }
  }

  private static boolean isFirst(Statement statement) throws SQLException {
    try (var rows = statement.executeQuery("select to_regclass('demo_order') is null")) {
      return rows.next() && rows.getBoolean(1);
    }
  }
}
