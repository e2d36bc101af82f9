package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.BatchControl;
import org.readpast.admin.JobControl;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.BatchView;
import org.readpast.api.Enqueued;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests waves of many short jobs, which receivers claim while the jobs are BLOCKED. */
class LargeWavesIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Database database = TestDatabase.withTables();
  private final List<Long> started = Collections.synchronizedList(new ArrayList<>());
  private final Set<Long> ended = ConcurrentHashMap.newKeySet();
  private final Set<Long> failing = ConcurrentHashMap.newKeySet();
  private final Map<Long, JobDependencies> places = new ConcurrentHashMap<>();
  private final List<TestNode> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(TestNode::close);
  }

  private TestNode node(String... types) {
    TestNode node = new TestNode(database).notifiesOtherNodes().lease(Duration.ofSeconds(3));
    for (String type : types) {
      node.handles(type, ReceiveMode.LEASED, (payload, context) -> work(context.id()));
    }
    nodes.add(node);
    return node.start();
  }

  private JobResult work(long id) {
    started.add(id);
    if (failing.contains(id)) {
      return JobResult.failNow("as asked");
    }
    ended.add(id);
    return JobResult.done();
  }

  private static JobDependencies place(String group, String batch, int wave) {
    return new JobDependencies(
        group, GroupFailure.SKIP, batch, wave, null, List.of(), List.of(), PredecessorFailure.HOLD);
  }

  private static NewJob job(String type, int priority, JobDependencies dependencies) {
    return new NewJob(
        "q",
        type,
        priority,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        dependencies,
        "{}",
        null);
  }

  private List<Long> enqueue(TestNode node, List<NewJob> jobs) {
    List<Long> ids = node.enqueue(jobs.toArray(NewJob[]::new)).stream().map(Enqueued::id).toList();
    for (int i = 0; i < jobs.size(); i++) {
      places.put(ids.get(i), jobs.get(i).dependencies());
    }
    return ids;
  }

  private List<Integer> wavesStarted(String batch) {
    synchronized (started) {
      return started.stream()
          .map(places::get)
          .filter(dependencies -> batch.equals(dependencies.batch()))
          .map(JobDependencies::wave)
          .toList();
    }
  }

  private static BatchControl batches(TestNode node) {
    return new BatchControl(node.transactions(), node.engine().signals(), job -> job, node.audit());
  }

  /** Runs some jobs, so that a node learns how short they are. */
  private void learn(TestNode node) {
    List<Long> ids =
        enqueue(
            node, IntStream.range(0, 500).mapToObj(i -> job("t", 4, place(null, "l", 0))).toList());
    Await.until(SOON, () -> ended.containsAll(ids));
  }

  @Test
  void no_job_is_claimed_before_its_wave_opens() {
    TestNode node = node("t");
    learn(node);
    long before = count(database, "select last_value from readpast_position");
    List<Long> ids =
        enqueue(
            node,
            IntStream.range(0, 3_000)
                .mapToObj(i -> job("t", 4, place(null, "b", i % 10)))
                .toList());

    Await.until(SOON, () -> ended.containsAll(ids));

    assertThat(wavesStarted("b")).hasSize(3_000).isSorted();
    // A job that the resolver releases gets a position.
    assertThat(count(database, "select last_value from readpast_position") - before)
        .isLessThan(1_000);
    Await.until(SOON, () -> count(database, "select count(*) from readpast_lease") == 0);
    assertThat(
            count(database, "select count(*) from readpast_job_history where state = 'COMPLETED'"))
        .isEqualTo(3_500);
  }

  @Test
  void nodes_share_waves_with_several_lanes_and_groups() {
    TestNode node = node("t");
    node("t", "u");
    learn(node);
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      String type = i % 40 == 3 ? "u" : "t";
      String group = i % 40 == 5 ? "g" + i % 3 : null;
      jobs.add(job(type, i % 40 == 7 ? 9 : 4, place(group, "b" + i % 2, i / 400)));
    }
    List<Long> ids = enqueue(node, jobs);

    Await.until(SOON, () -> ended.containsAll(ids));

    assertThat(started).doesNotHaveDuplicates();
    assertThat(wavesStarted("b0")).hasSize(2_000).isSorted();
    assertThat(wavesStarted("b1")).hasSize(2_000).isSorted();
  }

  @Test
  void jobs_of_an_open_wave_that_are_not_claimed_are_released() {
    TestNode node = node("t");
    node("u");
    learn(node);
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      // The first hundred jobs of each wave are in one lane, like those of a uniform wave.
      int odd = i % 400 < 100 ? 0 : i % 400 % 8;
      String group = odd == 5 ? "g" + i % 3 : null;
      jobs.add(job(odd == 3 ? "u" : "t", odd == 7 ? 9 : 4, place(group, "b", i / 400)));
    }
    List<Long> ids = enqueue(node, jobs);

    Await.until(SOON, () -> ended.containsAll(ids));

    assertThat(started).doesNotHaveDuplicates();
    assertThat(wavesStarted("b")).hasSize(4_000).isSorted();
  }

  @Test
  void jobs_claimed_during_a_release_hide_no_other_jobs() throws Exception {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_batch (name, on_failure) values ('b', 'HOLD');
        insert into readpast_wave (batch, no, live) values (1, 1, 1500);
        insert into readpast_job (queue, type, state, waits_for, batch, wave, available_at, payload)
        select 'q', case when i > 500 then 'u' else 't' end, 'BLOCKED', 'WAVE', 1, 1, clock_timestamp(), '{}'
        from generate_series(1, 1500) i;
        insert into readpast_dependency_event (event, batch, wave) values ('RECHECK', 1, 1)""");
    try (var transactions = new LocalTransactions(database);
        var claiming = new LocalTransactions(database)) {
      StepNode resolver =
          new StepNode("A", transactions, RetryPolicy.DEFAULT, List.of("t", "u"), "unkept");
      resolver.register();
      Thread settles = new Thread(resolver::resolve);
      claiming.requiresNewUnbounded(
          () -> {
            // Simulates a claim that has not been committed yet.
            assertThat(
                    claiming
                        .entityManager()
                        .createNativeQuery(
                            "update readpast_job set state = 'RUNNING', owner = 9, claim_no = 1, attempt = 1"
                                + " where type = 't'")
                        .executeUpdate())
                .isEqualTo(500);
            settles.start();
            Await.until(
                SOON,
                () ->
                    count(
                            database,
                            "select count(*) from pg_stat_activity where datname = current_database()"
                                + " and wait_event_type = 'Lock'")
                        > 0);
            return true;
          });
      settles.join(SOON.toMillis());
    }
    assertThat(count(database, "select count(*) from readpast_job where state = 'RUNNING'"))
        .isEqualTo(500);
    assertThat(count(database, "select count(*) from readpast_job where state = 'AVAILABLE'"))
        .isEqualTo(1_000);
  }

  @Test
  void discarded_job_holds_the_higher_waves_until_it_is_reset() {
    TestNode node = node("t");
    learn(node);
    BatchControl batches = batches(node);
    List<Long> ids =
        node.transactions()
            .required(
                () -> {
                  List<Long> all =
                      enqueue(
                          node,
                          IntStream.range(0, 2_000)
                              .mapToObj(i -> job("t", 4, place(null, "b", i / 200)))
                              .toList());
                  failing.add(all.get(900));
                  return all;
                });

    Await.until(SOON, () -> started.contains(ids.get(900)));
    Await.until(
        SOON, () -> batches.batch("b").waves().get(4).holding().equals(List.of(ids.get(900))));
    Await.until(SOON, () -> batches.batch("b").waves().get(4).completed() == 199);
    assertThat(batches.batch("b").waves())
        .extracting(BatchView.Wave::waiting)
        .containsExactly(0L, 0L, 0L, 0L, 0L, 200L, 200L, 200L, 200L, 200L);
    assertThat(wavesStarted("b")).doesNotContain(5);

    failing.clear();
    new JobControl(node.transactions(), node.engine().signals(), node.audit())
        .reset(ids.get(900), false);
    batches.request(Action.SEAL, "b");

    Await.until(SOON, () -> batches.batch("b").finishedAt() != null);
    assertThat(ended).containsAll(ids);
  }

  @Test
  void batch_that_is_cancelled_during_a_wave_ends() {
    TestNode node = node("t");
    learn(node);
    BatchControl batches = batches(node);
    List<Long> ids =
        enqueue(
            node,
            IntStream.range(0, 20_000)
                .mapToObj(i -> job("t", 4, place(null, "b", i / 5_000)))
                .toList());
    Await.until(SOON, () -> wavesStarted("b").contains(1));

    batches.request(Action.CANCEL, "b");

    Await.until(SOON, () -> batches.batch("b").finishedAt() != null);
    long completed = batches.batch("b").waves().stream().mapToLong(BatchView.Wave::completed).sum();
    long cancelled = batches.batch("b").waves().stream().mapToLong(BatchView.Wave::cancelled).sum();
    assertThat(completed + cancelled).isEqualTo(20_000);
    assertThat(cancelled).isPositive();
    assertThat(ids.stream().filter(ended::contains).count()).isEqualTo(completed);
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
  }

  @Test
  void another_node_continues_the_wave_of_a_dead_node() {
    TestNode dead = node("t");
    learn(dead);
    List<Long> ids =
        enqueue(
            dead,
            IntStream.range(0, 8_000)
                .mapToObj(i -> job("t", 4, place(null, "b", i / 2_000)))
                .toList());
    Await.until(SOON, () -> wavesStarted("b").contains(1));
    dead.die();
    Await.until(SOON, dead::threadsEnded);
    // After a node has died in a claim, another node is cautious and claims jobs one by one.
    node("t");

    Await.until(SOON, () -> ended.containsAll(ids));
    assertThat(
            TestDatabase.column(
                database,
                "select distinct state from readpast_job_history where state <> 'COMPLETED'"))
        .isEmpty();
  }
}
