package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.api.Enqueued;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.JobStatus;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/**
 * Tests calls of applications that change jobs while nodes claim the same jobs and other callers
 * change them.
 */
class JobVerbsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration LATER = Duration.ofHours(1);

  private final Json json = new Json();
  private final JobPreparer preparer = JobPreparer.with(json, 1024 * 1024);
  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).writes(preparer::prepare, preparer::result);
  private final List<String> worked = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch gate = new CountDownLatch(1);
  private final ExecutorService callers = Executors.newFixedThreadPool(8);
  private JobQueue jobs;

  @BeforeEach
  void begin() {
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              worked.add(payload);
              if (payload.contains("gate")) {
                gate.await(20, TimeUnit.SECONDS);
              }
              return JobResult.done();
            })
        .start();
    jobs = NodeQueue.of(node, json, preparer);
  }

  @AfterEach
  void end() {
    gate.countDown();
    callers.shutdownNow();
    node.close();
  }

  private static JobRequest request(String payload) {
    return JobRequest.of("t", "application/json", '"' + payload + '"').queue("q");
  }

  private boolean inTransaction(Callable<Boolean> doing) throws Exception {
    return node.transactions().inHandlerTransaction(SOON, doing);
  }

  private JobState state(long id) {
    return jobs.find(id).orElseThrow().state();
  }

  private void awaitCompleted(long id) {
    Await.until(SOON, "job " + id + " COMPLETED", () -> state(id) == JobState.COMPLETED);
  }

  @Test
  void job_is_claimed_at_its_old_position_after_a_rolled_back_rescheduling() throws Exception {
    jobs.pause("q");
    long first = jobs.enqueue(request("first")).id();
    long other = jobs.enqueue(request("other")).id();
    inTransaction(
        () -> {
          jobs.reschedule(first, Instant.now().plus(LATER));
          callers.submit(() -> jobs.resume("q")).get();
          awaitEndedElsewhere(other);
          return false;
        });
    awaitCompleted(first);
  }

  /**
   * If another transaction created or marked the queue, each of the two transactions would wait for
   * the other.
   */
  @Test
  void transaction_that_pauses_a_queue_can_enqueue_the_first_job_of_its_node() throws Exception {
    database.execute(
        "insert into readpast_queue (name, used_at) values ('old', now() - interval '1 day')");
    for (String queue : List.of("old", "new")) {
      callers
          .submit(
              () ->
                  inTransaction(
                      () -> {
                        jobs.pause(queue);
                        jobs.enqueue(request("in " + queue).queue(queue));
                        jobs.resume(queue);
                        return true;
                      }))
          .get(15, TimeUnit.SECONDS);
      Await.until(SOON, () -> worked.contains("\"in " + queue + "\""));
    }
  }

  @Test
  void callers_that_replace_jobs_in_different_order_do_not_deadlock() throws Exception {
    jobs.pause("q");
    List<JobRequest> forth = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      forth.add(request("x").uniqueKey("k" + i).replaceWaiting());
    }
    List<JobRequest> back = new ArrayList<>(forth);
    Collections.reverse(back);
    jobs.enqueueAll(forth);
    List<Future<List<Enqueued>>> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      List<JobRequest> all = i % 2 == 0 ? forth : back;
      calls.add(callers.submit(() -> jobs.enqueueAll(all)));
    }
    for (Future<List<Enqueued>> call : calls) {
      assertThat(call.get(30, TimeUnit.SECONDS)).hasSize(20).allMatch(Enqueued::isUpdated);
    }
  }

  @Test
  void postponed_job_expires_no_earlier_than_its_last_request_asks() {
    jobs.pause("q");
    JobRequest request = request("x").uniqueKey("k").postpone(Duration.ofMinutes(10), LATER);
    long id = jobs.enqueue(request.expiresIn(Duration.ofMinutes(15))).id();

    assertThat(jobs.enqueue(request.expiresIn(Duration.ofMinutes(40))).isUpdated()).isTrue();
    assertThat(jobs.find(id).orElseThrow().expiresAt())
        .isAfter(Instant.now().plus(Duration.ofMinutes(35)));
    jobs.enqueue(request.expiresIn(Duration.ofMinutes(20)));
    assertThat(jobs.find(id).orElseThrow().expiresAt())
        .isAfter(Instant.now().plus(Duration.ofMinutes(35)));
    jobs.enqueue(request);
    assertThat(jobs.find(id).orElseThrow().expiresAt()).isNull();
  }

  /**
   * Waits until another connection sees that the job is COMPLETED, because claims have then skipped
   * the rows that this transaction locks.
   */
  private void awaitEndedElsewhere(long id) {
    Await.until(
        SOON,
        "job " + id + " COMPLETED",
        () -> TestDatabase.stateOf(database, id).equals(JobState.COMPLETED.name()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void claims_skip_a_job_that_a_transaction_locks_and_find_it_later(boolean commit)
      throws Exception {
    jobs.pause("q");
    long changed = jobs.enqueue(request("changed").uniqueKey("k")).id();
    long other = jobs.enqueue(request("other")).id();
    // Announcements in quick succession are combined, and the last one must not be lost.
    jobs.enqueue(request("changed").uniqueKey("k").replaceWaiting());
    inTransaction(
        () -> {
          Enqueued again = jobs.enqueue(request("again").uniqueKey("k").replaceWaiting());
          assertThat(again).isEqualTo(Enqueued.updated(changed));
          callers.submit(() -> jobs.resume("q")).get();
          awaitEndedElsewhere(other);
          return commit;
        });
    awaitCompleted(changed);
    assertThat(worked).containsExactly("\"other\"", commit ? "\"again\"" : "\"changed\"");
  }

  private int announced() {
    return Integer.parseInt(TestDatabase.value(database, "select count(*) from readpast_release"));
  }

  @Test
  void repeated_replacement_of_an_available_job_announces_it_only_a_few_times() {
    jobs.pause("q");
    JobRequest request = request("x").uniqueKey("k").replaceWaiting();
    long id = jobs.enqueue(request).id();
    long begin = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      assertThat(jobs.enqueue(request)).isEqualTo(Enqueued.updated(id));
    }
    long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();

    assertThat(announced()).isBetween(1, (int) (2 + millis / 200)).isLessThan(100);
    jobs.resume("q");
    awaitCompleted(id);
  }

  @Test
  void concurrent_enqueues_of_one_key_yield_one_live_job() throws Exception {
    JobRequest wave = request("debounced").uniqueKey("k").replaceWaiting();
    List<Future<Enqueued>> answers = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int no = i;
      answers.add(
          callers.submit(
              () ->
                  jobs.enqueue(
                      request("no " + no)
                          .uniqueKey("k")
                          .replaceWaiting()
                          .postpone(Duration.ofMillis(no % 3), Duration.ofMillis(20)))));
    }
    List<Long> ids = new ArrayList<>();
    int created = 0;
    int updated = 0;
    for (Future<Enqueued> answer : answers) {
      Enqueued enqueued = answer.get(30, TimeUnit.SECONDS);
      ids.add(enqueued.id());
      created += enqueued.isNew() ? 1 : 0;
      updated += enqueued.isUpdated() ? 1 : 0;
    }
    long last = jobs.enqueue(wave.postpone(Duration.ZERO, Duration.ZERO)).id();
    Await.until(SOON, "all jobs have completed", () -> jobs.find("k").isEmpty());

    assertThat(updated).as("postponed requests").isPositive();
    assertThat(ids.stream().distinct().count()).as("new jobs").isEqualTo(created);
    assertThat(worked).hasSizeBetween(created, created + 1);
    assertThat(state(last)).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void enqueue_waits_for_an_uncommitted_job_of_its_key_and_replaces_it() throws Exception {
    CountDownLatch enqueued = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Future<Boolean> first =
        callers.submit(
            () ->
                inTransaction(
                    () -> {
                      jobs.enqueue(request("first").uniqueKey("k").delay(LATER));
                      enqueued.countDown();
                      return release.await(20, TimeUnit.SECONDS);
                    }));
    enqueued.await();
    Future<Enqueued> second =
        callers.submit(() -> jobs.enqueue(request("second").uniqueKey("k").replaceWaiting()));
    Await.until(
        SOON,
        "the second call waits for the first",
        () ->
            TestDatabase.value(
                    database,
                    "select count(*) from pg_locks where not granted and locktype = 'transactionid'")
                .equals("1"));
    release.countDown();

    assertThat(first.get()).isTrue();
    assertThat(second.get().isUpdated()).isTrue();
    assertThat(jobs.find("k").orElseThrow().payload(String.class)).isEqualTo("\"second\"");
  }

  @Test
  void enqueue_does_not_lock_the_running_job_it_would_replace() throws Exception {
    long id = jobs.enqueue(request("gate").uniqueKey("k")).id();
    Await.until(SOON, "running", () -> state(id) == JobState.RUNNING);
    inTransaction(
        () -> {
          assertThat(jobs.enqueue(request("no").uniqueKey("k").replaceWaiting()))
              .isEqualTo(Enqueued.of(id, false));
          gate.countDown();
          Await.until(
              SOON,
              "COMPLETED while the caller's transaction is open",
              () -> TestDatabase.stateOf(database, id).equals(JobState.COMPLETED.name()));
          return true;
        });
  }

  @Test
  void repeatedly_postponed_job_starts_at_its_latest_start() {
    Duration latest = Duration.ofMillis(1_500);
    JobRequest request =
        request("debounced").uniqueKey("k").postpone(Duration.ofMillis(800), latest);
    long id = jobs.enqueue(request).id();
    Await.until(
        SOON,
        "started",
        () -> {
          Enqueued again = jobs.enqueue(request);
          return again.id() != id || !again.isUpdated();
        });
    JobStatus job = jobs.find(id).orElseThrow();
    assertThat(Duration.between(job.enqueuedAt(), job.availableAt())).isLessThanOrEqualTo(latest);
    awaitCompleted(id);
  }

  @Test
  void caller_gets_an_error_when_the_database_is_unavailable() {
    AtomicBoolean away = new AtomicBoolean();
    assertThatThrownBy(
            () ->
                inTransaction(
                    () -> {
                      int session = node.transactions().backend();
                      database.execute("select pg_terminate_backend(" + session + ", 5000)");
                      assertThatThrownBy(() -> jobs.enqueue(request("lost")))
                          .isInstanceOf(DatabaseUnavailableException.class)
                          .hasMessageContaining("the database cannot be used at present");
                      away.set(true);
                      return false;
                    }))
        .isInstanceOf(RuntimeException.class);
    assertThat(away).isTrue();
    assertThat(jobs.find(jobs.enqueue(request("next")).id())).isPresent();
  }

  @Test
  void search_by_correlation_id_does_not_scan_other_jobs() {
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, payload, correlation_id)
        select 'far', 'x', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}', 'c' || i
        from generate_series(1, 20000) i""");
    database.execute("analyze readpast_job");
    assertThat(jobs.findByCorrelationId("c77")).hasSize(1);
    List<String> plan =
        TestDatabase.column(
            database,
            "explain "
                + org.readpast.admin.sql.FindSql.byCorrelationId()
                    .replace("?1", "'c77'")
                    .replace("?2", "0")
                    .replace("?3", "100"));
    assertThat(String.join("\n", plan))
        .contains("readpast_job_correlation", "readpast_job_history_correlation")
        .doesNotContain("Seq Scan on readpast_job j", "Seq Scan on readpast_job_history");
    assertThat(IntStream.range(0, 3).mapToObj(i -> jobs.findByCorrelationId("none")))
        .allMatch(List::isEmpty);
  }
}
