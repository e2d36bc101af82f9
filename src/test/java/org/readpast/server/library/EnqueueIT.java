package org.readpast.server.library;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.admin.JobControl;
import org.readpast.api.BatchSealedException;
import org.readpast.api.Enqueued;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.JobType;
import org.readpast.api.PredecessorFailure;
import org.readpast.server.app.Elsewhere;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Tables;
import org.readpast.support.Await;
import org.readpast.support.Deployments;

/**
 * Tests an application that enqueues in its own transactions. The jobs in these tests have no
 * handler.
 */
@ExtendWith(ArquillianExtension.class)
class EnqueueIT {
  @Inject JobQueue jobs;
  @Inject JobControl control;
  @Inject Rows rows;
  @Inject Elsewhere elsewhere;
  @Inject UserTransaction transaction;

  private final String mark = UUID.randomUUID().toString();

  @JobType(value = "enqueue.letter", queue = "letters")
  public record Letter(String text) {}

  /** Has no job type. */
  public record Untyped(String text) {}

  @Deployment
  static WebArchive application() {
    return Deployments.application(
        "enqueue",
        EnqueueIT.class,
        Letter.class,
        Untyped.class,
        Rows.class,
        Tables.class,
        Elsewhere.class);
  }

  @Test
  void rolled_back_enqueue_leaves_no_job() throws Exception {
    transaction.begin();
    rows.write(mark);
    jobs.enqueue(letter());
    jobs.enqueueAll(List.of(letter(), letter()));
    assertThat(rows.jobs(mark)).isEqualTo(3);
    transaction.rollback();
    assertThat(rows.jobs(mark)).isZero();
    assertThat(rows.written(mark)).isZero();
  }

  @Test
  void jobs_and_business_row_share_one_database_transaction() throws Exception {
    transaction.begin();
    long one = jobs.enqueue(letter()).id();
    rows.write(mark);
    long other = jobs.enqueueAll(List.of(letter(), letter())).get(1).id();
    transaction.commit();
    assertThat(rows.transactionOfJob(one))
        .isEqualTo(rows.transactionOfNote(mark))
        .isEqualTo(rows.transactionOfJob(other));
  }

  @Test
  void enqueue_never_commits_the_transaction_of_the_caller() throws Exception {
    transaction.begin();
    rows.write(mark);
    jobs.enqueue(letter().queue("new-" + mark));
    assertThat(transaction.getStatus()).isEqualTo(Status.STATUS_ACTIVE);
    assertThat(elsewhere.seen(() -> rows.jobs(mark) + rows.written(mark))).isZero();
    transaction.commit();
    assertThat(elsewhere.seen(() -> rows.jobs(mark) + rows.written(mark))).isEqualTo(2);
  }

  @Test
  void enqueue_outside_a_transaction_uses_its_own_transaction() {
    Enqueued enqueued = jobs.enqueue(new Letter("alone"));
    assertThat(enqueued.isNew()).isTrue();
    assertThat(rows.state(enqueued.id())).isEqualTo("AVAILABLE");
    assertThat(rows.value("select queue from readpast_job where id = ?", enqueued.id()))
        .isEqualTo("letters");
  }

  @Test
  void batch_gets_jobs_callbacks_and_seal_in_the_transaction_of_the_caller() throws Exception {
    transaction.begin();
    jobs.batch(mark).wave(1, letter()).onFinish(letter()).seal();
    transaction.rollback();
    assertThat(rows.jobs(mark)).isZero();
    assertThat(rows.count("select count(*) from readpast_batch where name = ?", mark)).isEqualTo(1);

    transaction.begin();
    jobs.batch(mark)
        .wave(1, letter(), letter())
        .wave(2, List.of(letter(), letter().group("g")))
        .onFinish(letter())
        .seal();
    transaction.commit();
    assertThat(rows.jobs(mark)).isEqualTo(4);
    Await.until(
        Duration.ofSeconds(20),
        () ->
            rows.count(
                    "select count(*) from readpast_batch where name = ? and sealed_at is not null",
                    mark)
                == 1);
    assertThat(
            rows.column(
                "select state || ' ' || wave from readpast_job where correlation_id = ? order by id",
                mark))
        .containsExactly("AVAILABLE 1", "AVAILABLE 1", "BLOCKED 2", "BLOCKED 2");
    assertThatThrownBy(() -> jobs.batch(mark).wave(3, letter()))
        .isInstanceOf(BatchSealedException.class);
  }

