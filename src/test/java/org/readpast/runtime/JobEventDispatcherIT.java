package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.JobControl;
import org.readpast.api.Backoff;
import org.readpast.api.BatchFailure;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobEvent;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.enqueue.Batches;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.Principal;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests which events observers receive when jobs end. */
class JobEventDispatcherIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final RetryPolicy ONCE =
      new RetryPolicy(1, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of());

  private final Database database = TestDatabase.withTables();
  private final List<JobEvent> delivered = new CopyOnWriteArrayList<>();
  private final List<JobEvent> early = new CopyOnWriteArrayList<>();
  private final TestNode node = new TestNode(database).lease(Duration.ofSeconds(2));

  @AfterEach
  void close() {
    node.close();
    assertThat(early).as("events before the commit").isEmpty();
  }

  private JobObservers observers(JobState... states) {
    return new JobObservers() {
      @Override
      public List<EventFilter> filters() {
        return List.of(EventFilter.in(states));
      }

      @Override
      public void deliver(JobEvent job) {
        // Other transactions must see that the job of an event has completed.
        long seen =
            count(
                database,
                "select count(*) from readpast_job_history where id = "
                    + job.id()
                    + " and state = '"
                    + job.state()
                    + "'");
        if (seen != 1) {
          early.add(job);
        }
        delivered.add(job);
      }
    };
  }

  private void awaitTold(int jobs) {
    try {
      Await.until(SOON, jobs + " events", () -> delivered.size() >= jobs);
    } catch (AssertionError e) {
      throw new AssertionError("received: " + delivered, e);
    }
  }

  private static NewJob full(String type, Instant expiresAt) {
    return new NewJob(
            "q", type, 4, null, null, null, expiresAt, "k-" + type, "c-" + type, null, null, "{}")
        .by(Principal.of("eve", Set.of()));
  }

  private static JobEvent event(long id, String type, JobState state, int attempt, String failure) {
    return new EndedJobEvent(
        id,
        "q",
        type,
        state,
        attempt,
        "k-" + type,
        "c-" + type,
        "eve",
        failure,
        null,
        null,
        Map.of());
  }

  private static JobEvent bare(long id) {
    return new EndedJobEvent(
        id, "q", "nobody", JobState.CANCELLED, 0, null, null, null, null, null, null, Map.of());
  }

  private NewJob ofBatch(String type, Instant expiresAt, @Nullable Integer maxAttempts) {
    new Batches(node.transactions()).create("year-end", BatchFailure.CONTINUE, () -> {});
    return new NewJob(
        "q",
        type,
        4,
        null,
        null,
        null,
        expiresAt,
        null,
        null,
        "{\"customer\": \"42\"}",
        maxAttempts,
        new JobDependencies(
            "g-" + type,
            GroupFailure.SKIP,
            "year-end",
            1,
            null,
            List.of(),
            List.of(),
            PredecessorFailure.HOLD),
        "{}",
        null);
  }

  @Test
  void event_contains_group_batch_and_properties_of_the_job() throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    node.observedBy(
        observers(JobState.COMPLETED, JobState.EXPIRED, JobState.CANCELLED, JobState.DISCARDED));
    node.handles("well", ReceiveMode.TRANSACTIONAL, (payload, context) -> JobResult.done());
    node.start();
    var control = new JobControl(node.transactions(), node.engine().signals(), node.audit());
    Set<Long> all = new TreeSet<>();
    try (TestNode dying = new TestNode(database).lease(Duration.ofSeconds(2))) {
      dying.handles(
          "hangs",
          ReceiveMode.LEASED,
          ONCE,
          SOON,
          (payload, context) -> {
            working.countDown();
            end.await();
            return JobResult.done();
          });
      dying.start();
      all.add(dying.enqueue(ofBatch("hangs", null, 1)).get(0).id());
      all.add(node.enqueue(ofBatch("well", null, null)).get(0).id());
      long cancelled = node.enqueue(ofBatch("nobody", null, null)).get(0).id();
      all.add(cancelled);
      assertThat(working.await(20, TimeUnit.SECONDS)).isTrue();
      // The resolver of any node, even of the dying one, may cancel a job that is still BLOCKED.
      Await.until(
          SOON,
          "the job to cancel is AVAILABLE",
          () ->
              TestDatabase.value(database, "select state from readpast_job where id = " + cancelled)
                  .equals("AVAILABLE"));
      dying.die();
      control.cancel(cancelled);
      // The dying node has no observers, so it must not be the node that detects the expiry.
      all.add(node.enqueue(ofBatch("late", Instant.now().plusMillis(300), null)).get(0).id());
      awaitTold(4);
      end.countDown();
    }
    assertThat(delivered.stream().map(JobEvent::id).sorted()).containsExactlyElementsOf(all);
    assertThat(delivered.stream().map(JobEvent::state).distinct()).hasSize(4);
    assertThat(delivered)
        .allSatisfy(
            job -> {
              assertThat(job.batch()).isEqualTo("year-end");
              assertThat(job.group()).isEqualTo("g-" + job.type());
              assertThat(job.properties()).isEqualTo(Map.of("customer", "42"));
            });
  }

  @Test
  void each_completion_by_a_worker_is_reported_once() {
    node.observedBy(observers(JobState.COMPLETED, JobState.DISCARDED));
    for (ReceiveMode mode : ReceiveMode.values()) {
      node.handles("well." + mode, mode, (payload, context) -> JobResult.done());
      node.handles(
          "badly." + mode,
          mode,
          new RetryPolicy(
              2, Backoff.FIXED, Duration.ofMillis(1), Duration.ofMillis(1), 0, List.of()),
          SOON,
          (payload, context) -> {
            throw new IllegalStateException("never");
          });
    }
    node.start();
    for (ReceiveMode mode : ReceiveMode.values()) {
      delivered.clear();
      long well = node.enqueue(full("well." + mode, null)).get(0).id();
      awaitTold(1);
      long badly = node.enqueue(full("badly." + mode, null)).get(0).id();
      awaitTold(2);
      assertThat(delivered)
          .containsExactly(
              event(well, "well." + mode, JobState.COMPLETED, 1, null),
              event(
                  badly,
                  "badly." + mode,
                  JobState.DISCARDED,
                  2,
                  "java.lang.IllegalStateException: never"));
    }
  }

  @Test
  void rolled_back_completion_is_not_reported() {
    CountDownLatch spoilt = new CountDownLatch(1);
    database.execute("create table once (no int unique deferrable initially deferred)");
    node.observedBy(observers(JobState.COMPLETED, JobState.CANCELLED));
    node.handles(
        "spoilt",
        ReceiveMode.TRANSACTIONAL,
        (payload, context) -> {
          // The commit fails after the job has ended.
          for (int no = context.attempt(); no < 3; no++) {
            node.transactions()
                .entityManager()
                .createNativeQuery("insert into once values (1)")
                .executeUpdate();
          }
          spoilt.countDown();
          return JobResult.done();
        });
    node.start();
    long id = node.enqueue(full("spoilt", null)).get(0).id();
    awaitTold(1);
    assertThat(spoilt.getCount()).isZero();
    var control = new JobControl(node.transactions(), node.engine().signals(), node.audit());
    long kept = node.enqueue(TestNode.job("nobody", 4, Duration.ofHours(1))).get(0).id();
    try {
      node.transactions()
          .required(
              () -> {
                control.cancel(kept);
                throw new IllegalStateException("rolled back");
              });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("rolled back");
    }
    control.cancel(kept);
    awaitTold(2);
    assertThat(delivered)
        .containsExactly(event(id, "spoilt", JobState.COMPLETED, 2, null), bare(kept));
  }

  @Test
  void node_that_detects_a_completion_without_a_worker_reports_it() {
    node.observedBy(observers(JobState.CANCELLED, JobState.EXPIRED));
    node.handles(
        "badly",
        ReceiveMode.LEASED,
        ONCE,
        SOON,
        (payload, context) -> {
          throw new IllegalStateException("never");
        });
    node.start();
    long expired = node.enqueue(full("late", Instant.now().plusMillis(300))).get(0).id();
    awaitTold(1);
    long bad = node.enqueue(TestNode.job("badly")).get(0).id();
    long follower =
        node.enqueue(
                TestNode.job(
                    "nobody",
                    new JobDependencies(
                        null,
                        GroupFailure.SKIP,
                        null,
                        0,
                        null,
                        List.of(bad),
                        List.of(),
                        PredecessorFailure.CANCEL)))
            .get(0)
            .id();
    awaitTold(2);
    assertThat(delivered)
        .containsExactly(event(expired, "late", JobState.EXPIRED, 0, null), bare(follower));
  }

  @Test
  void dead_letter_of_a_dead_node_is_reported_by_the_node_that_takes_over() {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (TestNode dying = new TestNode(database).lease(Duration.ofSeconds(2))) {
      dying.handles(
          "hangs",
          ReceiveMode.LEASED,
          ONCE,
          SOON,
          (payload, context) -> {
            working.countDown();
            end.await();
            return JobResult.done();
          });
      dying.start();
      node.observedBy(observers(JobState.DISCARDED, JobState.COMPLETED));
      node.start();
      NewJob atMostOnce =
          new NewJob("q", "hangs", 4, null, null, null, null, "k-hangs", "c-hangs", null, 1, "{}")
              .by(Principal.of("eve", Set.of()));
      long id = dying.enqueue(atMostOnce).get(0).id();
      Await.until(SOON, "work", () -> working.getCount() == 0);
      dying.die();
      awaitTold(1);
      assertThat(delivered)
          .containsExactly(
              event(id, "hangs", JobState.DISCARDED, 1, "its node died while the job was running"));
      end.countDown();
    }
  }

  @Test
  void slow_or_failing_observer_does_not_delay_workers_or_other_observers() {
    CountDownLatch free = new CountDownLatch(1);
    JobObservers slow = observers(JobState.COMPLETED);
    node.observedBy(
        new JobObservers() {
          @Override
          public List<EventFilter> filters() {
            return slow.filters();
          }

          @Override
          public void deliver(JobEvent job) {
            try {
              free.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            slow.deliver(job);
            throw new IllegalStateException("after " + job.id());
          }
        });
    node.handles("well", ReceiveMode.LEASED, (payload, context) -> JobResult.done());
    node.start();
    for (int i = 0; i < 20; i++) {
      node.enqueue("well");
    }
    Await.until(
        SOON,
        "all jobs have completed",
        () ->
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'")
                == 20);
    assertThat(delivered).isEmpty();
    free.countDown();
    awaitTold(20);
    assertThat(delivered).doesNotHaveDuplicates().hasSize(20);
  }
}
