package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;

/** Holds a database whose servers run {@link TimedHandlers}, and the records of the handlers. */
final class Executions {
  private static final String PASSWORD = "executions";

  private final Database database;

  Executions(Database database) {
    this.database = database;
    database.execute(
        """
        create table execution (
          name text not null, attempt int not null, server bigint not null,
          began timestamptz not null, ended timestamptz not null, failed boolean not null)
        """);
  }

  /** Describes one attempt of a job. */
  record Attempt(String name, int number, Instant began, Instant ended, boolean failed) {
    Duration took() {
      return Duration.between(began, ended);
    }
  }

  /** Returns the WAR of Readpast with the handlers added. */
  ServerSpec server(String name) {
    Path war = BuildDirectories.run(name + ".war");
    war.getParent().toFile().mkdirs();
    Deployments.readpast(TimedHandlers.class)
        .addClasses(TimedHandlers.class.getDeclaredClasses())
        .as(ZipExporter.class)
        .exportTo(war.toFile(), true);
    return ServerSpec.named(name, database)
        .withApplication("readpast", war)
        .withProperty("readpast.node.name", name)
        .withAdmin(PASSWORD);
  }

  /** Enqueues jobs, given as JSON objects, in one request. */
  void enqueue(ServerProcess server, String queue, List<String> jobs) {
    var answer =
        new RestApi(server, "admin:" + PASSWORD)
            .post("/queues/" + queue + "/jobs", "[" + String.join(",", jobs) + "]");
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
  }

  void awaitAllEnded(Duration limit) {
    Await.until(
        limit, "the end of all jobs", () -> count("select count(*) from readpast_job") == 0);
  }

  long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  /** Returns the attempts of each job, in their order. */
  Map<String, List<Attempt>> byName() throws SQLException {
    Map<String, List<Attempt>> all = new HashMap<>();
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select name, attempt, began, ended, failed from execution order by name, attempt")) {
      while (rows.next()) {
        Attempt attempt =
            new Attempt(
                rows.getString(1),
                rows.getInt(2),
                rows.getObject(3, OffsetDateTime.class).toInstant(),
                rows.getObject(4, OffsetDateTime.class).toInstant(),
                rows.getBoolean(5));
        all.computeIfAbsent(attempt.name(), name -> new ArrayList<>()).add(attempt);
      }
    }
    return all;
  }

  /** Returns the times from enqueue to first start in ms, shortest first. */
  List<Long> latencies(String names) {
    return TestDatabase.column(
            database,
            """
            select cast(extract(epoch from e.began - h.enqueued_at) * 1000 as bigint)
            from execution e join readpast_job_history h on h.payload ->> 'name' = e.name
            where e.attempt = 1 and e.name like '%s' order by 1"""
                .formatted(names))
        .stream()
        .map(Long::valueOf)
        .toList();
  }

  static Instant began(List<Attempt> attempts) {
    return attempts.get(0).began();
  }

  static Instant ended(List<Attempt> attempts) {
    return attempts.get(attempts.size() - 1).ended();
  }

  /** Checks that every job has completed, and that no transaction deadlocked. */
  void assertAllWell(int jobs) {
    assertThat(count("select count(*) from readpast_job_history where state = 'COMPLETED'"))
        .isEqualTo(jobs);
    assertThat(count("select count(*) from readpast_job_history")).isEqualTo(jobs);
    assertThat(count("select deadlocks from pg_stat_database where datname = current_database()"))
        .isZero();
    assertThat(count("select count(*) from readpast_dependency_event")).isZero();
    assertThat(count("select count(*) from readpast_predecessor")).isZero();
  }
}
