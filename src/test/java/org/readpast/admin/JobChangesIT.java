package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.readpast.support.TestNode.job;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.store.JobView;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.Enqueued;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.engine.QueueFigures;
import org.readpast.model.JobDependencies;
import org.readpast.model.JobSearch;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.support.Await;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.RacingTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestKeys;
import org.readpast.support.TestNode;

/** Tests actions that run a job now, edit it, change its priority or delete it. */
class JobChangesIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Operator operator = new Operator();
  private final TestNode node = new TestNode(operator.database).concurrency(1);
  private final List<Long> started = Collections.synchronizedList(new ArrayList<>());
  private final Set<Long> failing = ConcurrentHashMap.newKeySet();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void leave() {
    gate.countDown();
    node.close();
    operator.close();
  }

  /** Starts the node; the first job that it claims waits at the gate. */
  private JobControl startNode() {
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              started.add(context.id());
              if (started.size() == 1) {
                gate.await(20, TimeUnit.SECONDS);
              }
              return failing.contains(context.id())
                  ? JobResult.failNow("as asked")
                  : JobResult.done();
            })
        .start();
    return new JobControl(node.transactions(), node.engine().signals(), node.audit());
  }

  private JobView view(long id) {
    return operator.browser.job(id).job();
  }

  @Test
  void waiting_jobs_are_moved_to_a_known_type() {
    operator.database.execute(
        "insert into readpast_type (name, max_attempts) values ('t', 5), ('two@2', 5), ('two@3', 5)");
    long available = operator.intake.enqueue(job("known")).job().job().id();
    long later = scheduled();
    long failed = operator.discarded("k");
    var matching = JobSearch.parse("type:known version:1");
    var move = new Bulk.Change(Bulk.Action.MOVE, null, "t");
    assertThatThrownBy(
            () ->
                operator.bulk.applyToMatching(
                    new Bulk.Change(Bulk.Action.MOVE, null, "none"), matching, null))
        .isInstanceOf(UnknownTypeException.class)
        .hasMessageContaining("'none'");
    assertThatThrownBy(
            () ->
                operator.bulk.applyToMatching(
                    new Bulk.Change(Bulk.Action.MOVE, null, Reports.WEBHOOK), matching, null))
        .hasMessageContaining("enqueued by the engine only");
    assertThat(operator.bulk.applyToMatching(move, matching, null).changed()).isEqualTo(2);
    assertThat(view(later).type()).isEqualTo("t");
    assertThat(view(later).state()).isEqualTo(JobState.SCHEDULED);
    assertThat(view(failed).type()).isEqualTo("known");
    assertThat(operator.bulk.applyTo(move, List.of(available, later)).changed()).isZero();
    startNode();
    gate.countDown();
    Await.until(SOON, () -> view(available).state() == JobState.COMPLETED);

    operator.bulk.applyTo(new Bulk.Change(Bulk.Action.MOVE, null, "two"), List.of(later));
    assertThat(view(later).storedType()).isEqualTo(new StoredType("two", 2));
    operator.bulk.applyTo(new Bulk.Change(Bulk.Action.MOVE, null, "two@3"), List.of(later));
    assertThat(view(later).storedType()).isEqualTo(new StoredType("two", 3));
  }

  @Test
  void encrypted_jobs_are_moved_in_transactions_of_limited_size() {
    operator.database.execute("insert into readpast_type (name, max_attempts) values ('t', 5)");
    operator.transactions.encryptWith(TestKeys.readable());
    String payload = "\"" + "x".repeat(250_000) + "\"";
    List<Long> ids =
        IntStream.range(0, 40)
            .mapToObj(i -> operator.intake.enqueue(job("known", payload)).job().job().id())
            .toList();
    var move = new Bulk.Change(Bulk.Action.MOVE, null, "t");

    assertThat(operator.bulk.applyTo(move, ids.subList(20, 40)).changed()).isEqualTo(20);
    assertThat(Collections.frequency(operator.signals, "available [q]")).isBetween(2, 3);
    operator.signals.clear();
    Long next = null;
    do {
      next = operator.bulk.applyToMatching(move, JobSearch.parse("type:known"), next).next();
    } while (next != null);

    assertThat(Collections.frequency(operator.signals, "available [q]")).isBetween(2, 3);
    assertThat(ids)
        .allSatisfy(
            id -> {
              assertThat(view(id).type()).isEqualTo("t");
              assertThat(view(id).payload()).isEqualTo(payload);
            });
  }

  private long scheduled() {
    NewJob later =
        new NewJob(
            "q", "known", 4, Duration.ofHours(1), null, null, null, null, null, null, null, "{}");
    return operator.intake.enqueue(later).job().job().id();
  }

  private String state(long id) {
    return TestDatabase.stateOf(operator.database, id);
  }

  private void awaitState(long id, String state) {
    Await.until(SOON, state, () -> state(id).equals(state));
  }

  @Test
  void scheduled_job_runs_immediately_on_request() {
    long id = scheduled();
    operator.control.runNow(id);
    assertThat(view(id).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(
            operator.value(
                "select position is not null and available_at <= clock_timestamp() from"
                    + " readpast_job"))
        .isEqualTo("t");
    assertThat(operator.signals).containsExactly("available [q]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"AVAILABLE", "SCHEDULED"})
  void job_that_stops_running_during_the_call_is_rescheduled(String state) {
    long id = operator.intake.enqueue(job("known")).job().job().id();
    operator.database.execute(
        "update readpast_job set state = 'RUNNING', owner = 1, claimed_at = now(), deadline = now()");
    Transactions racing =
        RacingTransactions.before(
            2,
            operator.transactions,
            () ->
                operator.database.execute(
                    "update readpast_job set state = '%s', owner = null, claimed_at = null, deadline = null, position = %s"
                        .formatted(state, state.equals("AVAILABLE") ? "1" : "null")));
    Instant later = Instant.now().plusSeconds(3_600);

    new JobControl(racing, new IgnoredSignals(), operator.audit).reschedule(id, later);

    assertThat(view(id).state()).isEqualTo(JobState.SCHEDULED);
    assertThat(view(id).availableAt()).isCloseTo(later, within(1, ChronoUnit.MILLIS));
  }

  @Test
  void run_now_is_refused_for_a_job_that_is_not_scheduled() {
    long live = operator.enqueued(null);
    long ended = operator.discarded(null);
    assertThatThrownBy(() -> operator.control.runNow(live))
        .isInstanceOf(StateConflictException.class)
        .hasMessage("job " + live + " is AVAILABLE; only jobs that are SCHEDULED can be run now");
    assertThatThrownBy(() -> operator.control.runNow(ended)).hasMessageContaining("DISCARDED");
    assertThatThrownBy(() -> operator.control.runNow(77)).isInstanceOf(NotFoundException.class);
    assertThat(operator.signals).isEmpty();
  }

  @Test
  void reset_job_has_the_payload_of_the_reset() {
    long id = operator.discarded(null);
    operator.control.reset(id, false, "{\"n\": 12345678901234567890}");
    assertThat(view(id).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(view(id).payload()).isEqualTo("{\"n\": 12345678901234567890}");
    assertThat(operator.value("select detail from readpast_audit where action = 'job.reset'"))
        .isEqualTo("{\"state\":{\"from\":\"DISCARDED\",\"to\":\"AVAILABLE\"},\"newPayload\":true}");
  }

  @Test
  void failed_reset_keeps_the_payload() {
    long id = operator.discarded("k");
    operator.enqueued("k");
    assertThatThrownBy(() -> operator.control.reset(id, false, "{}"))
        .isInstanceOf(StateConflictException.class);
    assertThat(view(id).payload()).isEqualTo("{\"n\":1.10}");
  }

  @Test
  void only_json_payloads_can_be_edited() {
    long id = operator.discarded(null);
    operator.database.execute("update readpast_job_history set content_type = 'text/plain'");
    assertThatThrownBy(() -> operator.control.reset(id, false, "{}"))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("is text/plain, but only JSON can be edited");
    operator.control.reset(id, false);
    assertThat(view(id).contentType()).isEqualTo("text/plain");
  }

  @Test
  void job_with_a_higher_priority_runs_first() {
    JobControl control = startNode();
    List<Long> ids = node.enqueue(job("t"), job("t"), job("t")).stream().map(Enqueued::id).toList();
    Await.until(SOON, () -> started.size() == 1);
    control.changePriority(ids.get(2), 9);
    gate.countDown();
    Await.until(SOON, () -> started.size() == 3);
    assertThat(started).containsExactly(ids.get(0), ids.get(2), ids.get(1));
  }

  @Test
  void job_moved_to_a_lane_with_advanced_claims_is_found() {
    JobControl control = startNode();
    gate.countDown();
    // No handler exists for the job's type until the cursor of the other lane has passed the job's
    // position.
    long waits = node.enqueue("parked");
    NewJob[] many = Collections.nCopies(50, job("t", 7, null)).toArray(NewJob[]::new);
    node.enqueue(many).forEach(one -> awaitState(one.id(), "COMPLETED"));
    awaitState(node.enqueue(job("t", 7, null)).get(0).id(), "COMPLETED");
    operator.database.execute("update readpast_job set type = 't', position = 1");

    control.changePriority(waits, 7);
    awaitState(waits, "COMPLETED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"priority", "type"})
  void rolled_back_change_leaves_the_job_where_claims_find_it(String what) throws Exception {
    operator.database.execute("insert into readpast_type (name, max_attempts) values ('u', 5)");
    JobControl control = startNode();
    gate.countDown();
    awaitState(node.enqueue("t"), "COMPLETED");
    operator.queues.change("q", QueueAdmin.Change.paused(true));
    node.engine().signals().queueChanged("q");
    Await.until(
        SOON, "paused", () -> node.engine().figures().stream().allMatch(QueueFigures::paused));
    long changed = node.enqueue("t");
    long other = node.enqueue("t");
    workElsewhere(Duration.ofSeconds(1));
    boolean committed =
        node.transactions()
            .inHandlerTransaction(
                SOON,
                () -> {
                  if (what.equals("priority")) {
                    control.changePriority(changed, 9);
                  } else {
                    control.changeTypes(List.of(changed), "u");
                  }
                  operator.queues.change("q", QueueAdmin.Change.paused(false));
                  node.engine().signals().queueChanged("q");
                  awaitState(other, "COMPLETED");
                  return false;
                });

    assertThat(committed).isFalse();
    awaitState(changed, "COMPLETED");
  }

  /**
   * Runs jobs of another queue until this node has observed that no transaction older than the
   * given jobs is open.
   */
  private void workElsewhere(Duration time) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < time.toNanos()) {
      NewJob elsewhere =
          new NewJob("r", "t", 4, null, null, null, null, null, null, null, null, "{}");
      awaitState(node.enqueue(elsewhere).get(0).id(), "COMPLETED");
    }
  }

  @Test
  void bulk_priority_change_skips_jobs_that_have_it_or_have_ended() {
    long first = operator.enqueued(null);
    long second = scheduled();
    long ended = operator.discarded(null);
    operator.signals.clear();
    String place = operator.value("select position from readpast_job where id = " + first);
    assertThat(operator.control.changePriorities(List.of(first, second, ended, 77L), 8))
        .isEqualTo(Map.of("4", 2));
    assertThat(view(first).priority()).isEqualTo(8);
    assertThat(view(second).state()).isEqualTo(JobState.SCHEDULED);
    assertThat(operator.signals).containsExactly("available [q]");
    String moved = operator.value("select position from readpast_job where id = " + first);
    assertThat(Long.parseLong(moved)).isGreaterThan(Long.parseLong(place));

    operator.control.changePriority(first, 8);
    assertThat(operator.value("select position from readpast_job where id = " + first))
        .as("position, unchanged by a priority that the job already has")
        .isEqualTo(moved);
  }

  @Test
  void claimed_or_ended_job_keeps_its_priority() throws SQLException {
    long ended = operator.discarded(null);
    assertThatThrownBy(() -> operator.control.changePriority(ended, 1))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("is DISCARDED; only the priority of a waiting job");
    assertThatThrownBy(() -> operator.control.changePriority(77, 1))
        .isInstanceOf(NotFoundException.class);
    long taken = operator.enqueued(null);
    try (var worker = operator.database.connect();
        var statement = worker.createStatement()) {
      worker.setAutoCommit(false);
      statement.execute("select 1 from readpast_job where id = " + taken + " for update");
      assertThatThrownBy(() -> operator.control.changePriority(taken, 1))
          .isInstanceOf(StateConflictException.class)
          .hasMessageContaining("is being changed by another transaction");
      worker.rollback();
    }
  }

  @Test
  void deletion_removes_a_job_with_all_its_data() {
    long id = operator.discarded(null);
    long other = operator.discarded(null);
    for (long job : new long[] {id, other}) {
      operator.database.execute(
          """
          insert into readpast_failure (job_id, attempt, kind) values (%1$d, 1, 'FAILED');
          insert into readpast_log (job_id, attempt, line) values (%1$d, 1, 'x');
          insert into readpast_progress (job_id, done, total) values (%1$d, 1, 2);
          insert into readpast_sql_log (job_id, attempt, datasource) values (%1$d, 1, 'd');
          insert into readpast_cancellation (job_id) values (%1$d)"""
              .formatted(job));
    }
    operator.control.delete(id);
    assertThatThrownBy(() -> operator.browser.job(id)).isInstanceOf(NotFoundException.class);
    for (String table : List.of("failure", "log", "progress", "sql_log", "cancellation")) {
      assertThat(operator.value("select string_agg(job_id::text, ' ') from readpast_" + table))
          .isEqualTo(Long.toString(other));
    }
  }

  @Test
  void live_job_cannot_be_deleted() {
    long id = operator.enqueued(null);
    assertThatThrownBy(() -> operator.control.delete(id))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining(
            "is AVAILABLE; only jobs that have ended can be deleted: cancel it first");
    assertThatThrownBy(() -> operator.control.delete(77)).isInstanceOf(NotFoundException.class);
    assertThat(operator.control.deleteAll(List.of(id, 77L))).isEmpty();
    assertThat(view(id).state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void deletion_of_a_job_releases_its_wave() {
    JobControl control = startNode();
    gate.countDown();
    long bad = add(JobDependencies.inBatch("b", 1));
    failing.add(bad);
    long alsoBad = add(JobDependencies.inBatch("b", 1));
    failing.add(alsoBad);
    long later = add(JobDependencies.inBatch("b", 2));
    awaitHolds(2);

    control.delete(bad);
    awaitHolds(1);
    assertThat(state(later)).isEqualTo("BLOCKED");
    control.delete(alsoBad);
    awaitState(later, "COMPLETED");
  }

  @Test
  void deletion_of_a_job_releases_its_group() {
    JobControl control = startNode();
    gate.countDown();
    JobDependencies dependencies =
        new JobDependencies(
            "g", GroupFailure.HOLD, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);
    long bad = add(dependencies);
    failing.add(bad);
    long later = add(dependencies);
    awaitHolds(1);
    assertThat(state(later)).isEqualTo("BLOCKED");

    control.delete(bad);
    awaitState(later, "COMPLETED");
  }

  @Test
  void job_with_a_waiting_follower_cannot_be_deleted() {
    JobControl control = startNode();
    long bad = node.enqueue("t");
    failing.add(bad);
    long follower =
        add(
            new JobDependencies(
                null,
                GroupFailure.SKIP,
                null,
                0,
                null,
                List.of(bad),
                List.of(),
                PredecessorFailure.HOLD));
    gate.countDown();
    awaitState(bad, "DISCARDED");
    assertThatThrownBy(() -> control.delete(bad))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("job " + follower + " waits for it to succeed");
    assertThat(control.deleteAll(List.of(bad))).isEmpty();

    control.cancel(follower);
    awaitState(follower, "CANCELLED");
    control.delete(bad);
    assertThat(operator.value("select count(*) from readpast_job_history where id = " + bad))
        .isEqualTo("0");
  }

  private long add(JobDependencies dependencies) {
    return node.enqueue(job("t", dependencies)).get(0).id();
  }

  private void awaitHolds(int holds) {
    Await.until(
        SOON,
        holds + " holds",
        () -> operator.value("select count(*) from readpast_hold").equals("" + holds));
  }
}
