package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.stateOf;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.store.JobAdmin;
import org.readpast.api.BatchFailure;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.enqueue.Batches;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.sql.WaitingSql;
import org.readpast.store.ClaimedJob;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests ends and additions of jobs that are read by the same run of the resolver. */
class ResolverAnswersIT {
  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final StepNode node =
      new StepNode("n", transactions, RetryPolicy.DEFAULT, List.of("t"), "unkept");
  private final JobAdmin admin = new JobAdmin(transactions);

  ResolverAnswersIT() {
    node.register();
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private long enqueue(JobDependencies dependencies) {
    NewJob job =
        new NewJob(
            "q", "t", 4, null, null, null, null, null, null, null, null, dependencies, "{}", null);
    return node.enqueue(List.of(job)).get(0).id();
  }

  private static JobDependencies after(long id, PredecessorFailure failure) {
    return new JobDependencies(
        null, GroupFailure.SKIP, null, 0, null, List.of(id), List.of(), failure);
  }

  private void cancel(long id) {
    transactions.required(() -> admin.cancel(id));
  }

  /** The predecessor has failed, and one run of the resolver reads both events. */
  @ParameterizedTest
  @EnumSource(PredecessorFailure.class)
  void follower_added_just_before_the_end_is_notified_once(PredecessorFailure failure) {
    long first = enqueue(JobDependencies.ALONE);
    enqueue(after(first, failure));
    cancel(first);
    node.resolve();
    assertThat(count(database, "select count(*) from readpast_predecessor where not decided"))
        .isZero();
    assertThat(TestDatabase.column(database, WaitingSql.pending())).isEmpty();
  }

  @Test
  void ended_job_whose_follower_ignores_it_can_be_deleted() {
    long first = enqueue(JobDependencies.ALONE);
    transactions.requiresNewUnbounded(
        () -> {
          new Batches(transactions).create("b", BatchFailure.HOLD, () -> {});
          return true;
        });
    enqueue(JobDependencies.inBatch("b", 0));
    enqueue(
        new JobDependencies(
            null,
            GroupFailure.SKIP,
            "b",
            1,
            null,
            List.of(first),
            List.of(),
            PredecessorFailure.RUN));
    cancel(first);
    node.resolve();
    assertThat(transactions.required(() -> admin.delete(List.of(first)))).hasSize(1);
  }

  private static JobDependencies inGroup(List<Long> predecessors) {
    return new JobDependencies(
        "g", GroupFailure.SKIP, null, 0, null, predecessors, List.of(), PredecessorFailure.RUN);
  }

  @Test
  void job_after_a_chain_of_cancelled_jobs_precedes_later_jobs_of_its_group() {
    long first = enqueue(JobDependencies.ALONE);
    long last = first;
    for (int i = 0; i < 5; i++) {
      last = enqueue(after(last, PredecessorFailure.CANCEL));
    }
    long follower = enqueue(inGroup(List.of(first, last)));
    long later = enqueue(inGroup(List.of()));
    cancel(first);
    node.resolve();
    assertThat(stateOf(database, follower)).isEqualTo("AVAILABLE");
    assertThat(stateOf(database, later)).isEqualTo("BLOCKED");
  }

  @Test
  void long_chain_is_cancelled_by_several_transactions() {
    long first = enqueue(JobDependencies.ALONE);
    long last = first;
    for (int i = 0; i < 200; i++) {
      last = enqueue(after(last, PredecessorFailure.CANCEL));
    }
    cancel(first);
    node.resolve();
    assertThat(
            TestDatabase.column(
                database,
                "select count(*) from readpast_job_history where state = 'CANCELLED' group by cast(xmin as text)"))
        .hasSizeGreaterThan(4)
        .allSatisfy(jobs -> assertThat(Integer.parseInt(jobs)).isLessThanOrEqualTo(50));
    assertThat(stateOf(database, last)).isEqualTo("CANCELLED");
    assertThat(count(database, "select count(*) from readpast_job")).isZero();
  }

  @Test
  void one_run_passes_thousands_of_checks_of_groups() {
    database.execute(
        """
        insert into readpast_dependency_event (event, queue, group_key)
        select 'RECHECK', 'q', 'other' || i from generate_series(1, 2500) i""");
    long first = enqueue(JobDependencies.ALONE);
    long follower = enqueue(after(first, PredecessorFailure.CANCEL));
    cancel(first);
    node.resolve();
    assertThat(count(database, "select count(*) from readpast_dependency_event")).isZero();
    assertThat(stateOf(database, follower)).isEqualTo("CANCELLED");
  }

  private ClaimedJob claimed(long id) {
    ClaimedJob job = node.lease("q", 1, false).get(0);
    assertThat(job.id()).isEqualTo(id);
    return job;
  }

  private void discard(ClaimedJob job) {
    node.record(job, node.verdict(job).returned(JobResult.failNow("never"), null));
  }

  @Test
  void reset_job_that_holds_its_group_precedes_an_older_job_added_later() {
    // The wave keeps the older job back until the group is held.
    long older =
        enqueue(
            new JobDependencies(
                "g",
                GroupFailure.SKIP,
                "b",
                1,
                null,
                List.of(),
                List.of(),
                PredecessorFailure.HOLD));
    long lower = enqueue(JobDependencies.inBatch("b", 0));
    long holder =
        enqueue(
            new JobDependencies(
                "g",
                GroupFailure.HOLD,
                null,
                0,
                null,
                List.of(),
                List.of(),
                PredecessorFailure.HOLD));
    node.resolve();
    cancel(lower);
    discard(claimed(holder));
    node.resolve();
    assertThat(stateOf(database, older)).isEqualTo("BLOCKED");
    transactions.required(() -> admin.reset(List.of(holder), false));
    node.resolve();
    assertThat(stateOf(database, holder)).isEqualTo(JobState.AVAILABLE.name());
  }

  @Test
  void running_job_of_a_batch_cancelled_by_a_failure_is_requested_to_end() {
    transactions.requiresNewUnbounded(
        () -> {
          new Batches(transactions).create("b", BatchFailure.CANCEL, () -> {});
          return true;
        });
    long first = enqueue(JobDependencies.inBatch("b", 0));
    long second = enqueue(JobDependencies.inBatch("b", 0));
    node.resolve();
    ClaimedJob failing = claimed(first);
    claimed(second);
    discard(failing);
    node.resolve();
    assertThat(node.cancellations(List.of(second))).containsExactly(second);
  }

  @Test
  void cancellation_of_a_waiting_job_does_not_end_it_after_a_reset() {
    long first = enqueue(JobDependencies.ALONE);
    long follower = enqueue(after(first, PredecessorFailure.RUN));
    node.resolve();
    cancel(follower);
    database.execute(
        "update readpast_job set expires_at = clock_timestamp() where id = " + follower);
    node.maintain();
    assertThat(stateOf(database, follower)).isEqualTo("EXPIRED");
    transactions.required(() -> admin.reset(List.of(follower), false));
    node.resolve();
    assertThat(stateOf(database, follower)).isEqualTo("BLOCKED");
  }
}
