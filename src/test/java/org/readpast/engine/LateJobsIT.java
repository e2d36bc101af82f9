package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.store.JobAdmin;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LogLines;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests that jobs which appear behind the mark of a queue with a backlog are still found within two
 * seconds.
 */
class LateJobsIT {
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  private final Set<Long> done = ConcurrentHashMap.newKeySet();
  private final Set<Long> failing = ConcurrentHashMap.newKeySet();
  private final CountDownLatch end = new CountDownLatch(1);
  private Database database;
  private TestNode node;

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database).concurrency(2);
  }

  @AfterEach
  void closeNode() {
    end.countDown();
    node.close();
  }

  /**
   * Starts with a queue that is never empty, with many more jobs of 5 ms than the node can process.
   */
  private void startWithBacklog(ReceiveMode mode) {
    database.execute("insert into readpast_queue (name) values ('q') on conflict do nothing");
    insert("nextval('readpast_position')", 4, 20_000);
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              if (failing.remove(context.id())) {
                throw new IllegalStateException("once");
              }
              done.add(context.id());
              end.await(5, TimeUnit.MILLISECONDS);
              return JobResult.done();
            })
        .start();
    Await.until(Duration.ofSeconds(20), "the mark has risen", () -> done.size() > 600);
  }

  private static String insertion(String position, int priority, int jobs) {
    return """
        insert into readpast_job (queue, type, state, priority, position, available_at, payload)
        select 'q', 't', 'AVAILABLE', %d, %s, clock_timestamp(), '{}' from generate_series(1, %d)"""
        .formatted(priority, position, jobs);
  }

  private void insert(String position, int priority, int jobs) {
    database.execute(insertion(position, priority, jobs));
  }

  private long lastId() {
    return TestDatabase.count(database, "select last_value from readpast_job_id");
  }

  private long nextId() {
    return lastId() + 1;
  }

  private void awaitDone(long id) {
    Await.until(TWO_SECONDS, "job " + id + " is picked up", () -> done.contains(id));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_that_commits_late_with_an_earlier_position_is_found(ReceiveMode mode) throws Exception {
    database.execute("insert into readpast_queue (name) values ('q')");
    try (Connection slow = database.connect();
        var statement = slow.createStatement()) {
      slow.setAutoCommit(false);
      statement.execute(insertion("nextval('readpast_position')", 4, 1));
      long late = lastId();
      database.execute("delete from readpast_queue");
      startWithBacklog(mode);
      Await.until(
          Duration.ofSeconds(10), "other jobs have overtaken it", () -> done.size() > 1_200);
      assertThat(done).doesNotContain(late);
      slow.commit();
      awaitDone(late);
    }
  }

  @Test
  void job_of_a_prepared_transaction_that_commits_late_is_found() throws Exception {
    database.execute("insert into readpast_queue (name) values ('q')");
    try (Connection slow = database.connect();
        var statement = slow.createStatement()) {
      slow.setAutoCommit(false);
      statement.execute(insertion("nextval('readpast_position')", 4, 1));
      long late = lastId();
      statement.execute("prepare transaction 'late'");
      slow.commit();
      slow.setAutoCommit(true);
      database.execute("delete from readpast_queue");
      startWithBacklog(ReceiveMode.TRANSACTIONAL);
      Await.until(
          Duration.ofSeconds(10), "other jobs have overtaken it", () -> done.size() > 1_200);
      assertThat(done).doesNotContain(late);
      statement.execute("commit prepared 'late'");
      awaitDone(late);
    }
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_of_a_higher_priority_from_another_node_is_found(ReceiveMode mode) {
    startWithBacklog(mode);
    insert("nextval('readpast_position')", 7, 1);
    awaitDone(lastId());
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_that_is_retried_is_found(ReceiveMode mode) {
    startWithBacklog(mode);
    long failed = nextId();
    failing.add(failed);
    insert("nextval('readpast_position')", 7, 1);
    awaitDone(failed);
    assertThat(
            TestDatabase.count(
                database, "select count(*) from readpast_failure where job_id = " + failed))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_that_is_reset_is_found(ReceiveMode mode) {
    startWithBacklog(mode);
    insert("nextval('readpast_position')", 7, 1);
    long ended = lastId();
    awaitDone(ended);
    Await.until(
        TWO_SECONDS,
        "it is in the history",
        () ->
            TestDatabase.count(
                    database, "select count(*) from readpast_job_history where id = " + ended)
                == 1);
    database.execute("update readpast_job_history set state = 'DISCARDED' where id = " + ended);
    done.remove(ended);
    var admin = new JobAdmin(node.transactions());
    assertThat(node.transactions().requiresNew(() -> admin.reset(List.of(ended), false)))
        .hasSize(1);
    awaitDone(ended);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_that_another_node_released_at_its_position_is_found(ReceiveMode mode) throws Exception {
    database.execute("insert into readpast_queue (name) values ('q')");
    insert("nextval('readpast_position')", 4, 1);
    long held = lastId();
    try (Connection other = database.connect();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1 from readpast_job where id = " + held + " for update");
      database.execute("delete from readpast_queue");
      startWithBacklog(mode);
      assertThat(done).doesNotContain(held);
      other.rollback();
      database.execute(
          "insert into readpast_release (queue, type, priority, position)"
              + " select queue, type, priority, position from readpast_job where id = "
              + held);
      awaitDone(held);
    }
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_whose_cancellation_is_rolled_back_is_found(ReceiveMode mode) throws Exception {
    insert("nextval('readpast_position')", 4, 1);
    long cancelled = lastId();
    try (TestNode other = new TestNode(database).notifiesOtherNodes().start()) {
      var admin = new JobAdmin(other.transactions(), other.engine().signals());
      assertThat(
              other
                  .transactions()
                  .inHandlerTransaction(
                      TWO_SECONDS,
                      () -> {
                        admin.cancel(cancelled);
                        startWithBacklog(mode);
                        assertThat(done).doesNotContain(cancelled);
                        return false;
                      }))
          .isFalse();
      Await.until(
          Duration.ofSeconds(5), "the cancelled job is picked up", () -> done.contains(cancelled));
    }
  }

  @Test
  void job_whose_first_announcement_failed_is_found() throws Exception {
    AtomicBoolean unavailable = new AtomicBoolean();
    startWithBacklog(ReceiveMode.LEASED);
    long cancelled = lastId() - 18_000;
    try (TestNode other = new TestNode(database).start();
        LogLines log = new LogLines("org.readpast.engine")) {
      other
          .transactions()
          .watchedBy(
              () -> {
                if (unavailable.get()) {
                  throw new IllegalStateException(new SQLException("is recovering", "57P03"));
                }
              });
      var admin = new JobAdmin(other.transactions(), other.engine().signals());
      other
          .transactions()
          .inHandlerTransaction(
              TWO_SECONDS,
              () -> {
                assertThat(admin.cancel(cancelled).from()).isEqualTo(JobState.AVAILABLE);
                Await.until(
                    Duration.ofSeconds(30),
                    "the mark is above the job",
                    () -> done.stream().filter(id -> id > cancelled).count() > 600);
                unavailable.set(true);
                return false;
              });
      Await.until(
          Duration.ofSeconds(10),
          "the announcement has failed",
          () -> log.count("READPAST-0083") > 0);
      assertThat(done).doesNotContain(cancelled);
      unavailable.set(false);
      Await.until(Duration.ofSeconds(10), "the job is picked up", () -> done.contains(cancelled));
    }
  }
}
