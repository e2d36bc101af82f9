package org.readpast.server.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;

/**
 * Represents a database whose servers run {@link EffectHandlers}. This class enqueues the jobs of
 * the handlers, and reads the outcomes of the jobs.
 */
public final class Effects {
  public static final String TRANSACTIONAL = "effect.transactional";
  public static final String LEASED = "effect.leased";
  public static final String REPORTING = "effect.reporting";

  /** Specifies, as a process id, that every server must hold the job. */
  public static final long ANY_SERVER = -1;

  private static final String PASSWORD = "effects";
  private final Database database;
  private int last;

  public Effects(Database database) {
    this.database = database;
    database.execute(
        """
        create table effect (
          type text not null, n int not null, server bigint not null,
          at timestamptz not null default clock_timestamp())
        """);
  }

  /** Returns a server with only Readpast and the handlers. */
  public ServerSpec server(String name) {
    return server(name, database);
  }

  /** Returns a server that reaches the database by another address. */
  public ServerSpec server(String name, Database way) {
    Path war = BuildDirectories.run(name + ".war");
    war.getParent().toFile().mkdirs();
    Deployments.readpast(EffectHandlers.class, Effects.class)
        .addClasses(EffectHandlers.class.getDeclaredClasses())
        .as(ZipExporter.class)
        .exportTo(war.toFile(), true);
    return ServerSpec.named(name, way)
        .withApplication("readpast", war)
        .withProperty("readpast.node.name", name)
        .withAdmin(PASSWORD);
  }

  /** Enqueues jobs in one request. */
  public void enqueue(
      ServerProcess server, String queue, String type, int jobs, String headers, Does does)
      throws IOException, InterruptedException {
    int first = last;
    last += jobs;
    var body =
        IntStream.rangeClosed(first + 1, last)
            .mapToObj(n -> json(type, n, headers, does))
            .collect(Collectors.joining(",", "[", "]"));
    var request =
        HttpRequest.newBuilder(server.uri("/readpast/api/queues/" + queue + "/jobs"))
            .timeout(Duration.ofMinutes(1))
            .header("Content-Type", "application/json")
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(("admin:" + PASSWORD).getBytes(UTF_8)))
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = Http.CLIENT.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  /** Enqueues jobs of a type to a separate queue, so that types do not compete for receivers. */
  public void enqueue(ServerProcess server, String type, int jobs, Does does)
      throws IOException, InterruptedException {
    enqueue(server, type, type, jobs, "", does);
  }

  /**
   * @see EffectHandlers.Behaviour
   */
  public record Does(long millis, long heldBy, long heldMillis) {
    public static Does sleep(long millis) {
      return new Does(millis, 0, 0);
    }

    /** Returns the behaviour of a short job that this server holds. */
    public static Does heldBy(ServerProcess server, Duration span) {
      return new Does(20, server.pid(), span.toMillis());
    }

    public static Does halt() {
      return new Does(0, ANY_SERVER, -1);
    }
  }

  private static String json(String type, int n, String headers, Does does) {
    return """
    {"type":"%s",%s"payload":{"n":%d,"behaviour":{"millis":%d,"heldBy":%d,"heldMillis":%d}}}"""
        .formatted(type, headers, n, does.millis(), does.heldBy(), does.heldMillis());
  }

  /** Returns the number of jobs enqueued so far. */
  public int enqueued() {
    return last;
  }

  public void awaitHeld(ServerProcess server, String type, int jobs) {
    Await.until(
        Duration.ofSeconds(20),
        jobs + " jobs of " + type + " held by " + server.spec().name(),
        () -> logged("held by " + server.pid() + " as " + type) >= jobs);
  }

  /**
   * Returns the number of jobs that a server owns, holds and has not released, and whose type
   * matches by SQL's LIKE.
   */
  public long stillHeld(ServerProcess server, String type) {
    return count(
        """
        select count(*) from readpast_log h
        where line like 'held by %1$d as %2$s' and not exists (
          select 1 from readpast_log g
          where g.job_id = h.job_id and g.attempt = h.attempt and g.line like '%%let go by %1$d')
          and exists (
          select 1 from readpast_job j
          where j.id = h.job_id and j.attempt = h.attempt and j.state = 'RUNNING')"""
            .formatted(server.pid(), type));
  }

  /** Returns the number of lines in job logs that match by SQL's LIKE. */
  public long logged(String pattern) {
    return count("select count(*) from readpast_log where line like '" + pattern + "'");
  }

  public void awaitAllEnded(Duration limit) {
    Await.until(
        limit,
        "end of " + last + " jobs",
        () -> count("select count(*) from readpast_job_history") == last);
  }

  /**
   * Checks that each job is COMPLETED, that no other job remains, and that each transactional job
   * left exactly one row.
   */
  public void assertCompletedOnce() {
    assertThat(column("select state || ' ' || count(*) from readpast_job_history group by state"))
        .containsExactly("COMPLETED " + last);
    assertThat(count("select count(*) from readpast_job")).isZero();
    assertThat(
            column(
                "select n || ': ' || count(*) from effect where type = '"
                    + TRANSACTIONAL
                    + "' group by n having count(*) <> 1"))
        .as("doubled transactional effects")
        .isEmpty();
    assertThat(count("select count(distinct n) from effect")).as("effects").isEqualTo(last);
  }

  public long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  public List<String> column(String sql) {
    return TestDatabase.column(database, sql);
  }
}
