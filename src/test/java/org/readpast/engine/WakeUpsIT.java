package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.Backoff;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.Debounce;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.runtime.PgNotices;
import org.readpast.store.QueueCounters;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests that a node wakes as many receivers as it has jobs for, and hardly more. */
class WakeUpsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration NEVER = Duration.ofMinutes(5);

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).concurrency(16).poll(NEVER);
  private final AtomicInteger inWork = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final Semaphore mayEnd = new Semaphore(0, true);

  @AfterEach
  void closeNode() {
    mayEnd.release(10_000);
    node.close();
  }

  private JobResult atOnce(String payload, JobContext context) {
    done.incrementAndGet();
    return JobResult.done();
  }

  private JobResult heldUp(String payload, JobContext context) throws InterruptedException {
    inWork.incrementAndGet();
    try {
      assertThat(mayEnd.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      return JobResult.done();
    } finally {
      inWork.decrementAndGet();
      done.incrementAndGet();
    }
  }

  private static NewJob of(String queue, String type) {
    return new NewJob(queue, type, 4, null, null, null, null, null, null, null, null, "{}");
  }

  private static long emptyReceives(TestNode of) {
    return of.engine().figures().stream()
        .map(QueueFigures::counters)
        .mapToLong(QueueCounters::emptyReceives)
        .sum();
  }

  private void awaitQuiet() {
    Await.until(SOON, "no receiver is running", () -> node.engine().receivers() == 0);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void single_job_wakes_one_receiver(ReceiveMode mode) {
    node.handles("t", mode, this::atOnce).start();
    node.enqueue("t");
    Await.until(SOON, "the first job has ended", () -> done.get() == 1);
    awaitQuiet();
    long before = emptyReceives(node);
    for (int jobs = 2; jobs <= 21; jobs++) {
      node.enqueue("t");
      int expected = jobs;
      Await.until(SOON, "job " + jobs + " has ended", () -> done.get() == expected);
      awaitQuiet();
    }
    // Each job has one receiver that finds no further job. The regular poll may wake another
    // receiver.
    assertThat(emptyReceives(node) - before).isBetween(20L, 25L);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_run_concurrently_whether_enqueued_singly_or_together(ReceiveMode mode) {
    node.handles("t", mode, this::heldUp).start();
    node.enqueue("t");
    Await.until(SOON, "the first job runs", () -> inWork.get() == 1);
    mayEnd.release(1);
    awaitQuiet();
    for (int jobs = 1; jobs <= 4; jobs++) {
      node.enqueue("t");
      int expected = jobs;
      Await.until(SOON, jobs + " jobs run", () -> inWork.get() == expected);
    }
    mayEnd.release(4);
    awaitQuiet();
    node.enqueue(job("t"), job("t"), job("t"), job("t"));
    Await.until(SOON, "all jobs run", () -> inWork.get() == 4);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_enqueued_singly_while_no_worker_was_free_run_concurrently(ReceiveMode mode) {
    node.handles("t", mode, this::heldUp).start();
    node.enqueue(of("quiet", "t"));
    Await.until(SOON, "the queue is served", () -> inWork.get() == 1);
    mayEnd.release(1);
    awaitQuiet();
    node.enqueue(Stream.generate(() -> of("busy", "t")).limit(16).toArray(NewJob[]::new));
    Await.until(SOON, "all workers are busy", () -> inWork.get() == 16);
    for (int jobs = 0; jobs < 3; jobs++) {
      node.enqueue(of("quiet", "t"));
    }
    mayEnd.release(16);
    Await.until(SOON, "the first job has ended", () -> done.get() == 17);
    Await.until(SOON, "all waiting jobs run", () -> inWork.get() == 3);
  }

  @Test
  void unannounced_job_does_not_wait_for_another_job() {
    // The first node runs until the end of the test, because other nodes scan all lanes when a node
    // has stopped.
    try (TestNode brief = new TestNode(database).concurrency(16).poll(Duration.ofSeconds(2));
        TestNode silent = new TestNode(database).poll(NEVER)) {
      brief.handles("t", ReceiveMode.TRANSACTIONAL, this::heldUp).start();
      silent.start();
      brief.enqueue("t");
      Await.until(SOON, "the first job runs", () -> inWork.get() == 1);
      mayEnd.release(1);
      Await.until(SOON, "no receiver is running", () -> brief.engine().receivers() == 0);
      silent.enqueue("t");
      brief.enqueue("t");
      Await.until(SOON, "both jobs run", () -> inWork.get() == 2);
      mayEnd.release(2);
    }
  }

  @Test
  void jobs_rolled_back_together_run_concurrently_again() {
    AtomicInteger failing = new AtomicInteger(1);
    // No receiver is woken for the job that failed.
    RetryPolicy once =
        new RetryPolicy(
            1, Backoff.FIXED, Duration.ofMillis(1), Duration.ofSeconds(1), 0, List.of());
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            4,
            once,
            SOON,
            (payload, context) -> {
              // When the fourth job runs, the other receivers have polled, and have found that one
              // receiver has all jobs.
              if (failing.get() > 0 && done.incrementAndGet() == 4) {
                failing.set(0);
                Await.until(SOON, "the others have stopped", () -> node.engine().receivers() == 1);
                throw new IllegalStateException("the last of four");
              }
              return failing.get() > 0 ? JobResult.done() : heldUp(payload, context);
            })
        .start();
    node.enqueue(job("t"), job("t"), job("t"), job("t"));
    Await.until(SOON, "the other jobs run", () -> inWork.get() == 3);
  }

  private static NewJob keyed(int priority, @Nullable Duration delay) {
    return new NewJob("q", "t", priority, delay, null, null, null, "k", null, null, null, "{}");
  }

  private static NewJob replacing(int priority) {
    return keyed(priority, null).with(Debounce.of(true, null, null));
  }

  @Test
  void enqueue_that_makes_no_job_available_wakes_no_receiver() {
    node.handles("t", ReceiveMode.TRANSACTIONAL, this::atOnce).start();
    node.enqueue("t");
    Await.until(SOON, "the first job has ended", () -> done.get() == 1);
    awaitQuiet();
    node.enqueue(keyed(4, NEVER));
    long before = wakeUps(node);

    assertThat(node.enqueue(replacing(4)).get(0).isUpdated()).isTrue();
    assertThat(node.enqueue(keyed(4, null)).get(0).isNew()).isFalse();

    assertThat(wakeUps(node)).isEqualTo(before);
  }

  private static long wakeUps(TestNode of) {
    return of.engine().figures().stream()
        .map(QueueFigures::counters)
        .mapToLong(QueueCounters::wakeUps)
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"more urgent", "replaced", "postponed"})
  void waiting_job_made_available_by_a_request_runs_on_any_node(String how) {
    node.notifiesOtherNodes().handles("t", ReceiveMode.TRANSACTIONAL, this::atOnce).start();
    node.enqueue("t");
    Await.until(SOON, "the first job has ended", () -> done.get() == 1);
    awaitQuiet();
    try (TestNode sender = new TestNode(database).poll(NEVER).notifiesOtherNodes()) {
      sender.start();
      node.enqueueOnly(keyed(4, null));
      Duration soon = Duration.ofMillis(300);
      NewJob change =
          switch (how) {
            case "more urgent" -> replacing(9);
            case "replaced" -> replacing(4);
            default -> keyed(4, null).with(Debounce.of(false, soon, Duration.ofMinutes(1)));
          };

      assertThat(sender.enqueue(change).get(0).isUpdated()).isTrue();
      Await.until(SOON, "the changed job has ended", () -> done.get() == 2);
    }
  }

  @Test
  void job_of_another_node_wakes_only_nodes_that_handle_its_type() {
    node.notifiesOtherNodes().handles("other", ReceiveMode.LEASED, this::atOnce).start();
    try (TestNode sender = new TestNode(database).poll(NEVER).notifiesOtherNodes();
        TestNode worker = new TestNode(database).poll(NEVER).notifiesOtherNodes()) {
      sender.start();
      worker.handles("t", ReceiveMode.LEASED, this::heldUp).start();
      sender.enqueue(job("t"), job("other"));
      Await.until(
          SOON, "both nodes have received their job", () -> inWork.get() == 1 && done.get() == 1);
      mayEnd.release(100);
      awaitQuiet();
      Await.until(SOON, "no receiver is running", () -> worker.engine().receivers() == 0);
      long before = emptyReceives(node);
      long after = emptyReceives(worker);
      for (int jobs = 3; jobs <= 12; jobs++) {
        sender.enqueue("t");
        int expected = jobs;
        Await.until(SOON, "job " + jobs + " has ended", () -> done.get() == expected);
      }
      assertThat(emptyReceives(node) - before).isLessThan(5);
      // After each job, one receiver finds no further job. If there were several jobs, a second
      // receiver would have polled.
      assertThat(emptyReceives(worker) - after).isLessThan(15);
    }
  }

  @Test
  void malformed_notifications_are_ignored() {
    List<Throwable> ended = new CopyOnWriteArrayList<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, why) -> ended.add(why));
    node.notifiesOtherNodes().handles("t", ReceiveMode.LEASED, this::atOnce).start();
    try (TestNode sender = new TestNode(database).poll(NEVER).notifiesOtherNodes()) {
      sender.start();
      sender.enqueue("t");
      Await.until(SOON, "the first job has ended", () -> done.get() == 1);
      database.execute(
          "select pg_notify("
              + PgNotices.CHANNEL
              + ", '?x,=y,:,a:b,q:t:z,q:t:99,,q:t:4:x,q:t:4:1:1')");
      sender.enqueue("t");
      Await.until(SOON, "the second job has ended", () -> done.get() == 2);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(null);
    }
    assertThat(ended).as("exceptions that ended a listener").isEmpty();
  }
}
