package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;
import org.readpast.support.TestPostgres;

/**
 * Tests a database crash that loses leases: commits of leases of transactional jobs do not wait for
 * the disk.
 */
class LostLeaseIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int JOBS = 120;
  private static final int CRASHES = 3;

  // With a long delay of the WAL writer, only other commits flush the write-ahead log to the disk.
  private final TestPostgres postgres = TestPostgres.durable("wal_writer_delay=10s");
  private final Database database = postgres.newDatabase();
  private final AtomicInteger starts = new AtomicInteger();
  private TestNode one;
  private TestNode two;

  @AfterEach
  void close() {
    one.close();
    two.close();
    postgres.process().stopImmediately();
  }

  private TestNode node(String name) {
    return new TestNode(database)
        .named(name, name)
        .lease(Duration.ofSeconds(3))
        .handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              TestNode node = name.equals("one") ? one : two;
              return work(node, context);
            });
  }

  private JobResult work(TestNode node, JobContext context) throws InterruptedException {
    starts.incrementAndGet();
    node.transactions()
        .entityManager()
        .createNativeQuery("insert into effect (job) values (" + context.id() + ")")
        .executeUpdate();
    TimeUnit.MILLISECONDS.sleep(100);
    return JobResult.done();
  }

  @Test
  void each_job_takes_effect_once_across_database_crashes() throws Exception {
    TestDatabase.migrate(database);
    database.execute("create table effect (job bigint not null)");
    one = node("one").start();
    two = node("two").start();
    one.enqueue(Collections.nCopies(JOBS, job("t")).toArray(NewJob[]::new));
    for (int crash = 0; crash < CRASHES; crash++) {
      int before = starts.get();
      Await.until(SOON, "jobs are running", () -> starts.get() > before + 10);
      postgres.process().stopImmediately();
      TimeUnit.MILLISECONDS.sleep(300);
      postgres.process().start();
    }
    Await.until(
        SOON,
        "all have ended",
        () -> {
          try {
            return count(database, "select count(*) from readpast_job_history") == JOBS;
          } catch (IllegalStateException e) {
            return false;
          }
        });

    assertThat(count(database, "select count(*) from effect")).isEqualTo(JOBS);
    assertThat(count(database, "select count(distinct job) from effect")).isEqualTo(JOBS);
    List<String> states = column(database, "select distinct state from readpast_job_history");
    assertThat(states).containsExactly("COMPLETED");
    assertThat(starts.get()).as("starts, some of them rolled back").isGreaterThan(JOBS);
  }
}
