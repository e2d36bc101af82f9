package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.Enqueued;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

class ReceiveIT {
  private static final Duration SOON = Duration.ofSeconds(15);

  private Database database;
  private TestNode node;

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database);
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  private String state(long id) {
    List<String> ended =
        TestDatabase.column(database, "select state from readpast_job_history where id = " + id);
    return ended.isEmpty()
        ? value(database, "select state from readpast_job where id = " + id)
        : ended.get(0);
  }

  private void awaitState(long id, String state) {
    Await.until(SOON, "state " + state + " of job " + id, () -> state(id).equals(state));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_runs_once_and_is_kept_in_the_history(ReceiveMode mode) {
    AtomicInteger runs = new AtomicInteger();
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              runs.incrementAndGet();
              return JobResult.done();
            })
        .start();
    long id = node.enqueue("t");
    awaitState(id, "COMPLETED");
    assertThat(runs).hasValue(1);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
    assertThat(
            value(
                database,
                "select attempt || ' ' || (started_at is not null) || ' ' || (node is not null)"
                    + " from readpast_job_history"))
        .isEqualTo("1 true true");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void each_of_many_jobs_runs_once(ReceiveMode mode) {
    AtomicInteger runs = new AtomicInteger();
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              runs.incrementAndGet();
              return JobResult.done();
            })
        .start();
    NewJob[] jobs = new NewJob[2_000];
    java.util.Arrays.setAll(jobs, i -> job("t", i % 10, null));
    node.enqueue(jobs);
    Await.until(
        Duration.ofSeconds(60),
        "all jobs have ended",
        () ->
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'")
                == 2_000);
    assertThat(runs).hasValue(2_000);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void failing_job_is_retried_and_discarded_with_all_attempts_recorded(ReceiveMode mode) {
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              throw new IllegalStateException("no\0 luck in attempt " + context.attempt());
            })
        .start();
    long id = node.enqueue("t");
    awaitState(id, "DISCARDED");
    assertThat(
            TestDatabase.column(
                database, "select attempt || ':' || message from readpast_failure order by id"))
        .containsExactly(
            "1:no\uFFFD luck in attempt 1",
            "2:no\uFFFD luck in attempt 2",
            "3:no\uFFFD luck in attempt 3");
    assertThat(value(database, "select attempt from readpast_job_history where id = " + id))
        .isEqualTo("3");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void retry_later_is_not_counted_and_fail_now_discards(ReceiveMode mode) {
    node.handles(
        "later",
        mode,
        (payload, context) ->
            context.attempt() <= 5
                ? JobResult.retryLater(Duration.ofMillis(20))
                : JobResult.done());
    node.handles("never", mode, (payload, context) -> JobResult.failNow("not today")).start();
    long later = node.enqueue("later");
    long never = node.enqueue("never");
    awaitState(later, "COMPLETED");
    awaitState(never, "DISCARDED");
    assertThat(value(database, "select message from readpast_failure where job_id = " + never))
        .isEqualTo("not today");
    Await.until(
        SOON,
        "one attempt counted as failed",
        () -> node.engine().figures().stream().mapToLong(f -> f.counters().failed()).sum() == 1);
    assertThat(count(database, "select attempt from readpast_job_history where id = " + never))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void handler_sees_the_last_failure_and_its_remaining_retries(ReceiveMode mode) {
    List<String> seen = java.util.Collections.synchronizedList(new java.util.ArrayList<>());
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              seen.add(context.retriesRemaining() + " " + context.lastFailure());
              throw new IllegalStateException("no. " + context.attempt());
            })
        .start();
    awaitState(node.enqueue("t"), "DISCARDED");
    assertThat(seen)
        .containsExactly(
            "2 null",
            "1 java.lang.IllegalStateException: no. 1",
            "0 java.lang.IllegalStateException: no. 2");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_are_enqueued_with_the_end_of_the_job_that_enqueues_them(ReceiveMode mode) {
    node.handles(
        "parent",
        mode,
        (payload, context) -> {
          context.enqueue("child");
          if (context.attempt() == 1) {
            throw new IllegalStateException("first");
          }
          return JobResult.done();
        });
    node.handles("child", mode, (payload, context) -> JobResult.done()).start();
    long parent = node.enqueue("parent");
    awaitState(parent, "COMPLETED");
    Await.until(
        SOON,
        "one child has ended",
        () ->
            count(database, "select count(*) from readpast_job_history where type = 'child'") == 1);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_whose_enqueues_are_refused_fails_without_affecting_other_jobs(ReceiveMode mode) {
    node.writes(
            request -> TestNode.job("child", JobDependencies.inBatch("sealed", 1)),
            result -> "\"result\"")
        .handles(
            "parent",
            mode,
            (payload, context) -> {
              context.enqueue("child");
              return JobResult.done();
            })
        .handles("other", mode, (payload, context) -> JobResult.done())
        .start();
    database.execute(
        "insert into readpast_batch (name, on_failure, sealed_at) values ('sealed', 'HOLD', now())");
    long parent = node.enqueue("parent");
    awaitState(parent, "DISCARDED");
    assertThat(
            TestDatabase.column(
                database,
                "select distinct exception from readpast_failure where message like '%sealed%'"))
        .containsExactly("org.readpast.api.BatchSealedException");
    assertThat(count(database, "select count(*) from readpast_failure")).isEqualTo(3);
    awaitState(node.enqueue("other"), "COMPLETED");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void job_without_a_type_in_its_properties_fails_normally(ReceiveMode mode) {
    node.handles("t", mode, (payload, context) -> JobResult.done()).start();
    NewJob job = TestNode.job("t").withProperties("{\"readpast.then\":\"!\"}");
    long id = node.enqueue(job).get(0).id();
    awaitState(id, "DISCARDED");
    assertThat(
            TestDatabase.column(
                database, "select attempt || ':' || message from readpast_failure order by id"))
        .hasSize(3)
        .first()
        .isEqualTo("1:the properties of the job cannot be read");
    awaitState(node.enqueue("t"), "COMPLETED");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void handler_does_not_see_properties_of_the_engine(ReceiveMode mode) {
    Queue<Map<String, String>> found = new ConcurrentLinkedQueue<>();
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              found.add(context.properties());
              return JobResult.done();
            })
        .handles("next", mode, (payload, context) -> JobResult.done())
        .start();
    node.enqueue(TestNode.job("t").withProperties("{\"readpast.then\":\"next\",\"mine\":\"1\"}"));
    Await.until(
        SOON,
        "the follower has ended",
        () ->
            count(
                    database,
                    "select count(*) from readpast_job_history where type = 'next' and state = 'COMPLETED'")
                == 1);
    assertThat(found).containsExactly(Map.of("mine", "1"));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void engine_failure_outside_the_handler_is_retried_a_limited_number_of_times(ReceiveMode mode) {
    AtomicInteger begun = new AtomicInteger();
    node.instrumentation(
            (job, properties) -> {
              begun.incrementAndGet();
              throw new NoClassDefFoundError("sees nothing");
            })
        .handles("t", mode, (payload, context) -> JobResult.done())
        .start();
    awaitState(node.enqueue("t"), "DISCARDED");
    assertThat(begun).hasValue(6);
    assertThat(count(database, "select count(*) from readpast_failure")).isEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void attempt_that_exceeds_its_time_limit_is_interrupted_and_recorded(ReceiveMode mode) {
    node.handles(
            "slow",
            mode,
            org.readpast.model.RetryPolicy.DEFAULT,
            Duration.ofMillis(300),
            (payload, context) -> {
              if (context.attempt() == 1) {
                new CountDownLatch(1).await();
              }
              return JobResult.done();
            })
        .start();
    long id = node.enqueue("slow");
    awaitState(id, "COMPLETED");
    assertThat(value(database, "select kind from readpast_failure where job_id = " + id))
        .isEqualTo("TIMED_OUT");
  }

  @Test
  void results_of_an_enqueue_are_in_the_order_of_the_requests() {
    node.handles("another", ReceiveMode.LEASED, (payload, context) -> JobResult.done()).start();
    for (boolean alike : new boolean[] {true, false}) {
      NewJob[] jobs = new NewJob[2_500];
      java.util.Arrays.setAll(
          jobs,
          i ->
              new NewJob(
                  "q",
                  "t",
                  alike ? 4 : i % 10,
                  null,
                  null,
                  null,
                  null,
                  null,
                  null,
                  null,
                  null,
                  Integer.toString(i)));
      List<Long> answers = node.enqueue(jobs).stream().map(Enqueued::id).toList();
      for (String order : new String[] {"id", "position"}) {
        assertThat(
                TestDatabase.column(
                    database,
                    "select id || ' ' || cast(payload as text) from readpast_job where id >= "
                        + answers.get(0)
                        + " order by "
                        + order))
            .isEqualTo(IntStream.range(0, 2_500).mapToObj(i -> answers.get(i) + " " + i).toList());
      }
    }
  }

  @Test
  void transactional_handler_that_marks_rollback_has_failed() {
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              if (context.attempt() == 1) {
                node.transactions().setRollbackOnly();
              }
              return JobResult.done();
            })
        .start();
    long id = node.enqueue("t");
    awaitState(id, "COMPLETED");
    assertThat(
            count(
                database, "select count(*) from readpast_failure where message like '%rollback%'"))
        .isEqualTo(1);
  }

  @Test
  void job_is_not_claimed_again_while_its_handler_continues_after_a_database_error() {
    AtomicInteger starts = new AtomicInteger();
    CountDownLatch again = new CountDownLatch(1);
    AtomicBoolean overlapped = new AtomicBoolean();
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              if (starts.incrementAndGet() > 1) {
                again.countDown();
                return JobResult.done();
              }
              try {
                node.transactions().entityManager().createNativeQuery("select 1/0").getResultList();
              } catch (RuntimeException e) {
                // The failed transaction has released the row lock, and this signal makes a
                // receiver poll.
                node.engine().signals().jobsAvailable(List.of("q"));
                overlapped.set(again.await(2, TimeUnit.SECONDS));
              }
              throw new IllegalStateException("after all");
            })
        .start();

    long id = node.enqueue("t");
    awaitState(id, "COMPLETED");

    assertThat(overlapped).isFalse();
    assertThat(starts).hasValue(2);
  }

  @Test
  void delayed_job_starts_when_due_and_not_earlier() {
    node.handles("t", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done()).start();
    long id = node.enqueue(job("t", 4, Duration.ofMillis(1_200))).get(0).id();
    assertThat(state(id)).isEqualTo("SCHEDULED");
    awaitState(id, "COMPLETED");
    assertThat(
            count(
                database,
                "select cast(extract(epoch from started_at - enqueued_at) * 1000 as bigint) from readpast_job_history"))
        .isBetween(1_200L, 3_000L);
  }

  @Test
  void higher_priorities_go_first() {
    List<Integer> order = new java.util.concurrent.CopyOnWriteArrayList<>();
    node.concurrency(1)
        .handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              order.add(context.priority());
              return JobResult.done();
            })
        .start();
    node.enqueue(job("t", 1, null), job("t", 9, null), job("t", 4, null), job("t", 9, null));
    Await.until(SOON, "all jobs have run", () -> order.size() == 4);
    assertThat(order).containsExactly(9, 9, 4, 1);
  }

  @Test
  void a_unique_key_has_one_live_job() {
    CountDownLatch go = new CountDownLatch(1);
    node.handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              go.await(10, TimeUnit.SECONDS);
              return JobResult.done();
            })
        .start();
    NewJob unique = new NewJob("q", "t", 4, null, null, null, null, "k", null, null, null, "{}");
    var both = node.enqueue(unique, unique);
    assertThat(both.get(0).isNew()).isTrue();
    assertThat(both.get(1)).isEqualTo(org.readpast.api.Enqueued.of(both.get(0).id(), false));
    assertThat(node.enqueue(unique).get(0).isNew()).isFalse();
    go.countDown();
    awaitState(both.get(0).id(), "COMPLETED");
    assertThat(node.enqueue(unique).get(0).isNew()).isTrue();
  }

  @Test
  void an_expired_job_is_never_started() {
    node.handles("t", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done()).start();
    NewJob job =
        new NewJob(
            "q",
            "t",
            4,
            Duration.ofSeconds(3),
            null,
            Duration.ofMillis(10),
            null,
            null,
            null,
            null,
            null,
            "{}");
    long id = node.enqueue(job).get(0).id();
    awaitState(id, "EXPIRED");
  }

  @Test
  void unhandled_types_are_not_claimed() {
    node.handles("mine", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done()).start();
    long theirs = node.enqueue("theirs");
    long mine = node.enqueue("mine");
    awaitState(mine, "COMPLETED");
    assertThat(state(theirs)).isEqualTo("AVAILABLE");
  }

  @Test
  void paused_queue_waits_until_it_is_resumed_and_concurrency_changes_at_run_time() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    node.concurrency(1)
        .lease(Duration.ofSeconds(3))
        .handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
              running.decrementAndGet();
              return JobResult.done();
            })
        .start();
    long first = node.enqueue("t");
    awaitState(first, "COMPLETED");
    database.execute("update readpast_queue set paused = true");
    node.engine().signals().queueChanged("q");
    Await.until(
        Duration.ofSeconds(20),
        "the node has read the pause",
        () -> node.engine().figures().stream().anyMatch(QueueFigures::paused));
    long second = node.enqueue("t");
    assertThat(state(second)).isEqualTo("AVAILABLE");
    database.execute("update readpast_queue set paused = false, concurrency = 3");
    awaitState(second, "COMPLETED");
    assertThat(most).hasValue(1);
    for (int i = 0; i < 12; i++) {
      node.enqueue("t");
    }
    Await.until(SOON, "three jobs ran concurrently", () -> most.get() == 3);
    Await.until(SOON, "drained", () -> count(database, "select count(*) from readpast_job") == 0);
    assertThat(most).hasValue(3);
  }
}
