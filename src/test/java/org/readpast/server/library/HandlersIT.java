package org.readpast.server.library;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.admin.JobControl;
import org.readpast.api.FailNowException;
import org.readpast.api.JobContext;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.RetryLaterException;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Payloads.Colour;
import org.readpast.server.app.Payloads.Line;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;
import org.readpast.support.Await;

/**
 * Tests that handlers of every kind are found and called, and that their results, progress and logs
 * are stored.
 */
@ExtendWith(ArquillianExtension.class)
class HandlersIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject JobQueue jobs;
  @Inject JobControl control;
  @Inject Rows rows;
  @Inject Script script;

  private String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive("handlers", HandlersIT.class);
  }

  @Test
  void record_reaches_the_handler_unchanged() {
    var full =
        new Payloads.ToBean(
            mark,
            -7,
            new Line("nüt \"1\"\n☃", new BigDecimal("12345678901234567890.0123456789")),
            List.of(new Line("a", BigDecimal.ONE), new Line("b", new BigDecimal("2.50"))),
            Map.of("x", new BigDecimal("0.10"), "y", BigDecimal.TEN),
            Instant.parse("2026-03-29T01:02:03.123456789Z"),
            UUID.randomUUID(),
            Duration.ofSeconds(90, 5),
            Colour.GREEN,
            null);
    var bare = new Payloads.ToBean(mark, 0, null, null, null, null, null, null, null, null);
    rows.awaitState(jobs.enqueue(full).id(), "COMPLETED");
    rows.awaitState(jobs.enqueueAll(List.of(bare)).get(0).id(), "COMPLETED");
    assertThat(script.seen(mark)).containsExactly(full, bare);
  }

  @Test
  void methods_of_beans_and_of_enterprise_beans_are_handlers() {
    long method = jobs.enqueue(new Payloads.ToMethod(mark)).id();
    rows.awaitState(method, "COMPLETED");
    long ejb = jobs.enqueue(new Payloads.ToEjb(mark)).id();
    rows.awaitState(ejb, "COMPLETED");
    assertThat(script.seen(mark))
        .containsExactly(new Payloads.ToMethod(mark), new Payloads.ToEjb(mark));
    assertThat(rows.transactionOfNote(mark)).isEqualTo(rows.transactionOfEnd(ejb));
  }

  @Test
  void context_contains_the_headers() {
    inEachMode(this::context_contains_the_headers);
  }

  @Test
  void handler_runs_with_the_class_loader_of_its_application() {
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    inEachMode(
        mode -> {
          script.plan(
              mark,
              context -> {
                script.saw(mark, Thread.currentThread().getContextClassLoader() == own);
                return JobResult.done();
              });
          rows.awaitState(jobs.enqueue(request(mode)).id(), "COMPLETED");
          assertThat(script.seen(mark)).containsExactly(true);
        });
  }

  private void context_contains_the_headers(String mode) {
    script.plan(
        mark,
        context -> {
          script.saw(mark, Headers.of(context));
          if (context.attempt() == 1) {
            throw new IllegalArgumentException("first");
          }
          return JobResult.done();
        });
    long id =
        jobs.enqueue(
                request(mode)
                    .queue("headed")
                    .priority(8)
                    .uniqueKey(mark)
                    .correlationId("c-" + mark)
                    .property("tenant", "north"))
            .id();
    rows.awaitState(id, "COMPLETED");
    Instant enqueued =
        Instant.parse(
            rows.value(
                "select to_json(enqueued_at at time zone 'utc') #>> '{}' || 'Z'"
                    + " from readpast_job_history where id = ?",
                id));
    Headers first =
        new Headers(
            id,
            "headed",
            "app." + mode,
            1,
            8,
            enqueued,
            mark,
            "c-" + mark,
            Map.of("tenant", "north"),
            true);
    assertThat(script.seen(mark)).containsExactly(first, first.ofAttempt(2));
  }

  @Test
  void progress_and_log_outlive_a_failed_attempt() {
    inEachMode(this::progress_and_log_outlive_a_failed_attempt);
  }

  private void progress_and_log_outlive_a_failed_attempt(String mode) {
    script.plan(
        mark,
        context -> {
          context.progress(context.attempt(), 10);
          context.log("try " + context.attempt() + " \0 of " + mark);
          throw new FailNowException("no more");
        });
    long id = jobs.enqueue(request(mode)).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(rows.column("select line from readpast_log where job_id = ?", id))
        .containsExactly("try 1 \uFFFD of " + mark);
    assertThat(
            rows.value("select done || '/' || total from readpast_progress where job_id = ?", id))
        .isEqualTo("1/10");
  }

  @Test
  void jobs_enqueued_by_a_handler_appear_only_when_its_job_ends() {
    inEachMode(this::jobs_enqueued_by_a_handler_appear_only_when_its_job_ends);
  }

  private void jobs_enqueued_by_a_handler_appear_only_when_its_job_ends(String mode) {
    script.plan(
        mark,
        context -> {
          context.enqueue(
              JobRequest.of(new Payloads.Follower("of attempt " + context.attempt()))
                  .correlationId(mark));
          script.saw(mark, rows.jobs(mark));
          if (context.attempt() == 1) {
            throw new IllegalArgumentException("first");
          }
          return JobResult.done();
        });
    long id = jobs.enqueue(request(mode)).id();
    rows.awaitState(id, "COMPLETED");
    assertThat(script.seen(mark)).as("visible before the end").containsExactly(0L, 0L);
    assertThat(
            rows.column(
                "select payload ->> 'step' from readpast_job where correlation_id = ?", mark))
        .containsExactly("of attempt 2");
    long follower = rows.count("select id from readpast_job where correlation_id = ?", mark);
    assertThat(rows.transactionOfJob(follower)).isEqualTo(rows.transactionOfEnd(id));
  }

  @Test
  void requested_retry_does_not_count_as_an_attempt() {
    inEachMode(this::requested_retry_does_not_count_as_an_attempt);
  }

  private void requested_retry_does_not_count_as_an_attempt(String mode) {
    script.plan(
        mark,
        context ->
            switch (context.attempt()) {
              case 1, 2 -> JobResult.retryLater(Duration.ofMillis(100));
              case 3 -> throw new RetryLaterException(Duration.ofMillis(100));
              default -> JobResult.done();
            });
    long id = jobs.enqueue(request(mode).maxAttempts(1)).id();
    rows.awaitState(id, "COMPLETED");
    assertThat(
            rows.value(
                "select attempt || '-' || uncounted from readpast_job_history where id = ?", id))
        .isEqualTo("4-3");
    assertThat(rows.failures(id, "kind")).containsOnly("RETRY_LATER").hasSize(3);
  }

  @Test
  void permanent_failure_discards_the_job_despite_remaining_attempts() {
    inEachMode(this::permanent_failure_discards_the_job_despite_remaining_attempts);
  }

  private void permanent_failure_discards_the_job_despite_remaining_attempts(String mode) {
    script.plan(mark, context -> JobResult.failNow("address of " + mark + " is gone"));
    long id = jobs.enqueue(request(mode)).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(rows.failures(id, "message")).containsExactly("address of " + mark + " is gone");
  }

  @Test
  void handler_is_notified_of_a_cancellation_request() {
    inEachMode(this::handler_is_notified_of_a_cancellation_request);
  }

  private void handler_is_notified_of_a_cancellation_request(String mode) {
    var started = new CountDownLatch(1);
    script.plan(
        mark,
        context -> {
          started.countDown();
          Await.until(SOON, "the cancellation request", context::cancellationRequested);
          script.saw(mark, "heard");
          throw new IllegalArgumentException("ends early");
        });
    long id = jobs.enqueue(patient(mode)).id();
    Await.until(SOON, () -> started.await(1, TimeUnit.SECONDS));
    assertThat(control.cancel(id)).as("ended already").isFalse();
    rows.awaitState(id, "CANCELLED");
    assertThat(script.seen(mark)).containsExactly("heard");
  }

  @Test
  void overtaken_handler_is_no_longer_the_owner() {
    var started = new CountDownLatch(1);
    var overtaken = new CountDownLatch(1);
    script.plan(
        mark,
        context -> {
          if (context.attempt() > 1) {
            return JobResult.done();
          }
          script.saw(mark, context.stillOwner());
          started.countDown();
          if (!overtaken.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("was not overtaken");
          }
          script.saw(mark, context.stillOwner());
          context.enqueue(JobRequest.of(new Payloads.Follower("of nobody")).correlationId(mark));
          return JobResult.done();
        });
    long id = jobs.enqueue(patient("leased")).id();
    Await.until(SOON, () -> started.await(1, TimeUnit.SECONDS));
    // Simulates that another node takes the job over.
    rows.run(
        "update readpast_job set state = 'SCHEDULED', position = null, owner = null, claim_no = claim_no + 1,"
            + " available_at = clock_timestamp() + interval '3 seconds' where id = ?",
        id);
    overtaken.countDown();
    rows.awaitState(id, "COMPLETED");
    assertThat(script.seen(mark)).containsExactly(true, false);
    assertThat(rows.jobs(mark)).as("jobs of the overtaken attempt").isZero();
    assertThat(rows.value("select attempt from readpast_job_history where id = ?", id))
        .isEqualTo("2");
  }

  private Object patient(String mode) {
    return mode.equals("leased") ? new Payloads.PatientLeased(mark) : new Payloads.Patient(mark);
  }

  private void inEachMode(Consumer<String> behaviour) {
    for (String mode : List.of("transactional", "leased")) {
      mark = mode + "-" + UUID.randomUUID();
      behaviour.accept(mode);
    }
  }

  private JobRequest request(String mode) {
    return JobRequest.of(
        mode.equals("leased") ? new Payloads.Leased(mark) : new Payloads.Transactional(mark));
  }

  /** Holds the values that a context provides. */
  record Headers(
      long id,
      String queue,
      String type,
      int attempt,
      int priority,
      Instant enqueuedAt,
      String uniqueKey,
      String correlationId,
      Map<String, String> properties,
      boolean stillOwner) {

    static Headers of(JobContext context) {
      Map<String, String> properties = new HashMap<>(context.properties());
      // A server with tracing has added this property.
      properties.remove("traceparent");
      return new Headers(
          context.id(),
          context.queue(),
          context.type(),
          context.attempt(),
          context.priority(),
          context.enqueuedAt(),
          context.uniqueKey(),
          context.correlationId(),
          properties,
          context.stillOwner());
    }

    Headers ofAttempt(int number) {
      return new Headers(
          id,
          queue,
          type,
          number,
          priority,
          enqueuedAt,
          uniqueKey,
          correlationId,
          properties,
          stillOwner);
    }
  }
}
