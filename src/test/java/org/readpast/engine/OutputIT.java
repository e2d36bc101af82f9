package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;
import org.readpast.support.TestPostgres;

/** Tests output of handlers, even if the database is unavailable or the node has lost the job. */
class OutputIT {
  private static final Duration SOON = Duration.ofSeconds(40);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch reporting = new CountDownLatch(1);
  private final CountDownLatch reported = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile RuntimeException thrown;
  private Database database;
  private TestNode node;

  @AfterEach
  void close() {
    reporting.countDown();
    end.countDown();
    node.close();
  }

  private long start(Database newDatabase, ReceiveMode mode, int lines) {
    database = newDatabase;
    node = new TestNode(database);
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              if (context.attempt() == 1) {
                work(context, lines);
              }
              return JobResult.done();
            })
        .start();
    long job = node.enqueue("t");
    Await.until(SOON, () -> begun.getCount() == 0);
    return job;
  }

  private void work(JobContext context, int lines) throws InterruptedException {
    context.log("before");
    begun.countDown();
    reporting.await();
    try {
      for (int i = 1; i <= lines; i++) {
        context.log("line " + i);
        context.progress(i, lines);
      }
    } catch (RuntimeException e) {
      thrown = e;
    }
    reported.countDown();
    end.await();
    context.log("after");
  }

  private void report() {
    reporting.countDown();
    Await.until(SOON, () -> reported.getCount() == 0);
    assertThat(thrown).isNull();
  }

  private static Database tables(TestPostgres postgres) {
    Database database = postgres.newDatabase();
    TestDatabase.migrate(database);
    return database;
  }

  private List<String> lines() {
    return column(database, "select attempt || ' ' || line from readpast_log order by id");
  }

  private void awaitCompleted(long job) {
    Await.until(SOON, () -> TestDatabase.stateOf(database, job).equals("COMPLETED"));
  }

  @Test
  void output_during_an_outage_is_bounded_and_stored_while_the_handler_runs() {
    TestPostgres postgres = TestPostgres.durable();
    int most = OutputBuffer.MOST_LINES;
    long job = start(tables(postgres), ReceiveMode.LEASED, most + 7);
    postgres.process().stopImmediately();
    report();
    postgres.process().start();
    Await.until(SOON, () -> lines().size() > 1);
    List<String> expected = new ArrayList<>(List.of("1 before"));
    IntStream.rangeClosed(1, most).forEach(i -> expected.add("1 line " + i));
    expected.add("1 7 lines were dropped here, because the database was unavailable for too long");
    assertThat(lines()).containsExactlyElementsOf(expected);
    assertThat(value(database, "select done || '/' || total from readpast_progress"))
        .isEqualTo("1007/1007");
    assertThat(
            count(
                database,
                "select count(*) from readpast_log where logged_at >= pg_postmaster_start_time()"))
        .as("lines with the time at which they were stored")
        .isZero();
    end.countDown();
    awaitCompleted(job);
    expected.add("1 after");
    assertThat(lines()).containsExactlyElementsOf(expected);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void output_of_a_handler_that_ends_in_an_outage_is_stored_with_its_end(ReceiveMode mode) {
    TestPostgres postgres = TestPostgres.durable();
    long job = start(tables(postgres), mode, 3);
    postgres.process().stopImmediately();
    report();
    end.countDown();
    Await.until(SOON, () -> !node.engine().databaseReachable());
    postgres.process().start();
    awaitCompleted(job);
    assertThat(lines()).containsExactly("1 before", "1 line 1", "1 line 2", "1 line 3", "1 after");
    assertThat(value(database, "select done || '/' || total from readpast_progress"))
        .isEqualTo("3/3");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void stale_owner_cannot_report(ReceiveMode mode) {
    start(TestDatabase.withTables(), mode, 3);
    database.execute("update readpast_job set claim_no = claim_no + 1");
    report();
    assertThat(lines()).containsExactly("1 before");
    assertThat(count(database, "select count(*) from readpast_progress")).isZero();
  }

  @Test
  void only_the_line_that_the_database_refuses_is_dropped() {
    Database refusing = TestDatabase.withTables();
    refusing.execute("alter table readpast_log add constraint refused check (line <> 'line 2')");
    long job = start(refusing, ReceiveMode.LEASED, 3);
    report();
    end.countDown();
    awaitCompleted(job);
    assertThat(lines()).containsExactly("1 before", "1 line 1", "1 line 3", "1 after");
  }
}
