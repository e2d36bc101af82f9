package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.Enqueued;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests receivers that lease several jobs of a group together, and run them in order. */
class GroupRunsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Database database = TestDatabase.withTables();
  private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());
  private final Set<Long> endingBadly = ConcurrentHashMap.newKeySet();
  private final AtomicInteger slowOne = new AtomicInteger();
  private final CountDownLatch open = new CountDownLatch(1);
  private final List<TestNode> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    open.countDown();
    nodes.forEach(TestNode::close);
  }

  /** Performs the action of a test while a job runs. */
  private interface Handler {
    JobResult work(JobContext job) throws Exception;
  }

  private TestNode node(Handler handler) {
    TestNode node =
        new TestNode(database)
            .lease(Duration.ofSeconds(2))
            .handles("t", ReceiveMode.LEASED, (payload, job) -> handler.work(job))
            .start();
    nodes.add(node);
    return node;
  }

  private static List<Long> enqueue(TestNode node, int jobs, int groups) {
    NewJob[] all =
        IntStream.range(0, jobs)
            .mapToObj(
                i ->
                    job(
                        "t",
                        new JobDependencies(
                            "g" + i % groups,
                            GroupFailure.SKIP,
                            null,
                            0,
                            null,
                            List.of(),
                            List.of(),
                            PredecessorFailure.HOLD)))
            .toArray(NewJob[]::new);
    return node.enqueue(all).stream().map(Enqueued::id).toList();
  }

  private JobResult begin(JobContext job) {
    begun.add(job.id());
    return endingBadly.contains(job.id()) && job.attempt() == 1
        ? JobResult.retryLater(Duration.ofMillis(50))
        : JobResult.done();
  }

  private List<String> column(String sql) {
    return TestDatabase.column(database, sql);
  }

  private List<String> running() {
    return column("select id from readpast_job where state = 'RUNNING' order by 1");
  }

  private static List<String> texts(List<Long> ids) {
    return ids.stream().map(String::valueOf).toList();
  }

  private void awaitAllGone() {
    Await.until(SOON, () -> column("select id from readpast_job").isEmpty());
  }

  private List<Long> begunOf(List<Long> ids) {
    return begun.stream().filter(ids::contains).toList();
  }

  private static List<Long> group(List<Long> ids, int group, int groups) {
    return IntStream.range(0, ids.size())
        .filter(i -> i % groups == group)
        .mapToObj(ids::get)
        .toList();
  }

  @Test
  void each_job_starts_once_the_end_of_the_previous_job_is_stored() {
    List<String> before = Collections.synchronizedList(new ArrayList<>());
    TestNode node =
        node(
            job -> {
              before.addAll(
                  column(
                      """
                      select o.id || ' before ' || j.id from readpast_job j
                      join readpast_job o on o.group_key = j.group_key and o.id < j.id where j.id = """
                          + job.id()));
              return begin(job);
            });
    List<Long> ids = enqueue(node, 120, 3);

    awaitAllGone();
    assertThat(before).isEmpty();
    for (int g = 0; g < 3; g++) {
      assertThat(begunOf(group(ids, g, 3))).isEqualTo(group(ids, g, 3));
    }
  }

  @Test
  void next_jobs_of_a_group_wait_for_a_retried_job() {
    TestNode node = node(this::begin);
    node(this::begin);
    List<Long> ids = enqueue(node, 60, 2);
    IntStream.range(0, 60).filter(i -> i % 7 == 3).forEach(i -> endingBadly.add(ids.get(i)));

    awaitAllGone();
    for (int g = 0; g < 2; g++) {
      List<Long> expected =
          group(ids, g, 2).stream()
              .flatMap(id -> endingBadly.contains(id) ? Stream.of(id, id) : Stream.of(id))
              .toList();
      assertThat(begunOf(ids).stream().filter(expected::contains).toList()).isEqualTo(expected);
    }
  }

  /** Enqueues a group whose second job takes a long time, so that the jobs behind it wait. */
  private List<Long> enqueueWithASlowSecond(int jobs) {
    TestNode node =
        node(
            job -> {
              JobResult result = begin(job);
              if (begun.size() == slowOne.get() && !open.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test did not release it");
              }
              return result;
            });
    // Several jobs are leased only if the node knows that jobs are short.
    slowOne.set(Integer.MAX_VALUE);
    enqueue(node, 40, 1);
    awaitAllGone();
    // If events were left, the resolver might check the group for the last of these jobs just
    // before it reads the next one.
    Await.until(SOON, () -> column("select id from readpast_dependency_event").isEmpty());
    begun.clear();
    slowOne.set(2);
    List<Long> ids = enqueue(node, jobs, 1);
    Await.until(SOON, () -> begun.size() == 2);
    return ids;
  }

  @Test
  void leased_jobs_that_do_not_start_soon_are_released() {
    List<Long> ids = enqueueWithASlowSecond(8);
    assertThat(running()).isEqualTo(texts(ids.subList(1, 1 + NextInGroup.MAX_OF_GROUP)));

    Await.until(SOON, () -> running().size() == 1);
    assertThat(
            column(
                "select distinct concat_ws(' ', state, waits_for, attempt) from readpast_job where id > "
                    + ids.get(1)))
        .containsExactly("BLOCKED GROUP 0");
    open.countDown();
    awaitAllGone();
    assertThat(begun).isEqualTo(ids);
  }

  @Test
  void jobs_of_a_dead_node_run_once_on_another_in_their_order() {
    List<Long> ids = enqueueWithASlowSecond(6);
    nodes.get(0).die();
    assertThat(running()).hasSize(NextInGroup.MAX_OF_GROUP);
    node(this::begin);
    awaitAllGone();

    open.countDown();
    Await.until(SOON, "the frozen threads have ended", () -> nodes.get(0).threadsEnded());
    assertThat(begun.subList(2, begun.size())).isEqualTo(ids.subList(1, ids.size()));
  }
}
