package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.api.Backoff;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.Settings;
import org.readpast.model.JobDependencies;
import org.readpast.model.Owner;
import org.readpast.model.RetentionRules;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests the reasons that explain why a job is not running. */
class ReasonsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Operator operator = new Operator();
  private final TestNode node = new TestNode(operator.database);
  private final Set<Long> started = ConcurrentHashMap.newKeySet();
  private final Set<Long> failing = ConcurrentHashMap.newKeySet();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void leave() {
    gate.countDown();
    node.close();
    operator.close();
  }

  /** Starts the node, on which jobs of type t wait at the gate. */
  private void startNode() {
    RetryPolicy anHour =
        new RetryPolicy(3, Backoff.FIXED, Duration.ofHours(1), Duration.ofHours(1), 0, List.of());
    node.handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              started.add(context.id());
              gate.await(20, TimeUnit.SECONDS);
              return failing.contains(context.id())
                  ? JobResult.failNow("as asked")
                  : JobResult.done();
            })
        .handles(
            "again",
            ReceiveMode.LEASED,
            anHour,
            Duration.ofSeconds(20),
            (payload, context) -> {
              throw new IllegalStateException("as asked");
            })
        .start();
  }

  private List<String> reasons(long id) {
    return operator.browser.job(id).reasons();
  }

  private void awaitReason(long id, String text) {
    Await.until(SOON, text, () -> reasons(id).stream().anyMatch(reason -> reason.contains(text)));
  }

  private long add(JobDependencies dependencies) {
    return node.enqueue(job("t", dependencies)).get(0).id();
  }

  private static JobDependencies after(PredecessorFailure failure, long... ids) {
    List<Long> all = java.util.Arrays.stream(ids).boxed().toList();
    return new JobDependencies(null, GroupFailure.SKIP, null, 0, null, all, List.of(), failure);
  }

  private static JobDependencies group(GroupFailure failure) {
    return new JobDependencies(
        "g", failure, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);
  }

  private void nodeRow(String state, String queues, String types) {
    operator.database.execute(
        "insert into readpast_node (id, name, version, state, lease_ms, queues, types) values"
            + " (gen_random_uuid(), 'n', '1', '%s', 10000, '{%s}', '{%s}')"
                .formatted(state, queues, types));
  }

  /** Returns the number of busy receivers of the only node. */
  private void busy(String queue, int ofQueue, int ofNode) {
    operator.database.execute(
        """
        update readpast_node set receivers = %d;
        insert into readpast_listener (node, queue, receivers, received, completed, failed, dead, wake_ups,
          empty_receives, errors)
        select no, '%s', %d, 0, 0, 0, 0, 0, 0, 0 from readpast_node"""
            .formatted(ofNode, queue, ofQueue));
  }

  private Settings settings(Map<String, Settings.QueueSettings> queues) {
    return settings(queues, Map.of());
  }

  private Settings settings(
      Map<String, Settings.QueueSettings> queues, Map<String, Settings.TypeConcurrency> types) {
    return new Settings(
        new Owner("n", "n"),
        "n",
        "1",
        true,
        List.of(),
        16,
        4,
        1_000_000,
        SOON,
        SOON,
        SOON,
        SOON,
        false,
        RetentionRules.ALL,
        SOON,
        SOON,
        queues,
        new Settings.ConfiguredTypeLimits(types, Map.of()));
  }

  @Test
  void running_or_ended_job_has_no_reasons() {
    startNode();
    long id = node.enqueue("t");
    Await.until(SOON, () -> started.contains(id));
    assertThat(reasons(id)).isEmpty();
    gate.countDown();
    Await.until(SOON, () -> TestDatabase.stateOf(operator.database, id).equals("COMPLETED"));
    assertThat(reasons(id)).isEmpty();
  }

  @Test
  void reason_of_a_scheduled_job_has_its_due_time() {
    startNode();
    long id = node.enqueue(job("t", 4, Duration.ofHours(1))).get(0).id();
    String moment =
        operator.browser.job(id).job().availableAt().truncatedTo(ChronoUnit.MILLIS).toString();
    assertThat(reasons(id)).containsExactly("scheduled for " + moment);
  }

  @Test
  void reason_of_a_due_job_says_that_no_node_makes_it_available() {
    long id = operator.enqueued(null);
    operator.database.execute(
        "update readpast_job set state = 'SCHEDULED', position = null, available_at ="
            + " clock_timestamp() - interval '1 hour'");
    assertThat(reasons(id)).hasSize(2);
    assertThat(reasons(id).get(0)).startsWith("due since ");
    assertThat(reasons(id).get(1)).startsWith("no node claims jobs");
  }

  @Test
  void reason_of_a_failed_job_has_the_time_of_its_retry() {
    startNode();
    long id = node.enqueue("again");
    awaitReason(id, "waiting for its next attempt: 1 so far, the next one is due at ");
  }

  @Test
  void reason_of_a_follower_names_its_predecessor_and_its_state() {
    startNode();
    long first = node.enqueue("t");
    long second = node.enqueue("t");
    failing.add(second);
    long follower = add(after(PredecessorFailure.HOLD, first, second));
    Await.until(SOON, () -> started.contains(first) && started.contains(second));
    assertThat(reasons(follower))
        .containsExactly(
            "waits for job " + first + ", which is RUNNING",
            "waits for job " + second + ", which is RUNNING");

    gate.countDown();
    awaitReason(
        follower,
        "waits for job " + second + ", which has ended as DISCARDED: reset that job, or cancel");
  }

  @Test
  void reason_of_a_follower_names_some_predecessors_and_counts_the_rest() {
    startNode();
    long[] ids = new long[8];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = node.enqueue(job("t", 4, Duration.ofHours(1))).get(0).id();
    }
    long follower = add(after(PredecessorFailure.HOLD, ids));
    assertThat(reasons(follower)).hasSize(6).last().isEqualTo("waits for 3 jobs more");
  }

  @Test
  void reason_of_a_wave_counts_jobs_of_lower_waves_and_names_the_holder() {
    startNode();
    long bad = add(JobDependencies.inBatch("b", 100));
    add(JobDependencies.inBatch("b", 100));
    failing.add(bad);
    long later = add(JobDependencies.inBatch("b", 200));
    awaitReason(later, "wave 200 waits for 2 jobs of wave 100");

    gate.countDown();
    List<String> held =
        List.of(
            "wave 200 is held by job "
                + bad
                + " of wave 100, which was discarded: reset it, or skip the failure of batch 'b'");
    Await.until(SOON, "only the hold", () -> reasons(later).equals(held));
  }

  @Test
  void reason_of_a_group_names_the_busy_or_holding_job_and_counts_earlier_jobs() {
    startNode();
    long head = add(group(GroupFailure.HOLD));
    failing.add(head);
    long second = add(group(GroupFailure.HOLD));
    long third = add(group(GroupFailure.HOLD));
    Await.until(SOON, () -> started.contains(head));
    assertThat(reasons(second))
        .containsExactly("group 'g' is busy with job " + head + ", which is RUNNING (limit 1)");
    assertThat(reasons(third)).contains("waits for its turn after 1 job of group 'g'");

    gate.countDown();
    awaitReason(second, "group 'g' is held by job " + head + ", which was discarded");
  }

  @Test
  void reason_of_a_blocked_job_without_dependencies_names_the_way_to_release_the_job() {
    long id = operator.enqueued(null);
    operator.database.execute(
        """
        insert into readpast_batch (name, on_failure) values ('b', 'HOLD');
        update readpast_job set state = 'BLOCKED', waits_for = 'WAVE', position = null, wave = 1,
          batch = (select id from readpast_batch)""");
    assertThat(reasons(id).get(0)).startsWith("all jobs that it waited for have ended");

    operator.database.execute("update readpast_batch set cancelled_at = clock_timestamp()");
    assertThat(reasons(id).get(0))
        .isEqualTo("batch 'b' is being cancelled, and this job will be cancelled with it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paused = true | queue 'q' is paused",
        "concurrency = 0 | the concurrency of queue 'q' is 0",
        "global_concurrency = 0 | the concurrency of queue 'q' over all nodes is 0",
      })
  void reasons_name_settings_of_the_queue(String setting, String reason) {
    long id = operator.enqueued(null);
    nodeRow("ACTIVE", "", "known");
    operator.database.execute("update readpast_queue set " + setting);
    assertThat(reasons(id)).hasSize(1).first().asString().startsWith(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "STOPPED | '' | known | no node claims jobs",
        "STOPPING | '' | known | no node claims jobs",
        "ACTIVE | '' | other | no node handles type 'known'",
        "ACTIVE | '' | '' | no node handles type 'known'",
        "ACTIVE | elsewhere | known | no node that handles type 'known' serves queue 'q'",
      })
  void reasons_name_missing_nodes(String state, String queues, String types, String reason) {
    long id = operator.enqueued(null);
    nodeRow(state, queues, types);
    assertThat(reasons(id)).hasSize(1).first().asString().startsWith(reason);
  }

  @Test
  void draining_node_does_not_count_as_serving() {
    long id = operator.enqueued(null);
    nodeRow("ACTIVE", "", "known");
    assertThat(reasons(id)).containsExactly("it is next: a node claims it at its next poll");
    operator.database.execute("update readpast_node set drain_requested = true");
    assertThat(reasons(id)).hasSize(1).first().asString().startsWith("no node claims jobs");
  }

  @Test
  void reached_global_limit_is_reported_as_a_reason() {
    long id = operator.enqueued(null);
    nodeRow("ACTIVE", "", "known");
    operator.configured = settings(Map.of());
    operator.database.execute("update readpast_queue set configured_global_concurrency = 2");
    busy("q", 2, 2);
    assertThat(reasons(id))
        .containsExactly("limit reached: queue 'q' may run 2 jobs on all nodes together, and does");

    operator.database.execute("update readpast_queue set global_concurrency = 3");
    assertThat(reasons(id)).containsExactly("it is next: a node claims it at its next poll");
  }

  @Test
  void reasons_name_limits_of_the_type() {
    long id = operator.enqueued(null);
    nodeRow("ACTIVE", "", "known");
    operator.configured =
        settings(Map.of(), Map.of("known", new Settings.TypeConcurrency(0, null)));
    operator.database.execute("insert into readpast_type_limit values ('known', 0)");
    assertThat(reasons(id))
        .containsExactly(
            "the concurrency of type 'known' is 0: raise it",
            "the concurrency of type 'known' over all nodes is 0: raise it");

    operator.configured =
        settings(Map.of(), Map.of("known", new Settings.TypeConcurrency(1, null)));
    operator.database.execute("update readpast_type_limit set configured_global_concurrency = 2");
    assertThat(reasons(id)).containsExactly("it is next: a node claims it at its next poll");

    TestDatabase.insertLeased(operator.database, "select no from readpast_node");
    operator.database.execute(
        """
        update readpast_job set type = 'known@2' where state = 'RUNNING';
        update readpast_lease set begun = jobs""");
    assertThat(reasons(id))
        .containsExactly(
            "limit reached: as many jobs of type 'known' are running as nodes may run (up to 1"
                + " on each node)");

    operator.database.execute("update readpast_type_limit set configured_global_concurrency = 1");
    assertThat(reasons(id))
        .containsExactly(
            "limit reached: type 'known' may run 1 jobs on all nodes together, and does");
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "0, 16"})
  void busy_receivers_are_a_limit_of_the_queue_or_of_the_node(int ofQueue, int ofNode) {
    long id = operator.enqueued(null);
    nodeRow("ACTIVE", "", "known");
    operator.configured = settings(Map.of());
    busy("q", ofQueue, ofNode);
    assertThat(reasons(id))
        .containsExactly(
            "limit reached: all allowed receivers are busy, for queue 'q' (up to 4"
                + " on each node) or for all queues");
  }

  @Test
  void reason_of_a_queued_job_counts_the_jobs_before_it() {
    nodeRow("ACTIVE", "", "known");
    String insert =
        """
        insert into readpast_job (queue, type, priority, state, position, owner, available_at, payload)
        select '%s', '%s', %d, '%s', nextval('readpast_position'), %s, clock_timestamp(), '{}'
        from generate_series(1, %d)""";
    operator.database.execute(insert.formatted("q", "known", 4, "AVAILABLE", null, 2));
    operator.database.execute(insert.formatted("q", "known", 4, "RUNNING", 1, 4));
    long id = operator.enqueued(null);
    operator.database.execute(insert.formatted("q", "known", 4, "AVAILABLE", null, 8));
    operator.database.execute(insert.formatted("q", "other", 5, "AVAILABLE", null, 16));
    operator.database.execute(insert.formatted("q", "other", 4, "AVAILABLE", null, 32));
    operator.database.execute(insert.formatted("q", "known", 9, "AVAILABLE", null, 64));
    operator.database.execute(insert.formatted("elsewhere", "known", 9, "AVAILABLE", null, 128));
    assertThat(reasons(id))
        .containsExactly(
            "waits for its turn: 82 jobs of the same queue, type and priority, or of a higher"
                + " priority, are ahead of it");

    operator.database.execute(insert.formatted("q", "other", 7, "AVAILABLE", null, 2_000));
    assertThat(reasons(id))
        .containsExactly(
            "waits for its turn: 1,000 or more jobs of the same queue, type and priority, or of"
                + " a higher priority, are ahead of it");
  }
}
