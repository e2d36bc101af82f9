package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.BatchControl;
import org.readpast.admin.BatchControl.Event;
import org.readpast.admin.JobControl;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.BatchView;
import org.readpast.api.BatchFailure;
import org.readpast.api.BatchSealedException;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.StateConflictException;
import org.readpast.model.JobDependencies;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests failures, sealing, callbacks and cancellation of batches. */
class BatchIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Set<Long> failing = ConcurrentHashMap.newKeySet();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private Database database;
  private TestNode node;
  private BatchControl batches;

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node =
        new TestNode(database)
            .handles("work", ReceiveMode.LEASED, (payload, context) -> work(context.id()))
            .handles("callback", ReceiveMode.LEASED, (payload, context) -> JobResult.done())
            .start();
    batches =
        new BatchControl(node.transactions(), node.engine().signals(), job -> job, node.audit());
  }

  @AfterEach
  void closeNode() {
    gates.values().forEach(CountDownLatch::countDown);
    node.close();
  }

  private JobResult work(long id) throws InterruptedException {
    CountDownLatch gate = gates.get("all");
    if (gate != null && !gate.await(20, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the gate stayed closed");
    }
    return failing.contains(id) ? JobResult.failNow("as asked") : JobResult.done();
  }

  @Test
  void batch_that_is_not_visible_yet_is_not_reported_as_sealed() {
    assertThatThrownBy(
            () ->
                node.transactions()
                    .required(
                        () -> {
                          node.transactions()
                              .entityManager()
                              .createNativeQuery("set transaction isolation level repeatable read")
                              .executeUpdate();
                          return add("new", 0);
                        }))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("batch 'new' was created after this transaction had begun")
        .hasMessageContaining("READ COMMITTED");
    assertThat(add("new", 0)).isPositive();
  }

  private long add(String batch, int wave) {
    return node.enqueue(job("work", JobDependencies.inBatch(batch, wave))).get(0).id();
  }

  private String state(long id) {
    return TestDatabase.stateOf(database, id);
  }

  private void awaitState(long id, String state) {
    Await.until(SOON, () -> state(id).equals(state));
  }

  private List<String> fired(String batch) {
    return batches.batch(batch).callbacks().stream()
        .filter(callback -> callback.job() != null)
        .map(BatchView.Callback::event)
        .sorted()
        .toList();
  }

  private void addCallbacks(String batch) {
    for (Event event : Event.values()) {
      batches.callback(batch, event, job("callback", 4, null));
    }
  }

  @Test
  void success_callbacks_run_once_the_batch_is_sealed_and_finished() {
    addCallbacks("b");
    long first = add("b", 1);
    long second = add("b", 2);
    awaitState(second, "COMPLETED");
    assertThat(fired("b")).isEmpty();

    batches.request(Action.SEAL, "b");

    Await.until(SOON, () -> fired("b").size() == 2);
    assertThat(fired("b")).containsExactly("FINISH", "SUCCESS");
    batches.batch("b").callbacks().stream()
        .map(BatchView.Callback::job)
        .filter(java.util.Objects::nonNull)
        .forEach(id -> awaitState(id, "COMPLETED"));
    assertThat(state(first)).isEqualTo("COMPLETED");
    assertThatThrownBy(() -> add("b", 3))
        .isInstanceOf(BatchSealedException.class)
        .hasMessageContaining("'b' is sealed");
  }

  @Test
  void discarded_job_holds_higher_waves_until_it_is_reset() {
    addCallbacks("b");
    gates.put("all", new CountDownLatch(1));
    long bad = add("b", 1);
    long good = add("b", 1);
    long later = add("b", 2);
    failing.add(bad);
    batches.request(Action.SEAL, "b");
    gates.get("all").countDown();

    awaitState(good, "COMPLETED");
    Await.until(SOON, () -> fired("b").equals(List.of("DISCARD")));
    assertThat(state(later)).isEqualTo("BLOCKED");
    assertThat(batches.batch("b").waves().get(0).holding()).containsExactly(bad);

    failing.clear();
    new JobControl(node.transactions(), node.engine().signals(), node.audit()).reset(bad, false);

    awaitState(later, "COMPLETED");
    Await.until(SOON, () -> fired("b").size() == 3);
    assertThat(batches.batch("b").waves())
        .extracting(BatchView.Wave::completed)
        .containsExactly(2L, 1L);
  }

  @Test
  void discarded_job_is_skipped_on_request() {
    gates.put("all", new CountDownLatch(1));
    long bad = add("b", 1);
    long later = add("b", 2);
    failing.add(bad);
    gates.get("all").countDown();
    awaitState(bad, "DISCARDED");
    Await.until(SOON, () -> !batches.batch("b").waves().get(0).holding().isEmpty());

    batches.request(Action.SKIP, "b");

    awaitState(later, "COMPLETED");
  }

  @Test
  void held_batch_starts_no_wave_until_it_is_released() {
    gates.put("all", new CountDownLatch(1));
    long running = add("b", 1);
    awaitState(running, "RUNNING");
    long higher = add("b", 2);
    batches.request(Action.HOLD, "b");
    Await.until(SOON, () -> batches.batch("b").heldAt() != null);

    long sameWave = add("b", 1);
    gates.get("all").countDown();
    awaitState(running, "COMPLETED");
    // The end of this job makes the resolver run again, so the resolver would now release jobs that
    // it must not release.
    long other = add("other", 1);
    awaitState(other, "COMPLETED");
    assertThat(state(sameWave)).isEqualTo("BLOCKED");
    assertThat(state(higher)).isEqualTo("BLOCKED");

    batches.request(Action.RELEASE, "b");
    awaitState(higher, "COMPLETED");
    assertThat(state(sameWave)).isEqualTo("COMPLETED");
    assertThat(batches.batch("b").heldAt()).isNull();
  }

  @Test
  void last_of_several_hold_requests_wins() {
    long first = add("b", 1);
    awaitState(first, "COMPLETED");
    node.transactions()
        .required(
            () -> {
              batches.request(Action.HOLD, "b");
              batches.request(Action.RELEASE, "b");
              batches.request(Action.HOLD, "b");
              return true;
            });
    Await.until(SOON, () -> batches.batch("b").heldAt() != null);
    long second = add("b", 1);
    batches.request(Action.CANCEL, "b");
    awaitState(second, "CANCELLED");
    assertThat(batches.batch("b").heldAt()).isNull();
    assertThatThrownBy(() -> batches.request(Action.HOLD, "b"))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void batch_with_continue_starts_higher_waves_after_a_discarded_job() {
    batches.define("b", BatchFailure.CONTINUE);
    gates.put("all", new CountDownLatch(1));
    long bad = add("b", 1);
    long later = add("b", 2);
    failing.add(bad);
    gates.get("all").countDown();

    awaitState(later, "COMPLETED");
    assertThat(state(bad)).isEqualTo("DISCARDED");

    JobControl control = new JobControl(node.transactions(), node.engine().signals(), node.audit());
    failing.clear();
    assertThatThrownBy(() -> control.reset(bad, false))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("force=true");
    control.reset(bad, true);
    awaitState(bad, "COMPLETED");
  }

  @Test
  void batch_with_policy_cancel_cancels_unstarted_jobs() {
    batches.define("b", BatchFailure.CANCEL);
    addCallbacks("b");
    gates.put("all", new CountDownLatch(1));
    long bad = add("b", 1);
    long later = add("b", 2);
    failing.add(bad);
    gates.get("all").countDown();

    awaitState(later, "CANCELLED");
    Await.until(SOON, () -> fired("b").equals(List.of("DISCARD", "FINISH")));
    assertThatThrownBy(() -> add("b", 3)).isInstanceOf(BatchSealedException.class);
  }

  @Test
  void cancellation_ends_waiting_jobs_and_requests_the_end_of_running_jobs() {
    gates.put("all", new CountDownLatch(1));
    long running = add("b", 1);
    long later = add("b", 2);
    awaitState(running, "RUNNING");

    batches.request(Action.CANCEL, "b");

    awaitState(later, "CANCELLED");
    assertThat(
            TestDatabase.value(
                database, "select count(*) from readpast_cancellation where job_id = " + running))
        .isEqualTo("1");
  }

  @Test
  void batch_does_not_finish_while_a_transaction_adds_jobs() throws Exception {
    addCallbacks("b");
    long first = add("b", 1);
    long[] second = new long[1];
    node.transactions()
        .inHandlerTransaction(
            Duration.ofSeconds(20),
            () -> {
              second[0] = add("b", 2);
              node.transactions()
                  .requiresNew(
                      () -> {
                        batches.request(Action.SEAL, "b");
                        return true;
                      });
              awaitState(first, "COMPLETED");
              Await.until(SOON, () -> batches.batch("b").sealedAt() != null);
              Await.until(
                  SOON,
                  () ->
                      TestDatabase.value(database, "select count(*) from readpast_dependency_event")
                          .equals("0"));
              assertThat(fired("b")).isEmpty();
              return true;
            });

    awaitState(second[0], "COMPLETED");
    Await.until(SOON, () -> fired("b").equals(List.of("FINISH", "SUCCESS")));
  }

  @Test
  void batch_finishes_if_its_last_addition_is_rolled_back() throws Exception {
    addCallbacks("b");
    node.transactions()
        .inHandlerTransaction(
            Duration.ofSeconds(20),
            () -> {
              add("b", 1);
              node.transactions()
                  .requiresNew(
                      () -> {
                        batches.request(Action.SEAL, "b");
                        return true;
                      });
              Await.until(SOON, () -> batches.batch("b").sealedAt() != null);
              return false;
            });

    Await.until(SOON, () -> fired("b").equals(List.of("FINISH", "SUCCESS")));
  }

  @Test
  void batch_with_policy_cancel_starts_none_of_many_waiting_jobs() {
    batches.define("b", BatchFailure.CANCEL);
    gates.put("all", new CountDownLatch(1));
    long bad = add("b", 1);
    failing.add(bad);
    node.enqueue(
        java.util.stream.Stream.generate(() -> job("work", JobDependencies.inBatch("b", 2)))
            .limit(2_500)
            .toArray(org.readpast.model.NewJob[]::new));
    gates.get("all").countDown();

    Await.until(
        SOON,
        () ->
            TestDatabase.value(
                    database, "select count(*) from readpast_job_history where state = 'CANCELLED'")
                .equals("2500"));
  }

  @Test
  void each_discarded_job_holds_higher_waves_independently() {
    gates.put("all", new CountDownLatch(1));
    long first = add("b", 1);
    long second = add("b", 1);
    long later = add("b", 2);
    failing.add(first);
    failing.add(second);
    gates.get("all").countDown();
    Await.until(SOON, () -> batches.batch("b").waves().get(0).holding().size() == 2);
    batches.request(Action.SKIP, "b");
    awaitState(later, "COMPLETED");

    // Skipped jobs do not count when another job is discarded afterwards.
    long third = add("b", 3);
    failing.add(third);
    long last = add("b", 4);
    awaitState(third, "DISCARDED");
    Await.until(SOON, () -> batches.batch("b").waves().get(2).holding().equals(List.of(third)));
    failing.remove(first);
    new JobControl(node.transactions(), node.engine().signals(), node.audit()).reset(first, true);
    awaitState(first, "COMPLETED");
    assertThat(state(last)).isEqualTo("BLOCKED");
    assertThat(batches.batch("b").waves().get(2).holding()).containsExactly(third);
  }

  @Test
  void refused_callback_leaves_no_batch() {
    assertThatThrownBy(
            () ->
                batches.define(
                    "b",
                    null,
                    Map.of(
                        Event.SUCCESS,
                        job("callback", 4, null),
                        Event.FINISH,
                        job("callback", 4, Duration.ofHours(1)))))
        .isInstanceOf(JobRejectedException.class);
    assertThat(batches.page("", 10)).isEmpty();
  }

  @Test
  void content_of_a_callback_is_stored_only_in_its_job_once_the_job_exists() {
    batches.callback("b", Event.FINISH, job("callback", "{\"to\":\"smith\"}"));
    database.execute("update readpast_callback set properties = '{\"for\":\"smith\"}'");
    add("b", 1);
    assertThat(contentOfCallbacks()).contains("{\"to\":\"smith\"}");

    batches.request(Action.SEAL, "b");

    Await.until(SOON, () -> fired("b").equals(List.of("FINISH")));
    assertThat(contentOfCallbacks()).isEqualTo("{} ");
    long job = Objects.requireNonNull(batches.batch("b").callbacks().get(0).job());
    awaitState(job, "COMPLETED");
    assertThat(
            TestDatabase.value(
                database,
                "select concat(payload, ' ', properties) from readpast_job_history where id = "
                    + job))
        .isEqualTo("{\"to\":\"smith\"} {\"for\":\"smith\"}");
  }

  private String contentOfCallbacks() {
    return TestDatabase.value(
        database, "select concat(payload, ' ', properties) from readpast_callback");
  }

  @Test
  void late_callback_runs_and_no_callback_runs_twice() {
    long only = add("b", 1);
    batches.request(Action.SEAL, "b");
    awaitState(only, "COMPLETED");
    Await.until(SOON, () -> batches.batch("b").finishedAt() != null);

    batches.callback("b", Event.SUCCESS, job("callback", 4, null));
    Await.until(SOON, () -> fired("b").equals(List.of("SUCCESS")));
    batches.callback("b", Event.SUCCESS, job("callback", 4, null));
    batches.callback("b", Event.FINISH, job("callback", 4, null));
    Await.until(SOON, () -> fired("b").equals(List.of("FINISH", "SUCCESS")));
  }
}
