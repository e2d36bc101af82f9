package org.readpast.server.library;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;

/** Tests failing attempts: they are recorded, retried, and finally discarded. */
@ExtendWith(ArquillianExtension.class)
class FailuresIT {
  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;

  private String mark = UUID.randomUUID().toString();

  // A due job must not have to wait for a poll.
  @Deployment
  static WebArchive application() {
    return Application.archive(
        "failures",
        FailuresIT.class,
        "readpast.poll-interval=PT1M",
        "readpast.type.\"app.configured\".max-attempts=2",
        "readpast.type.\"app.configured\".delay=PT0.1S",
        "readpast.type.\"app.configured\".timeout=PT1S",
        "readpast.type.\"app.configured\".abort-on=java.lang.UnsupportedOperationException");
  }

  @Test
  void failing_job_is_retried_after_growing_pauses_and_stored_with_all_attempts() {
    inEachMode(this::failing_job_is_retried_after_growing_pauses_and_stored_with_all_attempts);
  }

  private void failing_job_is_retried_after_growing_pauses_and_stored_with_all_attempts(
      String mode) {
    script.plan(
        mark,
        context -> {
          throw new IllegalArgumentException("no " + context.attempt() + " \0 of " + mark);
        });
    long id = jobs.enqueue(request(mode)).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(rows.failures(id, "attempt || ' ' || kind || ' ' || exception || ' ' || message"))
        .containsExactly(
            "1 FAILED java.lang.IllegalArgumentException no 1 \uFFFD of " + mark,
            "2 FAILED java.lang.IllegalArgumentException no 2 \uFFFD of " + mark,
            "3 FAILED java.lang.IllegalArgumentException no 3 \uFFFD of " + mark);
    assertThat(rows.failures(id, "trace"))
        .allMatch(trace -> trace.contains(FailuresIT.class.getName()) && trace.contains(mark));
    assertThat(rows.failures(id, "node is not null and ended_at >= started_at"))
        .containsExactly("t", "t", "t");
    List<String> pauses =
        rows.column(
            "select extract(epoch from started_at - lag(ended_at) over (order by id))"
                + " from readpast_failure where job_id = ? order by id",
            id);
    assertThat(Double.parseDouble(pauses.get(1))).isGreaterThan(0.19);
    assertThat(Double.parseDouble(pauses.get(2))).isGreaterThan(0.39);
  }

  @Test
  void error_of_a_handler_is_recorded_like_an_exception() {
    script.plan(
        mark,
        context -> {
          if (context.attempt() == 1) {
            throw new NoClassDefFoundError("com/example/Missing");
          }
          return JobResult.done();
        });
    long id = jobs.enqueue(request("transactional")).id();
    rows.awaitState(id, "COMPLETED");
    assertThat(rows.failures(id, "exception || ' ' || message"))
        .containsExactly("java.lang.NoClassDefFoundError com/example/Missing");
  }

  @Test
  void abort_on_exception_discards_the_job_even_as_a_cause() {
    script.plan(
        mark,
        context -> {
          throw new IllegalArgumentException("outside", new IllegalStateException("inside"));
        });
    long id = jobs.enqueue(request("transactional")).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(rows.failures(id, "message")).containsExactly("outside");
  }

  @Test
  void attempts_of_the_request_override_attempts_of_its_type() {
    script.plan(
        mark,
        context -> {
          throw new IllegalArgumentException("never");
        });
    long id = jobs.enqueue(request("transactional").maxAttempts(1)).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(rows.failures(id, "attempt")).containsExactly("1");
  }

  @Test
  void configured_attempts_and_pauses_override_the_annotation() {
    script.plan(
        mark,
        context -> {
          throw new IllegalArgumentException("never");
        });
    long id = jobs.enqueue(new Payloads.Configured(mark)).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(rows.failures(id, "attempt")).containsExactly("1", "2");
  }

  @Test
  void configuration_sets_exceptions_to_abort_on_and_the_time_limit() {
    var never = new CountDownLatch(1);
    script.plan(
        mark,
        context -> {
          if (context.attempt() == 1) {
            never.await();
          }
          throw new UnsupportedOperationException("no more");
        });
    long id = jobs.enqueue(JobRequest.of(new Payloads.Configured(mark)).maxAttempts(9)).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(rows.failures(id, "kind || ': ' || message"))
        .containsExactly(
            "TIMED_OUT: the handler ran longer than its timeout of PT1S and was interrupted;"
                + " make it faster, or raise the timeout of its type",
            "FAILED: no more");
  }

  @Test
  void handler_that_exceeds_its_time_limit_is_interrupted() {
    inEachMode(this::handler_that_exceeds_its_time_limit_is_interrupted);
  }

  private void handler_that_exceeds_its_time_limit_is_interrupted(String mode) {
    var never = new CountDownLatch(1);
    script.plan(
        mark,
        context -> {
          rows.write(mark);
          try {
            never.await();
          } catch (InterruptedException e) {
            script.saw(mark, context.attempt());
            throw e;
          }
          return JobResult.done();
        });
    long id = jobs.enqueue(request(mode).maxAttempts(2)).id();
    rows.awaitState(id, "DISCARDED");
    assertThat(script.seen(mark)).containsExactly(1, 2);
    assertThat(rows.failures(id, "kind || ' ' || exception"))
        .containsOnly("TIMED_OUT java.lang.InterruptedException")
        .hasSize(2);
    assertThat(rows.written(mark)).isEqualTo(mode.equals("leased") ? 2 : 0);
  }

  @Test
  void job_without_an_attempt_limit_is_retried_until_it_succeeds() {
    script.plan(
        mark,
        context -> {
          if (context.attempt() < 13) {
            throw new IllegalArgumentException("not yet");
          }
          return JobResult.done();
        });
    long id = jobs.enqueue(new Payloads.Tireless(mark)).id();
    rows.awaitState(id, "COMPLETED");
    assertThat(rows.failures(id, "attempt")).hasSize(12).endsWith("12");
    assertThat(rows.value("select max_attempts from readpast_type where name = 'app.tireless'"))
        .isEqualTo("-1");
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
}
