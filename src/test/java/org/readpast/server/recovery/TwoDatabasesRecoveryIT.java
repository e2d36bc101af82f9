package org.readpast.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Command;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Kills a server in the middle of a commit to two databases, and checks that after its restart it
 * resolves both in-doubt transactions in the same way.
 */
class TwoDatabasesRecoveryIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long GATE = 4711;

  private final TestPostgres postgres = TestPostgres.shared();
  private final Database queue = postgres.newDatabase();
  private final Database business = postgres.newDatabase();
  private ServerProcess server;

  @BeforeEach
  void start() {
    business.execute("create table business_note (note text not null)");
    Path war = BuildDirectories.run("two-databases.war");
    Deployments.configured(
            Deployments.application("two-databases", TwoDatabasesServlet.class),
            "readpast.datasource=jdbc/readpast-xa")
        .as(ZipExporter.class)
        .exportTo(war.toFile(), true);
    server =
        ServerProcess.of(
            ServerSpec.named("two-databases-" + System.nanoTime(), queue)
                .withXa(business)
                .withApplication("two", war)
                .withReadyPath(
                    System.getProperty("readpast.server").equals("payara")
                        ? "/"
                        : "/health/started"));
    server.start();
    Await.until(LIMIT, "the first order", () -> order("first").get() == 200);
    gate(queue, "readpast_job");
    gate(business, "business_note");
  }

  /**
   * Creates the functions and triggers of the gate. Deferred triggers run when a transaction is
   * prepared.
   */
  private static void gate(Database database, String table) {
    database.execute(
        """
        create function wait_at_gate() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock_shared(4711);
          return null;
        end $$""");
    database.execute(
        "create constraint trigger gate after insert on "
            + table
            + " deferrable initially deferred for each row execute function wait_at_gate()");
  }

  /** Returns a connection that keeps the gate of one database closed as long as it is open. */
  private static Connection closed(Database database) throws SQLException {
    Connection connection = database.connect();
    try (var statement = connection.createStatement()) {
      statement.execute("select pg_advisory_lock(" + GATE + ")");
    }
    return connection;
  }

  /**
   * Begins an order, and lets only the first database prepare its transaction; returns the gate of
   * the other one.
   */
  private Connection firstPrepared(String mark) throws SQLException {
    Connection ofQueue = closed(queue);
    Connection ofBusiness = closed(business);
    order(mark);
    String waiting =
        "select d.datname from pg_locks l join pg_database d on d.oid = l.database where l.locktype"
            + " = 'advisory' and l.objid = "
            + GATE
            + " and not l.granted";
    Await.until(
        LIMIT,
        "a transaction at the first gate",
        () -> TestDatabase.column(postgres.superuser(), waiting).size() == 1);
    boolean queueFirst =
        queue.url().endsWith("/" + TestDatabase.value(postgres.superuser(), waiting));
    (queueFirst ? ofQueue : ofBusiness).close();
    Await.until(LIMIT, "the prepared transaction of the first database", () -> inDoubt() == 1);
    return queueFirst ? ofBusiness : ofQueue;
  }

  @AfterEach
  void end() {
    if (server != null && server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void crash_before_the_commit_decision_leaves_neither_row_nor_job() throws Exception {
    try (Connection gate = firstPrepared("early")) {
      server.kill();
      // The backend of the other database, which has not noticed the crash, prepares its
      // transaction.
    }
    Await.until(LIMIT, "both transactions in doubt", () -> inDoubt() == 2);
    server.start();
    Await.until(LIMIT, "no transaction in doubt", () -> inDoubt() == 0);
    assertThat(jobsAndRows("early")).isEqualTo("0 0");
  }

  @Test
  void crash_after_the_commit_decision_keeps_row_and_job() throws Exception {
    String backend;
    try (Connection gate = firstPrepared("late")) {
      backend =
          TestDatabase.value(
              postgres.superuser(),
              "select pid from pg_stat_activity where query ilike 'prepare transaction%' and state"
                  + " = 'idle'");
      Command.signal("STOP", backend);
    }
    Await.until(
        LIMIT,
        "the decision",
        () ->
            TestDatabase.count(
                    postgres.superuser(),
                    "select count(*) from pg_prepared_xacts where prepared < clock_timestamp() -"
                        + " interval '3 seconds'")
                == inDoubt());
    server.kill();
    TestDatabase.value(postgres.superuser(), "select pg_terminate_backend(" + backend + ")");
    Command.signal("CONT", backend);
    Await.until(
        LIMIT,
        "its end",
        () ->
            TestDatabase.count(
                    postgres.superuser(),
                    "select count(*) from pg_stat_activity where pid = " + backend)
                == 0);
    assertThat(inDoubt()).isPositive();
    server.start();
    Await.until(LIMIT, "no transaction in doubt", () -> inDoubt() == 0);
    assertThat(jobsAndRows("late")).isEqualTo("1 1");
  }

  private String jobsAndRows(String mark) {
    return TestDatabase.value(
            queue, "select count(*) from readpast_job where correlation_id = '" + mark + "'")
        + " "
        + TestDatabase.value(
            business, "select count(*) from business_note where note = '" + mark + "'");
  }

  private long inDoubt() {
    return TestDatabase.count(postgres.superuser(), "select count(*) from pg_prepared_xacts");
  }

  private CompletableFuture<Integer> order(String mark) {
    return Http.CLIENT
        .sendAsync(
            HttpRequest.newBuilder(server.uri("/two/order?mark=" + mark))
                .timeout(Duration.ofMinutes(1))
                .POST(BodyPublishers.noBody())
                .build(),
            BodyHandlers.discarding())
        .thenApply(answer -> answer.statusCode());
  }
}
