package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.BatchControl;
import org.readpast.admin.store.BatchAdmin;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.JobAdmin;
import org.readpast.api.Enqueued;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.dependency.DependencyStore;
import org.readpast.enqueue.Batches;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests jobs that wait for others: groups, waves and predecessors. */
class OrderIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final List<Long> started = java.util.Collections.synchronizedList(new ArrayList<>());
  private final Set<Long> ended = ConcurrentHashMap.newKeySet();
  private final Set<Long> failing = ConcurrentHashMap.newKeySet();
  private final Map<Long, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final List<TestNode> nodes = new ArrayList<>();
  private Database database;

  @BeforeEach
  void makeDatabase() {
    database = TestDatabase.withTables();
  }

  @AfterEach
  void closeNodes() {
    gates.values().forEach(CountDownLatch::countDown);
    nodes.forEach(TestNode::close);
  }

  private TestNode node(ReceiveMode mode) {
    return node(mode, new TestNode(database));
  }

  private TestNode node(ReceiveMode mode, TestNode configured) {
    TestNode node =
        configured
            .handles(
                "t",
                mode,
                (payload, context) -> {
                  started.add(context.id());
                  CountDownLatch gate = gates.get(context.id());
                  if (gate != null && !gate.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the gate stayed closed");
                  }
                  if (failing.contains(context.id())) {
                    return JobResult.failNow("as asked");
                  }
                  ended.add(context.id());
                  return JobResult.done();
                })
            .start();
    nodes.add(node);
    return node;
  }

  private static JobDependencies group(String key, GroupFailure failure) {
    return new JobDependencies(
        key, failure, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);
  }

  private static JobDependencies wave(String batch, int wave) {
    return new JobDependencies(
        null, GroupFailure.SKIP, batch, wave, null, List.of(), List.of(), PredecessorFailure.HOLD);
  }

  private static JobDependencies after(PredecessorFailure failure, Long... ids) {
    return new JobDependencies(
        null, GroupFailure.SKIP, null, 0, null, List.of(ids), List.of(), failure);
  }

  private static JobDependencies named(String ref, String... after) {
    return new JobDependencies(
        null, GroupFailure.SKIP, null, 0, ref, List.of(), List.of(after), PredecessorFailure.HOLD);
  }

  private List<Long> enqueue(TestNode node, Stream<JobDependencies> places) {
    return enqueue(node, places.map(dependencies -> job("t", dependencies)).toArray(NewJob[]::new));
  }

  private static List<Long> enqueue(TestNode node, NewJob... jobs) {
    return node.enqueue(jobs).stream().map(Enqueued::id).toList();
  }

  private String state(long id) {
    return TestDatabase.stateOf(database, id);
  }

  private void awaitState(long id, String state) {
    Await.until(SOON, () -> state(id).equals(state));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_of_a_group_run_one_at_a_time_in_order(ReceiveMode mode) {
    TestNode node = node(mode);
    node(mode);
    List<Long> ids =
        enqueue(node, IntStream.range(0, 200).mapToObj(i -> group("g" + i % 4, GroupFailure.SKIP)));

    Await.until(SOON, () -> ended.containsAll(ids));

    for (int g = 0; g < 4; g++) {
      int group = g;
      List<Long> own =
          IntStream.range(0, 200).filter(i -> i % 4 == group).mapToObj(ids::get).toList();
      assertThat(started.stream().filter(own::contains).toList()).isEqualTo(own);
    }
  }

  @Test
  void receiver_continues_in_the_groups_of_its_jobs() {
    noteTold();
    TestNode node = node(ReceiveMode.LEASED);
    List<Long> ids =
        enqueue(node, IntStream.range(0, 300).mapToObj(i -> group("g" + i % 3, GroupFailure.SKIP)));

    Await.until(SOON, () -> count(database, "select count(*) from readpast_job") == 0);

    assertThat(ended).containsAll(ids);
    assertThat(count(database, "select count(*) from told")).isLessThan(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"q", "another"})
  void new_jobs_do_not_wait_for_a_receiver_that_continues_in_its_groups(String queue) {
    TestNode node =
        new TestNode(database)
            .concurrency(1)
            .handles(
                "t",
                ReceiveMode.LEASED,
                (payload, context) -> {
                  Thread.sleep(2);
                  ended.add(context.id());
                  return JobResult.done();
                })
            .start();
    nodes.add(node);
    enqueue(node, IntStream.range(0, 5_000).mapToObj(i -> group("g", GroupFailure.SKIP)));
    Await.until(SOON, () -> ended.size() > 500);

    int before = ended.size();
    long urgent =
        enqueue(
                node,
                new NewJob(queue, "t", 9, null, null, null, null, null, null, null, null, "{}"))
            .get(0);
    Await.until(SOON, () -> ended.contains(urgent));

    assertThat(ended.size() - before).isLessThan(700);
  }

  /**
   * Records the dependency events. Receivers that continue in a group need not wake the resolver
   * for each end.
   */
  private void noteTold() {
    database.execute(
        """
        create table told (job_id bigint);
        create function note_told() returns trigger language plpgsql as
          'begin insert into told select unnest(new.jobs); return new; end';
        create trigger note_told after insert on readpast_dependency_event
          for each row execute function note_told()""");
  }

  @Test
  void receiver_continues_only_within_a_lowered_limit() {
    database.execute("insert into readpast_group (queue, key, concurrency) values ('q', 'g', 3)");
    TestNode node = node(ReceiveMode.LEASED);
    long next = nextId(node);
    IntStream.range(0, 3).forEach(i -> gates.put(next + i, new CountDownLatch(1)));
    List<Long> ids =
        enqueue(node, IntStream.range(0, 6).mapToObj(i -> group("g", GroupFailure.SKIP)));
    Await.until(SOON, () -> started.size() == 3);

    database.execute("update readpast_group set concurrency = 1");
    for (int i = 0; i < 2; i++) {
      gates.get(ids.get(i)).countDown();
      long left = 5 - i;
      Await.until(SOON, () -> count(database, "select count(*) from readpast_job") == left);
    }
    assertThat(started).containsExactlyInAnyOrderElementsOf(ids.subList(0, 3));

    gates.get(ids.get(2)).countDown();
    Await.until(SOON, () -> ended.containsAll(ids));
    assertThat(started.subList(3, 6)).isEqualTo(ids.subList(3, 6));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void group_continues_once_the_job_that_held_it_has_succeeded(ReceiveMode mode) {
    TestNode node = node(mode);
    failing.add(nextId(node));
    long first = enqueue(node, Stream.of(group("g", GroupFailure.HOLD))).get(0);
    List<Long> others =
        enqueue(node, IntStream.range(0, 3).mapToObj(i -> group("g", GroupFailure.HOLD)));
    awaitState(first, "DISCARDED");
    failing.clear();
    reset(node, first);

    Await.until(SOON, () -> ended.containsAll(others));
    Await.until(SOON, () -> count(database, "select count(*) from readpast_hold") == 0);
    long last = enqueue(node, Stream.of(group("g", GroupFailure.HOLD))).get(0);
    awaitState(last, "COMPLETED");
  }

  @Test
  void group_of_several_types_keeps_its_order() {
    TestNode configured =
        new TestNode(database)
            .handles(
                "u",
                ReceiveMode.TRANSACTIONAL,
                (payload, context) -> {
                  started.add(context.id());
                  return JobResult.done();
                });
    TestNode node = node(ReceiveMode.LEASED, configured);
    List<Long> ids =
        enqueue(
            node,
            IntStream.range(0, 60)
                .mapToObj(i -> job(i % 7 < 5 ? "t" : "u", group("g", GroupFailure.SKIP)))
                .toArray(NewJob[]::new));

    Await.until(SOON, () -> started.size() >= ids.size());

    assertThat(started).isEqualTo(ids);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_without_retention_release_their_followers(ReceiveMode mode) {
    TestNode node = node(mode, new TestNode(database).keeps(JobState.COMPLETED, Duration.ZERO));
    List<Long> ids =
        enqueue(
            node,
            Stream.concat(
                IntStream.range(0, 10).mapToObj(i -> group("g", GroupFailure.SKIP)),
                Stream.of(named("first"), named("second", "first"))));

    Await.until(SOON, () -> ended.containsAll(ids));

    Await.until(SOON, () -> count(database, "select count(*) from readpast_job") == 0);
    assertThat(count(database, "select count(*) from readpast_job_history")).isZero();
  }

  @Test
  void discarded_job_is_skipped_or_holds_its_group_until_it_is_reset() {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(1L, new CountDownLatch(1));
    gates.put(2L, new CountDownLatch(1));
    List<Long> ids =
        enqueue(
            node,
            Stream.of(
                group("skips", GroupFailure.SKIP),
                group("holds", GroupFailure.HOLD),
                group("skips", GroupFailure.SKIP),
                group("holds", GroupFailure.HOLD)));
    failing.addAll(ids.subList(0, 2));
    gates.values().forEach(CountDownLatch::countDown);

    awaitState(ids.get(2), "COMPLETED");
    awaitState(ids.get(1), "DISCARDED");
    Await.until(
        SOON,
        () ->
            "1"
                .equals(
                    TestDatabase.value(
                        database, "select count(*) from readpast_hold where job_id = 2")));
    assertThat(state(ids.get(3))).isEqualTo("BLOCKED");

    failing.clear();
    reset(node, ids.get(1));

    awaitState(ids.get(3), "COMPLETED");
    assertThat(started.indexOf(ids.get(3))).isGreaterThan(started.lastIndexOf(ids.get(1)));
  }

  /** Returns the id of the next job that will be enqueued. */
  private long nextId(TestNode node) {
    long before = enqueue(node, Stream.of(group("before", GroupFailure.SKIP))).get(0);
    Await.until(SOON, () -> ended.contains(before));
    started.clear();
    return before + 1;
  }

  private static void reset(TestNode node, long id) {
    node.transactions()
        .requiresNew(() -> new JobAdmin(node.transactions()).reset(List.of(id), true));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void wave_starts_when_all_lower_waves_have_ended(ReceiveMode mode) {
    TestNode node = node(mode);
    node(mode);
    List<JobDependencies> places = new ArrayList<>();
    for (int batch = 0; batch < 5; batch++) {
      for (int i = 0; i < 40; i++) {
        places.add(wave("b" + batch, 400 - 100 * (i % 4)));
      }
    }
    List<Long> ids = enqueue(node, places.stream());

    Await.until(SOON, () -> ended.containsAll(ids));

    for (int batch = 0; batch < 5; batch++) {
      String name = "b" + batch;
      List<Integer> waves =
          started.stream()
              .map(id -> places.get(ids.indexOf(id)))
              .filter(dependencies -> name.equals(dependencies.batch()))
              .map(JobDependencies::wave)
              .toList();
      assertThat(waves).hasSize(40).isSorted();
    }
  }

  @Test
  void late_job_of_a_lower_wave_holds_back_unstarted_jobs() {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(1L, new CountDownLatch(1));
    List<Long> ids = enqueue(node, Stream.of(wave("b", 1), wave("b", 2)));
    gates.put(3L, new CountDownLatch(1));
    List<Long> late = enqueue(node, Stream.of(wave("b", 1)));
    Await.until(SOON, () -> started.containsAll(List.of(ids.get(0), late.get(0))));
    gates.get(1L).countDown();
    awaitState(ids.get(0), "COMPLETED");
    Await.until(
        SOON,
        () ->
            TestDatabase.value(database, "select count(*) from readpast_dependency_event")
                .equals("0"));
    assertThat(state(ids.get(1))).isEqualTo("BLOCKED");

    gates.get(3L).countDown();

    awaitState(ids.get(1), "COMPLETED");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void follower_enqueued_while_its_predecessor_runs_starts_after_it(ReceiveMode mode) {
    TestNode node = node(mode);
    gates.put(1L, new CountDownLatch(1));
    long first = node.enqueue("t");
    Await.until(SOON, () -> started.contains(first));
    long second = enqueue(node, Stream.of(after(PredecessorFailure.HOLD, first))).get(0);
    Await.until(
        SOON,
        () ->
            TestDatabase.value(
                    database, "select count(*) from readpast_predecessor where seen_at is not null")
                .equals("1"));
    assertThat(state(second)).isEqualTo("BLOCKED");

    gates.get(1L).countDown();

    awaitState(second, "COMPLETED");
    assertThat(started).containsExactly(first, second);
  }

  @Test
  void follower_committed_after_its_predecessor_ended_runs() throws Exception {
    TestNode node = node(ReceiveMode.TRANSACTIONAL);
    gates.put(1L, new CountDownLatch(1));
    long first = node.enqueue("t");
    Await.until(SOON, () -> started.contains(first));
    long[] second = new long[1];
    node.transactions()
        .inHandlerTransaction(
            Duration.ofSeconds(20),
            () -> {
              second[0] = enqueue(node, Stream.of(after(PredecessorFailure.HOLD, first))).get(0);
              gates.get(1L).countDown();
              Await.until(SOON, () -> state(first).equals("COMPLETED"));
              return true;
            });

    awaitState(second[0], "COMPLETED");
  }

  @Test
  void graph_of_one_call_runs_in_its_order() {
    TestNode node = node(ReceiveMode.TRANSACTIONAL);
    List<Long> ids =
        enqueue(
            node, Stream.of(named("d", "b", "c"), named("b", "a"), named("c", "a"), named("a")));

    awaitState(ids.get(0), "COMPLETED");

    assertThat(started).hasSize(4).startsWith(ids.get(3)).endsWith(ids.get(0));
  }

  @Test
  void cycles_and_unknown_predecessors_are_refused() {
    TestNode node = node(ReceiveMode.LEASED);

    assertThatThrownBy(
            () ->
                enqueue(
                    node, Stream.of(named("x"), named("a", "c"), named("b", "a"), named("c", "b"))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("cycle")
        .hasMessageContaining("a after c after b after a");
    assertThatThrownBy(
            () ->
                enqueue(
                    node,
                    Stream.of(
                        new JobDependencies(
                            null,
                            GroupFailure.SKIP,
                            "b",
                            3,
                            "p",
                            List.of(),
                            List.of(),
                            PredecessorFailure.HOLD),
                        wave("b", 2),
                        new JobDependencies(
                            null,
                            GroupFailure.SKIP,
                            "b",
                            1,
                            "q",
                            List.of(),
                            List.of("p"),
                            PredecessorFailure.HOLD))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining(
            "p after wave 2 of batch 'b' after wave 1 of batch 'b' after q after p");
    assertThatThrownBy(() -> enqueue(node, Stream.of(named("a", "nobody"))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("'nobody'");
    assertThatThrownBy(() -> enqueue(node, Stream.of(after(PredecessorFailure.HOLD, 4_711_000L))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("4711000");
    assertThat(TestDatabase.value(database, "select count(*) from readpast_job")).isEqualTo("0");
  }

  @Test
  void failure_of_a_predecessor_holds_cancels_or_is_ignored() {
    TestNode node = node(ReceiveMode.TRANSACTIONAL);
    gates.put(1L, new CountDownLatch(1));
    long first = node.enqueue("t");
    failing.add(first);
    List<Long> ids =
        enqueue(node, Stream.of(PredecessorFailure.values()).map(failure -> after(failure, first)));
    long afterCancelled =
        enqueue(node, Stream.of(after(PredecessorFailure.CANCEL, ids.get(1)))).get(0);
    gates.get(1L).countDown();

    awaitState(first, "DISCARDED");
    awaitState(ids.get(1), "CANCELLED");
    awaitState(afterCancelled, "CANCELLED");
    awaitState(ids.get(2), "COMPLETED");
    assertThat(state(ids.get(0))).isEqualTo("BLOCKED");

    failing.clear();
    reset(node, first);

    awaitState(ids.get(0), "COMPLETED");
    assertThat(started).containsExactly(first, ids.get(2), first, ids.get(0));
  }

  @Test
  void another_node_resolves_the_dependencies_that_a_dead_node_left() {
    TestNode dead = node(ReceiveMode.LEASED);
    dead.die();
    List<Long> ids =
        enqueue(
            dead, Stream.of(wave("b", 1), wave("b", 2), group("g", GroupFailure.SKIP), named("r")));
    long last = enqueue(dead, Stream.of(after(PredecessorFailure.HOLD, ids.get(3)))).get(0);

    node(ReceiveMode.LEASED);

    awaitState(last, "COMPLETED");
    awaitState(ids.get(1), "COMPLETED");
    awaitState(ids.get(2), "COMPLETED");
  }

  @Test
  void reset_is_refused_if_followers_wait_only_for_their_group() {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(1L, new CountDownLatch(1));
    long busy = enqueue(node, Stream.of(group("g", GroupFailure.SKIP))).get(0);
    Await.until(SOON, () -> started.contains(busy));
    failing.addAll(List.of(2L, 4L));
    database.execute("insert into readpast_batch (name, on_failure) values ('b', 'CONTINUE')");
    List<Long> ids =
        enqueue(
            node,
            Stream.of(
                named("p"),
                new JobDependencies(
                    "g",
                    GroupFailure.SKIP,
                    null,
                    0,
                    null,
                    List.of(),
                    List.of("p"),
                    PredecessorFailure.RUN),
                wave("b", 1),
                new JobDependencies(
                    "g",
                    GroupFailure.SKIP,
                    "b",
                    2,
                    null,
                    List.of(),
                    List.of(),
                    PredecessorFailure.HOLD)));
    for (long behind : new long[] {ids.get(1), ids.get(3)}) {
      Await.until(
          SOON,
          () ->
              "GROUP"
                  .equals(
                      TestDatabase.value(
                          database, "select waits_for from readpast_job where id = " + behind)));
    }
    JobAdmin admin = new JobAdmin(node.transactions());
    for (long first : new long[] {ids.get(0), ids.get(2)}) {
      assertThat(node.transactions().requiresNew(() -> admin.overtaken(first))).isTrue();
      assertThat(node.transactions().requiresNew(() -> admin.reset(List.of(first), false)))
          .isEmpty();
      assertThat(state(first)).isEqualTo("DISCARDED");
    }
  }

  @Test
  void follower_does_not_start_before_a_predecessor_that_was_just_reset() {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(2L, new CountDownLatch(1));
    failing.add(1L);
    long first = node.enqueue("t");
    long second = node.enqueue("t");
    long follower = enqueue(node, Stream.of(after(PredecessorFailure.RUN, first, second))).get(0);
    awaitState(first, "DISCARDED");
    Await.until(
        SOON,
        () ->
            TestDatabase.count(
                    database,
                    "select count(*) from readpast_predecessor where ended_as is not null")
                == 1);
    node.die();
    DependencyStore dependencies = new DependencyStore(node.transactions());
    node.transactions()
        .requiresNew(() -> new JobAdmin(node.transactions()).reset(List.of(first), false));
    // The end of the second job is resolved before any resolver has read the reset.
    assertThat(
            node.transactions()
                .requiresNew(() -> dependencies.notifyOfSuccess(Set.of(second), 1_000)))
        .containsExactly(follower);
    assertThat(
            node.transactions()
                .requiresNew(() -> dependencies.releaseAfterPredecessors(Set.of(follower))))
        .isEmpty();
    assertThat(state(follower)).isEqualTo("BLOCKED");
    gates.get(2L).countDown();
  }

  @Test
  void job_that_is_reset_while_its_predecessor_ends_is_released() throws Exception {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(1L, new CountDownLatch(1));
    long first = node.enqueue("t");
    long second = enqueue(node, Stream.of(after(PredecessorFailure.HOLD, first))).get(0);
    JobAdmin admin = new JobAdmin(node.transactions());
    node.transactions().requiresNew(() -> admin.cancel(second));
    awaitState(second, "CANCELLED");
    node.transactions()
        .inHandlerTransaction(
            Duration.ofSeconds(20),
            () -> {
              admin.reset(List.of(second), false);
              gates.get(1L).countDown();
              awaitState(first, "COMPLETED");
              Await.until(
                  SOON,
                  () ->
                      TestDatabase.count(database, "select count(*) from readpast_predecessor")
                          == 0);
              return true;
            });

    awaitState(second, "COMPLETED");
  }

  @Test
  void long_cancelling_transaction_blocks_no_other_jobs() throws Exception {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(1L, new CountDownLatch(1));
    List<Long> ids =
        enqueue(node, Stream.of(group("g", GroupFailure.SKIP), group("g", GroupFailure.SKIP)));
    Await.until(SOON, () -> started.contains(ids.get(0)));
    node.transactions()
        .inHandlerTransaction(
            Duration.ofSeconds(20),
            () -> {
              new JobAdmin(node.transactions()).cancel(ids.get(1));
              gates.get(1L).countDown();
              awaitState(ids.get(0), "COMPLETED");
              List<Long> others = enqueueApart(node, Stream.of(wave("b", 1), wave("b", 2)));
              awaitState(others.get(1), "COMPLETED");
              return true;
            });
  }

  @Test
  void long_transaction_that_cancels_running_jobs_blocks_no_other_jobs() throws Exception {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(1L, new CountDownLatch(1));
    gates.put(2L, new CountDownLatch(1));
    List<Long> ids = enqueue(node, Stream.of(wave("b", 1), wave("b", 1), wave("b", 2)));
    Await.until(SOON, () -> started.containsAll(ids.subList(0, 2)));
    node.transactions()
        .inHandlerTransaction(
            Duration.ofSeconds(20),
            () -> {
              new JobAdmin(node.transactions()).cancel(ids.get(0));
              new JobAdmin(node.transactions()).cancel(ids.get(1));
              gates.get(1L).countDown();
              awaitState(ids.get(0), "COMPLETED");
              node.transactions()
                  .requiresNew(
                      () -> {
                        Batches batches = new Batches(node.transactions());
                        new BatchAdmin(node.transactions())
                            .request(Action.CANCEL, batches.find("b").id());
                        return true;
                      });
              node.engine().signals().orderChanged();
              awaitState(ids.get(2), "CANCELLED");
              List<Long> others = enqueueApart(node, Stream.of(wave("c", 1), wave("c", 2)));
              awaitState(others.get(1), "COMPLETED");
              return true;
            });
    assertThat(
            TestDatabase.count(
                database,
                "select count(*) from readpast_cancellation where job_id = " + ids.get(1)))
        .isPositive();
    gates.get(2L).countDown();
  }

  /** Enqueues in a separate transaction, even if the thread already has a transaction. */
  private List<Long> enqueueApart(TestNode node, Stream<JobDependencies> places) {
    return node.transactions().requiresNew(() -> enqueue(node, places));
  }

  @Test
  void groups_use_a_raised_concurrency_immediately() {
    TestNode node = node(ReceiveMode.LEASED);
    gates.put(1L, new CountDownLatch(1));
    gates.put(2L, new CountDownLatch(1));
    List<Long> ids =
        enqueue(node, Stream.of(group("g", GroupFailure.SKIP), group("g", GroupFailure.SKIP)));
    Await.until(SOON, () -> started.contains(ids.get(0)));

    new BatchControl(node.transactions(), node.engine().signals(), job -> job, node.audit())
        .limitGroup("q", "g", 2);

    Await.until(SOON, () -> started.contains(ids.get(1)));
    assertThat(ended).isEmpty();
  }
}