  @Test
  void jobs_name_their_predecessors() {
    Enqueued first = jobs.enqueue(letter());
    List<Enqueued> graph =
        jobs.enqueueAll(
            List.of(
                letter().after("b").after(first.id()),
                letter().ref("b").predecessorFailure(PredecessorFailure.RUN)));
    assertThat(
            rows.column(
                "select predecessor_id from readpast_predecessor where job_id = ? order by 1",
                graph.get(0).id()))
        .containsExactly(Long.toString(first.id()), Long.toString(graph.get(1).id()));
    assertThat(rows.state(graph.get(0).id())).isEqualTo("BLOCKED");
    assertThat(rows.state(graph.get(1).id())).isEqualTo("AVAILABLE");
  }

  @Test
  void many_jobs_need_one_statement_per_thousand() {
    List<JobRequest> many = IntStream.range(0, 2_500).mapToObj(i -> letter()).toList();
    List<Enqueued> enqueued = jobs.enqueueAll(many);
    assertThat(enqueued).hasSize(2_500).allMatch(Enqueued::isNew);
    assertThat(enqueued).extracting(Enqueued::id).isSorted().doesNotHaveDuplicates();
    assertThat(rows.jobs(mark)).isEqualTo(2_500);
    // In PostgreSQL, cmin is the number of a statement in its transaction, and xmin is the number
    // of the transaction.
    assertThat(
            rows.column(
                "select count(*) from readpast_job where correlation_id = ?"
                    + " group by cast(xmin as text), cast(cmin as text)",
                mark))
        .containsExactlyInAnyOrder("1000", "1000", "500");
    assertThat(
            rows.count(
                "select count(distinct cast(xmin as text)) from readpast_job"
                    + " where correlation_id = ?",
                mark))
        .isEqualTo(1);
  }

  @Test
  void one_invalid_job_rejects_the_whole_call() {
    List<Object> many = new ArrayList<>(IntStream.range(0, 1_500).mapToObj(i -> letter()).toList());
    many.add(letter().priority(10));
    assertThatThrownBy(() -> jobs.enqueueAll(many))
        .isInstanceOf(JobRejectedException.class)
        .hasMessage("priority is 10; specify 0 (last) to 9 (first)");
    assertThat(rows.jobs(mark)).isZero();
  }

  @Test
  void failing_statement_undoes_the_statements_before_it() {
    rows.run("alter table readpast_job add constraint short check (octet_length(queue) < 60)");
    try {
      List<Object> many =
          new ArrayList<>(IntStream.range(0, 1_500).mapToObj(i -> letter()).toList());
      many.add(letter().queue("q".repeat(60)));
      assertThatThrownBy(() -> jobs.enqueueAll(many)).hasStackTraceContaining("short");
      assertThat(rows.jobs(mark)).isZero();
    } finally {
      rows.run("alter table readpast_job drop constraint short");
    }
  }

  @Test
  void both_enqueue_methods_store_the_same_headers() {
    Instant due = Instant.parse("2090-02-03T04:05:06.123456Z");
    Instant end = Instant.parse("2091-02-03T04:05:06.5Z");
    JobRequest request =
        letter()
            .queue("headers." + mark)
            .priority(9)
            .at(due)
            .expiresAt(end)
            .property("tenant", "north \"1\"")
            .property("kind", "ü")
            .maxAttempts(7);
    List<Long> ids = new ArrayList<>(List.of(jobs.enqueue(request).id()));
    jobs.enqueueAll(List.of(request, request)).forEach(e -> ids.add(e.id()));
    String expected =
        "SCHEDULED|headers." + mark + "|enqueue.letter|9|t|t|" + mark + "|ü|north \"1\"|7|Dear";
    for (long id : ids) {
      assertThat(
              rows.value(
                  "select concat_ws('|', state, queue, type, priority,"
                      + " available_at = cast(? as timestamptz), expires_at = cast(? as timestamptz),"
                      + " correlation_id, properties ->> 'kind', properties ->> 'tenant',"
                      + " max_attempts, payload ->> 'text')"
                      + " from readpast_job where id = ?",
                  due.toString(),
                  end.toString(),
                  id))
          .isEqualTo(expected);
    }
  }

  @Test
  void delay_and_time_to_live_start_at_the_enqueue_by_the_database_clock() {
    JobRequest request = letter().delay(Duration.ofMinutes(90)).expiresIn(Duration.ofDays(2));
    List<Long> ids = new ArrayList<>(List.of(jobs.enqueue(request).id()));
    jobs.enqueueAll(List.of(request, request)).forEach(e -> ids.add(e.id()));
    for (long id : ids) {
      assertThat(
              rows.value(
                  "select concat_ws('|', available_at - enqueued_at, expires_at - enqueued_at,"
                      + " enqueued_at between clock_timestamp() - interval '1 minute' and"
                      + " clock_timestamp()) from readpast_job where id = ?",
                  id))
          .isEqualTo("01:30:00|2 days|t");
    }
  }

