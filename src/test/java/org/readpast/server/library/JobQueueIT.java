package org.readpast.server.library;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.EncryptionKeys;
import org.readpast.api.Job;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobReply;
import org.readpast.api.JobRequest;
import org.readpast.api.JobSelection;
import org.readpast.api.JobState;
import org.readpast.api.JobStatus;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceivedJob;
import org.readpast.api.StateConflictException;
import org.readpast.server.app.Application;
import org.readpast.server.app.ContentHandlers;
import org.readpast.server.app.Elsewhere;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;
import org.readpast.support.Await;

/**
 * Tests that an application receives, browses, purges and awaits jobs, with payloads of any content
 * type.
 */
@ExtendWith(ArquillianExtension.class)
class JobQueueIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration A_LONG_TIME = Duration.ofHours(1);

  @Inject JobQueue jobs;
  @Inject Rows rows;
  @Inject Script script;
  @Inject Elsewhere elsewhere;
  @Inject UserTransaction transaction;

  private final String mark = UUID.randomUUID().toString();
  private final String queue = "pull-" + mark;

  @Deployment
  static WebArchive application() {
    return Application.archive("job-queue", JobQueueIT.class);
  }

  /** Provides a key, so that all jobs of the test application are encrypted. */
  @ApplicationScoped
  public static class Keys implements EncryptionKeys {
    private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");

    @Override
    public String current() {
      return "bean";
    }

    @Override
    public @Nullable SecretKey find(String id) {
      return id.equals("bean") ? KEY : null;
    }
  }

  @AfterEach
  void endTransaction() throws Exception {
    if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
      transaction.rollback();
    }
  }

  private long enqueued() {
    return jobs.enqueue(JobRequest.of(new Payloads.Follower(mark)).queue(queue)).id();
  }

  @Test
  void received_job_ends_in_the_transaction_of_the_caller() throws Exception {
    long id = enqueued();
    transaction.begin();
    Job job = jobs.receive(queue, SOON).orElseThrow();
    rows.write(mark);
    assertThat(job.id()).isEqualTo(id);
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.payload(Payloads.Follower.class)).isEqualTo(new Payloads.Follower(mark));
    assertThat(elsewhere.seen(() -> rows.state(id))).isEqualTo("RUNNING");
    transaction.commit();
    assertThat(rows.state(id)).isEqualTo("COMPLETED");
    assertThat(rows.transactionOfEnd(id)).isEqualTo(rows.transactionOfNote(mark));
  }

  @Test
  void payloads_and_results_are_encrypted_with_the_key_of_a_bean() {
    long id = enqueued();
    assertThat(
            rows.count(
                "select count(*) from readpast_job where id = ?"
                    + " and starts_with(cast(payload as text), '{\"readpast:encrypted\":\"bean:')",
                id))
        .isOne();
    assertThat(jobs.find(id).orElseThrow().payload(Payloads.Follower.class))
        .isEqualTo(new Payloads.Follower(mark));
    assertThat(
            rows.count(
                "select count(*) from readpast_job where cast(payload as text) like ?",
                "%" + mark + "%"))
        .isZero();
  }

  @Test
  void rollback_returns_the_job_and_counts_the_delivery() throws Exception {
    long id = enqueued();
    transaction.begin();
    assertThat(jobs.receive(queue, SOON).orElseThrow().attempt()).isEqualTo(1);
    transaction.rollback();
    transaction.begin();
    Job again = jobs.receive(queue, SOON).orElseThrow();
    assertThat(again.id()).isEqualTo(id);
    assertThat(again.attempt()).isEqualTo(2);
    transaction.commit();
    assertThat(rows.state(id)).isEqualTo("COMPLETED");
    assertThat(rows.failures(id, "attempt || ' ' || kind")).containsExactly("1 FAILED");
  }

  @Test
  void receive_waits_for_a_job_of_another_transaction() throws Exception {
    enqueued();
    transaction.begin();
    jobs.receive(queue, SOON).orElseThrow();
    var coming =
        elsewhere.transaction(
            () -> {
              Await.until(Duration.ofSeconds(5), "a moment", () -> rows.count("select 1") == 1);
              return enqueued();
            });
    Job second = jobs.receive(queue, SOON, "app.follower").orElseThrow();
    assertThat(second.id()).isEqualTo(coming.get());
    assertThat(jobs.receive(queue, Duration.ZERO)).isEmpty();
    assertThat(jobs.receive(queue, Duration.ofMillis(200), "other")).isEmpty();
    transaction.commit();
  }

  @Test
  void job_is_cancelled_and_reset_in_the_transaction_of_the_caller() throws Exception {
    var later = JobRequest.of(new Payloads.Follower(mark)).queue(queue).delay(Duration.ofHours(1));
    long id = jobs.enqueue(later).id();
    transaction.begin();
    assertThat(jobs.cancel(id)).isTrue();
    transaction.rollback();
    assertThat(rows.state(id)).isEqualTo("SCHEDULED");
    assertThat(jobs.cancel(id)).isTrue();
    assertThat(rows.state(id)).isEqualTo("CANCELLED");
    assertThatThrownBy(() -> jobs.cancel(id)).isInstanceOf(ReadpastException.class);

    transaction.begin();
    jobs.reset(id);
    assertThat(rows.state(id)).isEqualTo("AVAILABLE");
    transaction.rollback();
    assertThat(rows.state(id)).isEqualTo("CANCELLED");
    assertThatThrownBy(() -> jobs.reset(-1)).isInstanceOf(ReadpastException.class);
  }

  @Test
  void jobs_are_found_and_changed_in_the_transaction_of_the_caller() throws Exception {
    Duration later = Duration.ofHours(1);
    JobRequest request =
        JobRequest.of(new Payloads.Follower("first")).queue(queue).uniqueKey(mark).delay(later);
    long id = jobs.enqueue(request.correlationId(mark)).id();
    Instant due = jobs.find(id).orElseThrow().availableAt();
    JobRequest second = JobRequest.of(new Payloads.Follower("second")).queue(queue).uniqueKey(mark);

    transaction.begin();
    assertThat(jobs.enqueue(second.replaceWaiting()).isUpdated()).isTrue();
    jobs.reschedule(id, due.plus(later));
    jobs.pause(queue);
    assertThat(jobs.find(mark).orElseThrow().payload(Payloads.Follower.class).step())
        .isEqualTo("second");
    transaction.rollback();
    JobStatus as = jobs.findByCorrelationId(mark).get(0);
    assertThat(as.availableAt()).isEqualTo(due);
    assertThat(as.payload(Payloads.Follower.class).step()).isEqualTo("first");

    transaction.begin();
    assertThatThrownBy(() -> jobs.runNow(-1)).isInstanceOf(NotFoundException.class);
    assertThat(transaction.getStatus()).isEqualTo(Status.STATUS_MARKED_ROLLBACK);
    transaction.rollback();

    transaction.begin();
    jobs.runNow(id);
    transaction.commit();
    assertThat(rows.state(id)).isEqualTo("AVAILABLE");
    assertThatThrownBy(() -> jobs.runNow(id)).isInstanceOf(StateConflictException.class);
    assertThat(jobs.cancel(mark)).isTrue();
    assertThat(jobs.find(mark)).isEmpty();
  }

  @Test
  void receiver_can_request_a_retry_and_then_discard_the_job() throws Exception {
    long id =
        jobs.enqueue(JobRequest.of(new Payloads.Follower(mark)).queue(queue).maxAttempts(1)).id();
    transaction.begin();
    ReceivedJob job = jobs.receive(queue, SOON).orElseThrow();
    rows.write(mark);
    job.retryLater(Duration.ZERO);
    assertThatThrownBy(transaction::commit).isInstanceOf(RollbackException.class);
    assertThat(rows.written(mark)).isZero();

    transaction.begin();
    ReceivedJob again = jobs.receive(queue, SOON).orElseThrow();
    assertThat(again.id()).isEqualTo(id);
    again.failNow("no such step");
    transaction.rollback();
    Await.until(SOON, "DISCARDED", () -> rows.state(id).equals("DISCARDED"));
    assertThat(jobs.find(id).orElseThrow().lastFailure()).isEqualTo("no such step");
  }

  @Test
  void receive_without_a_transaction_is_refused() {
    assertThatThrownBy(() -> jobs.receive(queue, SOON))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("begin one first");
    assertThatThrownBy(() -> jobs.receive(queue, Duration.ofSeconds(-1)))
        .isInstanceOf(JobRejectedException.class);
  }

  @Test
  void callers_without_a_transaction_each_find_their_own_job_committed() throws Exception {
    List<Future<Boolean>> callers = new ArrayList<>();
    for (int caller = 0; caller < 8; caller++) {
      String name = mark + caller;
      callers.add(elsewhere.without(() -> IntStream.range(0, 20).allMatch(i -> isStored(name))));
    }
    for (Future<Boolean> caller : callers) {
      assertThat(caller.get(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(ids(JobSelection.all().limit(1_000))).doesNotHaveDuplicates().hasSize(160);
  }

  @Test
  void enqueue_commits_immediately_despite_an_open_connection_of_the_caller() throws Exception {
    // Outside a transaction, a container may return the same connection, in the same mode, to all
    // callers.
    try (Connection connection = rows.connection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("insert into app_note (note) values (?)")) {
        insert.setString(1, mark);
        insert.executeUpdate();
      }
      long id = enqueued();
      assertThat(elsewhere.seen(() -> rows.state(id))).isEqualTo("AVAILABLE");
      connection.rollback();
      connection.setAutoCommit(true);
    }
    assertThat(elsewhere.seen(() -> rows.written(mark))).isZero();
  }

  private boolean isStored(String correlationId) {
    JobRequest request =
        JobRequest.of(new Payloads.Follower(mark)).queue(queue).correlationId(correlationId);
    long id = jobs.enqueue(request).id();
    return ids(JobSelection.all().correlationId(correlationId)).contains(id);
  }

  @Test
  void browse_supports_pages_and_filters_without_locks() throws Exception {
    long first = enqueued();
    long second =
        jobs.enqueue(
                JobRequest.of(new Payloads.Follower("b"))
                    .queue(queue)
                    .correlationId(mark)
                    .property("customer", "42")
                    .delay(Duration.ofHours(1)))
            .id();
    transaction.begin();
    long third = enqueued();
    assertThat(ids(JobSelection.all())).containsExactly(first, second, third);
    Job one = jobs.browse(queue, JobSelection.all().limit(1)).get(0);
    assertThat(one.payload(Payloads.Follower.class).step()).isEqualTo(mark);
    assertThat(ids(JobSelection.all().startAfter(one).limit(1))).containsExactly(second);
    assertThat(ids(JobSelection.all().correlationId(mark))).containsExactly(second);
    assertThat(ids(JobSelection.all().property("customer", "42"))).containsExactly(second);
    assertThat(ids(JobSelection.all().property("customer", "43"))).isEmpty();
    assertThat(ids(JobSelection.all().state(JobState.SCHEDULED))).containsExactly(second);
    assertThat(ids(JobSelection.all().types("app.follower", "x"))).hasSize(3);
    assertThat(ids(JobSelection.all().types("x"))).isEmpty();
    // Another receiver can claim the job while it is being browsed.
    assertThat(
            elsewhere
                .transaction(() -> jobs.receive(queue, Duration.ZERO).orElseThrow().id())
                .get())
        .isEqualTo(first);
    transaction.rollback();
  }

  private List<Long> ids(JobSelection selection) {
    return jobs.browse(queue, selection).stream().map(Job::id).toList();
  }

  @Test
  void purge_cancels_waiting_jobs_and_skips_claimed_jobs() throws Exception {
    long held = enqueued();
    transaction.begin();
    jobs.receive(queue, SOON).orElseThrow();
    long waiting = elsewhere.transaction(this::enqueued).get();
    assertThat(elsewhere.seen(() -> jobs.purge(queue))).isEqualTo(1);
    transaction.commit();
    assertThat(rows.state(waiting)).isEqualTo("CANCELLED");
    assertThat(rows.state(held)).isEqualTo("COMPLETED");
  }

  @Test
  void reply_is_the_result_of_the_handler() {
    long id =
        jobs.enqueue(
                JobRequest.of(new ContentHandlers.Question("life"))
                    .queue(queue)
                    .correlationId(mark))
            .id();
    JobReply reply = jobs.await(id, SOON);
    assertThat(reply.ended()).isTrue();
    assertThat(reply.state()).isEqualTo(JobState.COMPLETED);
    assertThat(reply.result(ContentHandlers.Answer.class))
        .isEqualTo(new ContentHandlers.Answer("about life", 4));
    assertThat(jobs.await(enqueued(), Duration.ofMillis(50)).state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void job_of_the_same_transaction_cannot_be_awaited() throws Exception {
    transaction.begin();
    long id = enqueued();
    assertThatThrownBy(() -> jobs.await(id, SOON))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("commit the transaction first");
    transaction.rollback();
  }

  @Test
  void handler_receives_unchanged_bytes() {
    byte[] bytes = {0, 1, -1, 'x'};
    JobReply reply = await(JobRequest.of("content.bytes", "image/png", bytes));
    assertThat(reply.json()).isEqualTo("4");
    assertThat((byte[]) script.seen(mark).get(0)).isEqualTo(bytes);
    // The handler that takes bytes also receives payloads of text and of JSON, as bytes.
    await(JobRequest.of("content.bytes", "text/plain", "ü"));
    await(JobRequest.of("content.bytes", "application/json", "{\"a\":1}"));
    assertThat((byte[]) script.seen(mark).get(1)).isEqualTo("ü".getBytes(UTF_8));
    assertThat((byte[]) script.seen(mark).get(2)).isEqualTo("{\"a\":1}".getBytes(UTF_8));
  }

  @Test
  void handler_receives_text_of_any_content_type() {
    await(JobRequest.of("content.text", "text/csv; charset=utf-8", "a;\"ü\"\n1;2"));
    await(JobRequest.of("content.text", "application/xml", "<a/>".getBytes(UTF_8)));
    await(JobRequest.of("content.text", "application/json", " {\"a\": 1.10}"));
    assertThat(script.seen(mark))
        .containsExactly(
            "text/csv; charset=utf-8: a;\"ü\"\n1;2",
            "application/xml: <a/>",
            "application/json:  {\"a\": 1.10}");
  }

  private JobReply await(JobRequest request) {
    long id = jobs.enqueue(request.queue(queue).correlationId(mark)).id();
    JobReply reply = jobs.await(id, SOON);
    assertThat(reply.state()).as("job %d", id).isEqualTo(JobState.COMPLETED);
    return reply;
  }

  @Test
  void old_versions_and_names_are_upcast_for_their_handler() {
    long own = jobs.enqueue(new Payloads.Versioned(mark, 1)).id();
    long old =
        jobs.enqueue(JobRequest.of("app.renamed", "application/json", "{}").delay(A_LONG_TIME))
            .id();
    rows.run(
        "update readpast_job set type = 'app.renamed', payload = cast(? as json),"
            + " available_at = clock_timestamp() where id = "
            + old,
        "{\"text\":\"" + mark + "\"}");
    rows.awaitState(own, "COMPLETED");
    rows.awaitState(old, "COMPLETED");
    assertThat(script.seen(mark)).containsExactlyInAnyOrder("app.versioned 2 1", "app.renamed 1 7");
    assertThat(
            rows.column(
                "select shape from readpast_registration where type = 'app.versioned@2'"
                    + " and application = ?",
                "job-queue"))
        .containsExactly("{number: number, text: text}");
  }

  @Test
  void content_of_an_unexpected_type_is_refused_or_unreadable() {
    assertThatThrownBy(() -> jobs.enqueue(JobRequest.of("content.text", "application/json", "{")))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("is not JSON");
    assertThatThrownBy(() -> jobs.enqueue(JobRequest.of("content.text", "nonsense", "x")))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("content type 'nonsense'");
    long id =
        jobs.enqueue(
                JobRequest.of("content.question", "image/png", new byte[1])
                    .queue(queue)
                    .maxAttempts(1))
            .id();
    rows.awaitState(id, "SCHEDULED");
    assertThat(rows.failures(id, "kind")).containsExactly("UNREADABLE");
    assertThat(jobs.cancel(id)).isTrue();
  }
}
