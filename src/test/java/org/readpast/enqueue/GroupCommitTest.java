package org.readpast.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.Enqueued;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.support.Await;
import org.readpast.support.TestNode;

class GroupCommitTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ConcurrentLinkedQueue<Thread> callers = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<List<String>> tried = new ConcurrentLinkedQueue<>();
  private final CountDownLatch underWay = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private volatile boolean commitFails;

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private List<Enqueued> inTransaction(Supplier<List<Enqueued>> work) {
    List<Enqueued> enqueued = work.get();
    if (commitFails && enqueued.size() > 1) {
      throw new IllegalStateException("the commit has failed");
    }
    return enqueued;
  }

  /** Stores the first job when the gate is open, and all other jobs with the given function. */
  private GroupCommit behindGate(Function<List<String>, List<Enqueued>> rest) {
    return new GroupCommit(
        this::inTransaction,
        jobs -> {
          List<String> types = jobs.stream().map(NewJob::type).toList();
          tried.add(types);
          if (types.equals(List.of("first"))) {
            underWay.countDown();
            try {
              gate.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return List.of(Enqueued.of(1, true));
          }
          return rest.apply(types);
        });
  }

  /** Returns the results of jobs that were submitted while the first one was being stored. */
  private Map<String, Object> together(GroupCommit commit, String... types) throws Exception {
    return together(commit, TestNode::job, types);
  }

  private Map<String, Object> together(
      GroupCommit commit, Function<String, NewJob> job, String... types) throws Exception {
    Future<Enqueued> one = threads.submit(() -> commit.enqueue(TestNode.job("first")));
    assertThat(underWay.await(10, TimeUnit.SECONDS)).isTrue();
    Map<String, Future<Enqueued>> later = new TreeMap<>();
    for (String type : types) {
      later.put(
          type,
          threads.submit(
              () -> {
                callers.add(Thread.currentThread());
                return commit.enqueue(job.apply(type));
              }));
    }
    Await.until(
        LIMIT,
        "all callers wait",
        () ->
            callers.stream().filter(t -> t.getState() == Thread.State.WAITING).count()
                == types.length);
    gate.countDown();
    assertThat(one.get(10, TimeUnit.SECONDS).id()).isOne();
    Map<String, Object> answers = new TreeMap<>();
    for (String type : types) {
      try {
        answers.put(type, later.get(type).get(10, TimeUnit.SECONDS).id());
      } catch (ExecutionException e) {
        answers.put(type, e.getCause().getMessage());
      }
    }
    return answers;
  }

  private static List<Enqueued> numbered(List<String> types) {
    return types.stream().map(type -> Enqueued.of(Long.parseLong(type), true)).toList();
  }

  @Test
  void concurrent_callers_share_a_commit_and_each_receives_its_own_job() throws Exception {
    Map<String, Object> answers = together(behindGate(GroupCommitTest::numbered), "11", "12", "13");
    assertThat(answers).containsEntry("11", 11L).containsEntry("12", 12L).containsEntry("13", 13L);
    assertThat(tried).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"22001", "23514"})
  void refused_job_does_not_affect_other_jobs(String state) throws Exception {
    Map<String, Object> answers =
        together(
            behindGate(
                types -> {
                  if (types.contains("12")) {
                    throw new IllegalStateException("not 12", new SQLException("no", state));
                  }
                  return numbered(types);
                }),
            "11",
            "12",
            "13");
    assertThat(answers)
        .containsEntry("11", 11L)
        .containsEntry("12", "not 12")
        .containsEntry("13", 13L);
  }

  @Test
  void commit_that_fails_is_not_repeated() throws Exception {
    commitFails = true;
    Map<String, Object> answers = together(behindGate(GroupCommitTest::numbered), "11", "12", "13");
    assertThat(answers.values()).containsOnly("the commit has failed");
    assertThat(tried).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"08006", "55P03", "57014"})
  void unavailable_or_slow_database_is_not_called_again_for_each_job(String state)
      throws Exception {
    Map<String, Object> answers =
        together(
            behindGate(
                types -> {
                  throw new IllegalStateException("away", new SQLException("gone", state));
                }),
            "11",
            "12",
            "13");
    assertThat(answers.values()).containsOnly("away");
    assertThat(tried).hasSize(2);
  }

  @Test
  void failure_of_the_executing_caller_is_reported_to_all() throws Exception {
    Map<String, Object> answers =
        together(
            behindGate(
                types -> {
                  throw new StackOverflowError("too deep");
                }),
            "11",
            "12");
    assertThat(answers.values()).containsOnly("too deep", "the jobs could not be stored");
  }

  @Test
  void batch_has_no_more_jobs_than_one_statement_takes() throws Exception {
    String[] types = IntStream.range(0, 1_003).mapToObj(Integer::toString).toArray(String[]::new);
    Map<String, Object> answers = together(behindGate(GroupCommitTest::numbered), types);
    assertThat(answers)
        .hasSize(1_003)
        .allSatisfy((type, id) -> assertThat("" + id).isEqualTo(type));
    assertThat(tried.stream().map(List::size)).containsExactly(1, 1_000, 3);
  }

  @Test
  void batch_has_no_more_bytes_than_the_database_should_hold() throws Exception {
    String payload = '"' + "x".repeat(1_500_000) + '"';
    Map<String, Object> answers =
        together(
            behindGate(GroupCommitTest::numbered),
            type -> TestNode.job(type, payload),
            "11",
            "12",
            "13",
            "14",
            "15",
            "16",
            "17");
    assertThat(answers).hasSize(7).allSatisfy((type, id) -> assertThat("" + id).isEqualTo(type));
    assertThat(tried.stream().map(List::size)).containsExactly(1, 2, 2, 2, 1);
  }

  @Test
  void job_with_dependencies_is_not_admitted() {
    assertThat(GroupCommit.admits(TestNode.job("t"))).isTrue();
    NewJob withKey = new NewJob("q", "t", 4, null, null, null, null, "key", null, null, null, "{}");
    assertThat(GroupCommit.admits(withKey)).isFalse();
    assertThat(GroupCommit.admits(TestNode.job("t", JobDependencies.inBatch("b", 0)))).isFalse();
  }
}
