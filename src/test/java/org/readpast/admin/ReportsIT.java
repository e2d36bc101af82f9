package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.Backoff;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests the webhook calls for jobs that were discarded or lost their owner. */
class ReportsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final RetryPolicy ONCE =
      new RetryPolicy(1, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of());

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).lease(Duration.ofSeconds(2));
  private final List<String> told = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    node.close();
  }

  private void fails(String type, ReceiveMode mode) {
    node.handles(
        type,
        mode,
        ONCE,
        SOON,
        (payload, context) -> {
          throw new IllegalArgumentException("a secret of the payload");
        });
  }

  private void hears(ReceiveMode mode, boolean fails) {
    node.handles(
        Reports.WEBHOOK,
        mode,
        ONCE,
        SOON,
        (payload, context) -> {
          told.add(payload);
          if (fails) {
            throw new IllegalStateException("the webhook is unreachable");
          }
          return JobResult.done();
        });
  }

  private void awaitDiscarded(int jobs) {
    Await.until(
        SOON,
        jobs + " dead letters",
        () ->
            count(database, "select count(*) from readpast_job_history where state = 'DISCARDED'")
                == jobs);
  }

  @Test
  void each_discarded_job_is_reported_once_without_its_content() {
    hears(ReceiveMode.LEASED, false);
    fails("transactional", ReceiveMode.TRANSACTIONAL);
    fails("leased", ReceiveMode.LEASED);
    node.start();
    long first = node.enqueue("transactional");
    long second = node.enqueue("leased");

    Await.until(SOON, "two reports", () -> told.size() == 2);
    awaitDiscarded(2);

    assertThat(told)
        .containsExactlyInAnyOrder(event(first, "transactional"), event(second, "leased"));
    // The endpoint receives a report shortly before the job of the report ends.
    Await.until(
        SOON, "no job is left", () -> count(database, "select count(*) from readpast_job") == 0);
  }

  private static String event(long job, String type) {
    return """
    {"event":"job.discarded","job":%d,"type":"%s","version":1,"queue":"q","state":"DISCARDED","attempt":1,\
    "kind":"FAILED","exception":"java.lang.IllegalArgumentException","ownersLost":0}"""
        .formatted(job, type);
  }

  @Test
  void failed_webhook_job_is_not_reported_itself() {
    hears(ReceiveMode.LEASED, true);
    fails("t", ReceiveMode.LEASED);
    node.start();
    node.enqueue("t");

    awaitDiscarded(2);

    assertThat(told).hasSize(1);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
  }

  @Test
  void no_report_is_enqueued_without_a_webhook() {
    fails("t", ReceiveMode.LEASED);
    node.start();
    node.enqueue("t");

    awaitDiscarded(1);

    assertThat(count(database, "select last_value from readpast_job_id")).isEqualTo(1);
  }

  @Test
  void lost_owner_is_reported_with_cause_and_count() {
    hears(ReceiveMode.LEASED, false);
    node.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done());
    TestDatabase.insertLeased(database, "select 4711");
    database.execute("insert into readpast_queue (name) values ('q')");
    node.start();

    Await.until(SOON, "the report", () -> told.size() == 1);

    assertThat(told.get(0))
        .startsWith(
            "{\"event\":\"job.released\",\"job\":1,\"type\":\"t\",\"version\":1,\"queue\":\"q\"")
        .contains("\"kind\":\"OWNER_LOST\"", "\"ownersLost\":1");
  }
}