  @Test
  void unknown_queue_is_created_with_the_defaults() {
    jobs.enqueue(letter().queue("first-" + mark));
    jobs.enqueueAll(List.of(letter().queue("second-" + mark), letter().queue("third-" + mark)));
    assertThat(
            rows.count(
                "select count(*) from readpast_queue where name like ? and not paused"
                    + " and concurrency is null",
                "%-" + mark))
        .isEqualTo(3);
  }

  @Test
  void rejected_job_has_a_reason_and_leaves_the_callers_transaction_usable() throws Exception {
    transaction.begin();
    rows.write(mark);
    assertThatThrownBy(() -> jobs.enqueue(new Untyped("x")))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining(Untyped.class.getName() + " has no job type; put @JobType");
    assertThatThrownBy(() -> jobs.enqueue(new Letter("x".repeat(1024 * 1024))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining(
            "'enqueue.letter' has 1048587 bytes, but readpast.payload.max-size allows 1048576");
    assertThatThrownBy(() -> jobs.enqueueAll(List.of(letter(), new Untyped("x"))))
        .isInstanceOf(JobRejectedException.class);
    assertThatThrownBy(() -> jobs.enqueue(letter().queue("no spaces")))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("no spaces");
    transaction.commit();
    assertThat(rows.written(mark)).isEqualTo(1);
    assertThat(rows.jobs(mark)).isZero();
  }

  @Test
  void second_enqueue_of_a_live_key_returns_the_first_job() {
    Enqueued first = jobs.enqueue(letter().uniqueKey(mark));
    Enqueued second = jobs.enqueue(letter().uniqueKey(mark).queue("elsewhere"));
    assertThat(first.isNew()).isTrue();
    assertThat(second).isEqualTo(Enqueued.of(first.id(), false));
    List<Enqueued> more =
        jobs.enqueueAll(
            List.of(
                letter().uniqueKey(mark),
                letter().uniqueKey(mark + " too"),
                letter(),
                letter().uniqueKey(mark + " too")));
    assertThat(more).extracting(Enqueued::isNew).containsExactly(false, true, true, false);
    assertThat(more.get(0).id()).isEqualTo(first.id());
    assertThat(more.get(3).id()).isEqualTo(more.get(1).id());
    assertThat(rows.jobs(mark)).isEqualTo(3);
  }

  @Test
  void key_is_free_again_after_its_job_has_ended() {
    Enqueued first = jobs.enqueue(letter().uniqueKey(mark));
    control.cancel(first.id());
    Enqueued second = jobs.enqueue(letter().uniqueKey(mark));
    assertThat(second.isNew()).isTrue();
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  @Test
  void key_of_a_concurrent_transaction_is_taken_when_that_commits() throws Exception {
    transaction.begin();
    Enqueued first = jobs.enqueue(letter().uniqueKey(mark));
    var second = elsewhere.transaction(() -> jobs.enqueue(letter().uniqueKey(mark)));
    var third =
        elsewhere.transaction(() -> jobs.enqueueAll(List.of(letter(), letter().uniqueKey(mark))));
    awaitWaitingTransactions(2);
    transaction.commit();
    assertThat(second.get(30, SECONDS)).isEqualTo(Enqueued.of(first.id(), false));
    assertThat(third.get(30, SECONDS).get(1)).isEqualTo(Enqueued.of(first.id(), false));
    assertThat(rows.jobs(mark)).isEqualTo(2);
  }

  @Test
  void key_of_a_concurrent_transaction_is_free_when_that_rolls_back() throws Exception {
    transaction.begin();
    Enqueued first = jobs.enqueue(letter().uniqueKey(mark));
    var second = elsewhere.transaction(() -> jobs.enqueue(letter().uniqueKey(mark)));
    awaitWaitingTransactions(1);
    transaction.rollback();
    assertThat(second.get(30, SECONDS).isNew()).isTrue();
    assertThat(second.get().id()).isNotEqualTo(first.id());
    assertThat(rows.jobs(mark)).isEqualTo(1);
  }

  private void awaitWaitingTransactions(int expected) {
    Await.until(
        Duration.ofSeconds(20),
        expected + " transactions wait for another",
        () ->
            elsewhere.seen(
                    () ->
                        rows.count(
                            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                + " and datname = current_database()"))
                == expected);
  }

  private JobRequest letter() {
    return JobRequest.of(new Letter("Dear")).correlationId(mark);
  }
}
