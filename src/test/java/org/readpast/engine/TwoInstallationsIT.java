package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.JobSearches;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReceiveMode;
import org.readpast.dependency.DependencySql;
import org.readpast.model.JobDependencies;
import org.readpast.model.JobSearch;
import org.readpast.model.NewJob;
import org.readpast.model.QueueScope;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests two installations in two schemas of one database, neither of them on a search path. */
class TwoInstallationsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Database first = TestDatabase.withTablesIn("jobs", "other");
  private final Database second = first.in("other");
  private final List<String> worked = Collections.synchronizedList(new ArrayList<>());
  private TestNode here;
  private TestNode there;

  @BeforeEach
  void start() {
    here = node(first, ReceiveMode.TRANSACTIONAL);
    there = node(second, ReceiveMode.LEASED);
  }

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  private TestNode node(Database installation, ReceiveMode mode) {
    return new TestNode(installation)
        .notifiesOtherNodes()
        .handles(
            "work",
            mode,
            (payload, context) -> {
              worked.add(installation.schema() + payload);
              return JobResult.done();
            })
        .start();
  }

  private static NewJob inGroup(String payload) {
    return new NewJob(
        "q",
        "work",
        4,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        new JobDependencies(
            "g", GroupFailure.SKIP, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD),
        payload,
        null);
  }

  private static NewJob inWave(int wave) {
    return new NewJob(
        "q",
        "work",
        4,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        JobDependencies.inBatch("b", wave),
        String.valueOf(wave),
        null);
  }

  private static void awaitCompleted(Database installation, long jobs) {
    Await.until(
        SOON,
        jobs + " completed in " + installation.schema(),
        () ->
            TestDatabase.count(
                    installation,
                    "select count(*) from readpast_job_history where state = 'COMPLETED'")
                == jobs);
  }

  @Test
  void each_installation_runs_its_own_jobs_in_order() {
    here.enqueue(inGroup("1"), inGroup("2"), inGroup("3"));
    there.enqueue(inWave(2), inWave(1), inWave(0));
    awaitCompleted(first, 3);
    awaitCompleted(second, 3);

    assertThat(worked)
        .containsSubsequence("jobs1", "jobs2", "jobs3")
        .containsSubsequence("other0", "other1", "other2")
        .hasSize(6);
  }

  @Test
  void installation_does_not_find_jobs_of_another_installation() {
    here.enqueue(job("work", 4, Duration.ofHours(1)), job("work", 4, Duration.ofHours(1)));

    assertThat(scheduled(here)).isEqualTo(2);
    assertThat(scheduled(there)).isZero();
  }

  private static long scheduled(TestNode node) {
    return node.transactions()
        .required(
            () ->
                new JobSearches(node.transactions(), QueueScope.ALL)
                    .count(JobSearch.ANY)
                    .get(JobState.SCHEDULED)
                    .jobs());
  }

  @Test
  void resolvers_of_two_installations_do_not_wait_for_each_other() throws Exception {
    try (var connection = first.connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(DependencySql.lock());

      there.enqueue(inWave(0), inWave(1), inWave(2));
      awaitCompleted(second, 3);
      here.enqueue(inWave(0), inWave(1));
      Await.until(SOON, "its own resolver waits", () -> waiting() > 0);
      assertThat(worked).doesNotContain("jobs1");
      connection.rollback();
    }
    awaitCompleted(first, 2);
  }

  private long waiting() {
    return TestDatabase.count(
        first, "select count(*) from pg_locks where locktype = 'advisory' and not granted");
  }
}
