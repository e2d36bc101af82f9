package org.readpast.server.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.api.FailNowException;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.server.app.Apart;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;
import org.readpast.server.app.Visit;
import org.readpast.support.Await;

/** Tests the transaction and the request context of a handler. */
@ExtendWith(ArquillianExtension.class)
class HandlerTransactionsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;
  @Inject Apart apart;
  @Inject Visit visit;
  @Inject UserTransaction transaction;

  private String mark = UUID.randomUUID().toString();

  @Deployment
  static WebArchive application() {
    return Application.archive(
        "transactions",
        HandlerTransactionsIT.class,
        "readpast.queue.\"leased-here\".mode=LEASED",
        "readpast.queue.\"one-by-one\".concurrency=1",
        "readpast.queue.\"forgotten\".retention.completed=PT0S");
  }

  @Test
  void transactional_handler_and_completion_of_its_job_share_one_transaction() {
    script.plan(
        mark,
        context -> {
          script.saw(mark, transaction.getStatus());
          rows.write(mark);
          apart.writeTogether(mark + " too");
          return JobResult.done();
        });
    long id = ended(request("transactional"), "COMPLETED");
    assertThat(script.seen(mark)).containsExactly(Status.STATUS_ACTIVE);
    assertThat(rows.transactionOfNote(mark))
        .isEqualTo(rows.transactionOfEnd(id))
        .isEqualTo(rows.transactionOfNote(mark + " too"));
  }

  @Test
  void failure_of_a_transactional_handler_undoes_its_writes() {
    script.plan(
        mark,
        context -> {
          rows.write(mark);
          apart.writeTogether(mark);
          if (context.attempt() == 1) {
            throw new IllegalArgumentException("after writing");
          }
          return context.attempt() == 2
              ? JobResult.retryLater(Duration.ofMillis(1))
              : JobResult.done();
        });
    long id = ended(request("transactional"), "COMPLETED");
    assertThat(rows.failures(id, "kind")).containsExactly("FAILED", "RETRY_LATER");
    assertThat(rows.written(mark)).as("writes of the third attempt only").isEqualTo(2);
  }

  @Test
  void handler_that_marks_its_transaction_for_rollback_has_failed() {
    script.plan(
        mark,
        context -> {
          rows.write(mark);
          if (context.attempt() == 1) {
            transaction.setRollbackOnly();
          }
          return JobResult.done();
        });
    long id = ended(request("transactional"), "COMPLETED");
    assertThat(rows.failures(id, "message"))
        .containsExactly("the handler returned, but its transaction is marked for rollback");
    assertThat(rows.written(mark)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "default, select 1 / 0",
    "forgotten, select 1 / 0",
    "default, select pg_terminate_backend(pg_backend_pid())",
    "forgotten, select pg_terminate_backend(pg_backend_pid())"
  })
  void handler_that_ignores_a_broken_transaction_does_not_complete_its_job(
      String queue, String breaks) {
    script.plan(
        mark,
        context -> {
          script.saw(mark, context.attempt());
          rows.write(mark);
          if (script.seen(mark).size() == 1) {
            assertThatThrownBy(() -> rows.run(breaks)).isInstanceOf(IllegalStateException.class);
          }
          return JobResult.done();
        });
    long id = jobs.enqueue(request("transactional").queue(queue)).id();
    String end = queue.equals("forgotten") ? null : "COMPLETED";
    Await.until(SOON, "end of job " + id, () -> Objects.equals(rows.state(id), end));
    assertThat(script.seen(mark)).hasSize(2);
    assertThat(rows.written(mark)).isEqualTo(1);
  }

  @Test
  void broken_connection_does_not_affect_another_transaction() {
    var broken = new CountDownLatch(1);
    String other = mark + " other";
    script.plan(
        other,
        context -> {
          rows.write(other);
          script.saw(other, context.attempt());
          broken.await();
          rows.write(other);
          return JobResult.done();
        });
    script.plan(
        mark,
        context -> {
          script.saw(mark, context.attempt());
          if (script.seen(mark).size() == 1) {
            rows.run("select pg_terminate_backend(pg_backend_pid())");
          }
          return JobResult.done();
        });
    long beside = jobs.enqueue(new Payloads.Transactional(other)).id();
    Await.until(SOON, "the begin of the other job", () -> !script.seen(other).isEmpty());
    ended(request("transactional"), "COMPLETED");
    broken.countDown();
    rows.awaitState(beside, "COMPLETED");
    assertThat(script.seen(mark)).hasSize(2);
    assertThat(rows.failures(beside, "message")).isEmpty();
    assertThat(script.seen(other)).hasSize(1);
    assertThat(rows.written(other)).isEqualTo(2);
  }

  @Test
  void no_transaction_is_active_around_a_leased_handler() {
    script.plan(
        mark,
        context -> {
          script.saw(mark, transaction.getStatus());
          rows.write(mark);
          throw new FailNowException("after writing");
        });
    ended(request("leased"), "DISCARDED");
    ended(request("transactional").queue("leased-here"), "DISCARDED");
    assertThat(script.seen(mark))
        .containsExactly(Status.STATUS_NO_TRANSACTION, Status.STATUS_NO_TRANSACTION);
    assertThat(rows.written(mark)).isEqualTo(2);
  }

  @Test
  void leased_handler_may_use_its_own_transaction() {
    script.plan(
        mark,
        context -> {
          transaction.begin();
          rows.write(mark);
          if (context.attempt() == 1) {
            transaction.rollback();
            throw new IllegalArgumentException("rolled back");
          }
          transaction.commit();
          return JobResult.done();
        });
    ended(request("leased"), "COMPLETED");
    assertThat(rows.written(mark)).isEqualTo(1);
  }

  @Test
  void leased_handler_that_leaves_its_transaction_open_does_not_affect_other_jobs() {
    script.plan(
        mark,
        context -> {
          script.saw(mark, transaction.getStatus());
          transaction.begin();
          rows.write(mark);
          return JobResult.done();
        });
    JobRequest leaving = request("leased").queue("one-by-one").maxAttempts(1);
    jobs.enqueueAll(List.of(leaving, leaving, leaving))
        .forEach(
            e -> {
              rows.awaitState(e.id(), "DISCARDED");
              assertThat(rows.failures(e.id(), "message"))
                  .containsExactly(
                      "the handler returned without ending the transaction that it had begun;"
                          + " the transaction was rolled back");
            });
    assertThat(script.seen(mark)).hasSize(3).containsOnly(Status.STATUS_NO_TRANSACTION);
    assertThat(rows.written(mark)).isZero();
  }

  @Test
  void separate_transaction_commits_although_the_attempt_fails() {
    inEachMode(this::separate_transaction_commits_although_the_attempt_fails);
  }

  private void separate_transaction_commits_although_the_attempt_fails(String mode) {
    script.plan(
        mark,
        context -> {
          apart.write(mark + " apart");
          script.saw(mark, rows.written(mark + " apart"));
          rows.write(mark);
          throw new FailNowException("after writing");
        });
    long id = ended(request(mode), "DISCARDED");
    assertThat(script.seen(mark))
        .as(() -> "failures " + rows.failures(id, "cast(readpast_failure as text)"))
        .containsExactly(1L);
    assertThat(rows.written(mark + " apart")).isEqualTo(1);
    assertThat(rows.written(mark)).isEqualTo(mode.equals("leased") ? 1 : 0);
    assertThat(rows.transactionOfNote(mark + " apart")).isNotEqualTo(rows.transactionOfEnd(id));
  }

  @Test
  void failed_separate_transaction_is_undone_although_the_attempt_succeeds() {
    inEachMode(this::failed_separate_transaction_is_undone_although_the_attempt_succeeds);
  }

  private void failed_separate_transaction_is_undone_although_the_attempt_succeeds(String mode) {
    script.plan(
        mark,
        context -> {
          try {
            apart.writeAndFail(mark + " apart");
          } catch (IllegalArgumentException e) {
            script.saw(mark, e.getMessage());
          }
          rows.write(mark);
          return JobResult.done();
        });
    long id = ended(request(mode), "COMPLETED");
    assertThat(script.seen(mark)).containsExactly("after writing " + mark + " apart");
    assertThat(rows.written(mark + " apart")).isZero();
    assertThat(rows.written(mark)).isEqualTo(1);
    if (mode.equals("transactional")) {
      assertThat(rows.transactionOfNote(mark)).isEqualTo(rows.transactionOfEnd(id));
    }
  }

  @Test
  void request_scoped_bean_lives_for_one_attempt() {
    inEachMode(this::request_scoped_bean_lives_for_one_attempt);
  }

  private void request_scoped_bean_lives_for_one_attempt(String mode) {
    script.plan(
        mark,
        context -> {
          String first = visit.enter(mark);
          script.saw(mark, first);
          assertThat(visit.enter(mark)).isEqualTo(first);
          if (context.attempt() < 3) {
            throw new IllegalArgumentException("again");
          }
          return JobResult.done();
        });
    long id = ended(request(mode), "COMPLETED");
    assertThat(script.seen(mark))
        .as(() -> "failures " + rows.failures(id, "cast(readpast_failure as text)"))
        .hasSize(3)
        .doesNotHaveDuplicates();
    assertThat(script.seen(mark + " left")).isEqualTo(script.seen(mark));
  }

  private long ended(JobRequest request, String state) {
    long id = jobs.enqueue(request).id();
    rows.awaitState(id, state);
    return id;
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
