package org.readpast.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.JobControl;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.HandlerDefinition;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests several applications on one database that have different retentions for their ended jobs.
 */
class RetentionIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final HandlerDefinition.Work WORKS = (payload, context) -> JobResult.done();
  private static final HandlerDefinition.Work FAILS =
      (payload, context) -> JobResult.failNow("never");

  private final Database database = TestDatabase.withTables();
  private final List<TestNode> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(TestNode::close);
  }

  private TestNode application(String name) {
    TestNode node = new TestNode(database).named(name, name);
    nodes.add(node);
    return node;
  }

  private static NewJob job(String queue, String type) {
    return new NewJob(
        queue, type, 4, null, null, null, null, null, null, null, null, "{\"secret\":1}");
  }

  private void awaitEnded(int jobs) {
    Await.until(
        SOON,
        jobs + " have ended",
        () -> count(database, "select count(*) from readpast_job_history") == jobs);
  }

  /** Returns the number of days for which each ended job is kept. */
  private List<String> kept() {
    return column(
        database,
        """
        select queue || ' ' || type || ' ' || state || ' '
          || round(extract(epoch from kept_until - ended_at) / 86400)
        from readpast_job_history order by id""");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void retention_comes_from_the_type_then_the_queue_then_the_state(ReceiveMode mode) {
    TestNode node =
        application("a")
            .keeps(JobState.COMPLETED, Duration.ofDays(7))
            .keeps(JobState.DISCARDED, Duration.ofDays(90))
            .keepsOfQueue("long", JobState.COMPLETED, Duration.ofDays(30))
            .keepsOfQueue("long", JobState.DISCARDED, Duration.ofDays(300))
            .keepsOfType("short", JobState.COMPLETED, Duration.ofDays(1))
            .keepsOfType("fails", JobState.DISCARDED, Duration.ofDays(60))
            .handles("plain", mode, WORKS)
            .handles("short", mode, WORKS)
            .handles("fails", mode, FAILS)
            .start();
    node.enqueue(
        job("q", "plain"),
        job("long", "plain"),
        job("long", "short"),
        job("q", "fails"),
        job("long", "fails"));
    awaitEnded(5);

    assertThat(kept())
        .containsExactly(
            "q plain COMPLETED 7",
            "long plain COMPLETED 30",
            "long short COMPLETED 1",
            "q fails DISCARDED 60",
            "long fails DISCARDED 60");
  }

  @Test
  void application_with_shorter_retention_does_not_remove_jobs_of_another_application() {
    TestNode patient =
        application("patient")
            .keeps(JobState.COMPLETED, Duration.ofDays(400))
            .keeps(JobState.DISCARDED, Duration.ofDays(400))
            .handles("works", ReceiveMode.LEASED, WORKS)
            .handles("fails", ReceiveMode.LEASED, FAILS)
            .start();
    patient.enqueue(job("q", "works"), job("q", "fails"));
    awaitEnded(2);
    database.execute("update readpast_job_history set ended_at = now() - interval '100 days'");

    TestNode hasty =
        application("hasty")
            .keeps(JobState.COMPLETED, Duration.ofMillis(1))
            .keeps(JobState.DISCARDED, Duration.ofMillis(1))
            .handles("hasty", ReceiveMode.LEASED, WORKS)
            .start();
    hasty.enqueue(job("q", "hasty"));
    Await.until(
        SOON,
        "the end of its own job",
        () -> count(database, "select count(*) from readpast_job") == 0);
    prune(hasty);

    assertThat(column(database, "select type from readpast_job_history order by type"))
        .containsExactly("fails", "works");
  }

  private static void prune(TestNode node) {
    node.transactions().autoCommit(() -> new RetentionStore(node.transactions()).prune(100));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void payload_without_retention_is_deleted_on_success_and_kept_on_failure(ReceiveMode mode) {
    TestNode node =
        application("a")
            .forgetsPayloadOf("works")
            .forgetsPayloadOf("fails")
            .handles("works", mode, WORKS)
            .handles("fails", mode, FAILS)
            .handles("other", mode, WORKS)
            .start();
    node.enqueue(job("q", "works"), job("q", "fails"), job("q", "other"));
    awaitEnded(3);

    assertThat(
            column(
                database,
                "select type || ' ' || coalesce(cast(payload as text), 'gone')"
                    + " from readpast_job_history order by id"))
        .containsExactly("works gone", "fails {\"secret\":1}", "other {\"secret\":1}");
  }

  @Test
  void cancelled_job_is_kept_for_the_time_of_the_cancelling_application() {
    TestNode node =
        application("a")
            .keeps(JobState.CANCELLED, Duration.ofDays(90))
            .keepsOfQueue("long", JobState.CANCELLED, Duration.ofDays(300))
            .keepsOfType("t", JobState.CANCELLED, Duration.ofDays(5))
            .start();
    JobControl control = new JobControl(node.transactions(), node.engine().signals(), node.audit());
    node.enqueue(job("q", "none"), job("long", "none"), job("long", "t"))
        .forEach(enqueued -> control.cancel(enqueued.id()));

    assertThat(kept())
        .containsExactly("q none CANCELLED 90", "long none CANCELLED 300", "long t CANCELLED 5");
  }

  @Test
  void audit_is_kept_for_the_longest_retention_of_any_node() {
    application("strict").keepsAudit(Duration.ofDays(365)).start();
    TestNode hasty = application("hasty").keepsAudit(Duration.ofDays(1)).start();
    database.execute(
        """
        insert into readpast_audit (at, who, action, target, detail) values
          (now() - interval '364 days', 'w', 'job.cancel', 'kept', '{}'),
          (now() - interval '366 days', 'w', 'job.cancel', 'gone', '{}')""");

    hasty.transactions().autoCommit(() -> new RetentionStore(hasty.transactions()).pruneAudit(9));

    assertThat(column(database, "select target from readpast_audit where who = 'w'"))
        .containsExactly("kept");
  }

  private void storeExpired(int jobs) {
    database.execute(
        """
        insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes,
          priority, state, queue, type, payload, kept_until)
        select nextval('readpast_job_id'), now(), now(), 1, 1, 0, 0, 4, 'COMPLETED', 'q', 't', '{}', now()
        from generate_series(1, %d)"""
            .formatted(jobs));
  }

  private long stored() {
    return count(database, "select count(*) from readpast_job_history");
  }

  @Test
  void next_run_continues_a_run_that_has_deleted_jobs_for_two_seconds() {
    storeExpired(1);
    TestNode node = application("a").start();
    Await.until(SOON, "the end of the first run of the node itself", () -> stored() == 0);
    database.execute(
        """
        create function wait_for_disk() returns trigger language plpgsql as $$
          begin perform pg_sleep(2.1); return null; end $$;
        create trigger wait_for_disk after delete on readpast_job_history
          for each statement execute function wait_for_disk()""");
    storeExpired(1_001);
    Retention retention = node.retention();

    retention.run();
    assertThat(stored()).isEqualTo(1);

    retention.run();
    assertThat(stored()).isZero();
  }

  @Test
  void releases_from_before_the_clock_was_set_back_are_removed() {
    TestNode node = application("a");
    database.execute(
        """
        insert into readpast_release (queue, type, priority, position, released_at) values
          ('q', 't', 4, 1, clock_timestamp() - interval '2 minutes'),
          ('q', 't', 4, 2, clock_timestamp()),
          ('q', 't', 4, 3, clock_timestamp() + interval '1 hour')""");

    node.transactions()
        .requiresNew(
            () -> {
              new RetentionStore(node.transactions()).pruneOperations(Duration.ofDays(7));
              return true;
            });

    assertThat(column(database, "select position from readpast_release")).containsExactly("2");
  }
}
