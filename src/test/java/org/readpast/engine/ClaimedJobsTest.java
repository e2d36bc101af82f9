package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobState;
import org.readpast.dependency.OpenWave;
import org.readpast.dependency.QueueLane;
import org.readpast.store.ClaimedJob;
import org.readpast.store.EndedJob;
import org.readpast.store.ReleaseStore.Release;
import org.readpast.store.Wave;
import org.readpast.support.ClaimedJobFactory;

/** Tests which jobs of a lease are running, waiting, or behind others. */
class ClaimedJobsTest {
  private final ClaimedJob first = inOrder(1, 2, 3);
  private final ClaimedJobs jobs = new ClaimedJobs(List.of(first), null, TypeSlots.NONE);

  private static ClaimedJob inOrder(long... ids) {
    return ClaimedJob.inOrder(
        LongStream.of(ids).mapToObj(id -> ClaimedJobFactory.leased(id, "q", "t", 1)).toList());
  }

  private static List<Long> ids(List<ClaimedJob> all) {
    return all.stream().map(ClaimedJob::id).toList();
  }

  private void tell(Set<Long> owned) {
    jobs.take();
    jobs.acknowledged(owned, null);
  }

  @Test
  void next_of_group_runs_once_the_previous_end_is_acknowledged() {
    jobs.next();
    jobs.ended(EndedJob.succeeded(first, null));
    assertThat(jobs.hasJobsAfterPendingEnds()).isTrue();
    assertThat(jobs.next()).isNull();
    tell(Set.of(1L));
    ClaimedJob next = jobs.next();
    assertThat(next.all().map(ClaimedJob::id)).containsExactly(2L, 3L);
    assertThat(jobs.next()).isNull();
  }

  @Test
  void next_of_group_does_not_run_if_the_end_could_not_be_acknowledged() {
    jobs.next();
    jobs.ended(EndedJob.succeeded(first, null));
    jobs.take();
    assertThat(jobs.hasJobsAfterPendingEnds())
        .as("while the acknowledgement is under way")
        .isTrue();
    jobs.acknowledged(Set.of(), new IllegalStateException());
    assertThat(jobs.next()).isNull();
    assertThat(jobs.hasJobsAfterPendingEnds()).isTrue();
    assertThat(jobs.holds(3, 1)).isTrue();
  }

  @Test
  void acknowledged_end_is_not_repeated_when_other_ends_are_retried() {
    ClaimedJobs jobs =
        new ClaimedJobs(List.of(inOrder(1), inOrder(2), inOrder(3)), null, TypeSlots.NONE);
    for (ClaimedJob job = jobs.next(); job != null; job = jobs.next()) {
      jobs.ended(EndedJob.succeeded(job, null));
    }
    jobs.take();
    jobs.acknowledged(Set.of(2L), new IllegalStateException());
    assertThat(jobs.lastFailure()).isNotNull();
    assertThat(jobs.take()).extracting(end -> end.job().id()).containsExactly(1L, 3L);
    jobs.acknowledged(Set.of(1L, 3L), new IllegalStateException());
    assertThat(jobs.lastFailure()).as("of other jobs").isNull();
    assertThat(jobs.allClosed()).isTrue();
  }

  @Test
  void resolver_wake_up_is_deferred_until_the_receiver_has_left_the_open_wave() {
    long now = System.nanoTime();
    OpenWave wave = new OpenWave(1, new QueueLane("q", "t", 4), new Wave(5, 2), 1, () -> {});
    ClaimedJobs ofWave = new ClaimedJobs(List.of(inOrder(1)), wave, TypeSlots.NONE);
    assertThat(ofWave.deferResolverWakeUp(now)).isTrue();
    assertThat(jobs.deferResolverWakeUp(now)).isFalse();
    ofWave.leave();
    assertThat(ofWave.deferResolverWakeUp(now)).isFalse();
  }

  @Test
  void lease_ends_only_with_its_last_job() {
    jobs.next();
    jobs.ended(EndedJob.succeeded(first, null));
    jobs.take();
    assertThat(jobs.leaseEnding()).isNull();
    jobs.acknowledged(Set.of(1L), null);
    jobs.ended(EndedJob.succeeded(jobs.next(), null));
    tell(Set.of(2L));
    jobs.ended(EndedJob.succeeded(jobs.next(), null));
    jobs.take();
    assertThat(jobs.leaseEnding()).isEqualTo(1);
    jobs.acknowledged(Set.of(3L), null);
    assertThat(jobs.allClosed()).isTrue();
  }

  @Test
  void next_of_group_is_released_if_the_job_was_lost() {
    jobs.next();
    jobs.ended(EndedJob.succeeded(first, null));
    tell(Set.of());
    assertThat(jobs.next()).isNull();
    assertThat(ids(jobs.takeWaiting())).containsExactly(2L, 3L);
  }

  @Test
  void next_of_group_is_released_immediately_if_the_job_has_expired() {
    jobs.next();
    jobs.ended(EndedJob.of(first, JobState.EXPIRED));
    assertThat(jobs.hasJobsAfterPendingEnds()).isFalse();
    assertThat(ids(jobs.takeWaiting())).containsExactly(2L, 3L);
  }

  @Test
  void next_of_group_is_released_if_the_job_did_not_run() {
    jobs.next();
    assertThat(jobs.next()).isNull();
    assertThat(ids(jobs.takeWaiting())).containsExactly(2L, 3L);
  }

  @Test
  void job_that_is_put_back_is_released_once_with_the_next_of_its_group() {
    jobs.putBack(List.of(Objects.requireNonNull(jobs.next())));
    jobs.leave();
    List<ClaimedJob> released = jobs.takeWaiting();
    assertThat(ids(released)).containsExactly(1L, 2L, 3L);
    jobs.released(released, true);
    assertThat(jobs.allClosed()).isTrue();
  }

  @Test
  void next_of_group_is_released_if_the_job_was_committed_in_a_transaction() {
    jobs.next();
    jobs.putBack(List.of());
    jobs.closed(1);
    assertThat(jobs.holds(2, 1)).isTrue();
    assertThat(jobs.next()).isNull();
    assertThat(ids(jobs.takeWaiting())).containsExactly(2L, 3L);
  }

  @Test
  void next_of_group_that_was_released_is_not_released_again_if_the_job_is_put_back() {
    ClaimedJob job = Objects.requireNonNull(jobs.next());
    assertThat(ids(jobs.takeWaiting())).containsExactly(2L, 3L);
    jobs.putBack(List.of(job));
    assertThat(ids(jobs.takeWaiting())).containsExactly(1L);
  }

  @Test
  void job_with_next_of_its_group_shares_no_transaction() {
    ClaimedJobs jobs = new ClaimedJobs(List.of(first, inOrder(4)), null, TypeSlots.NONE);
    jobs.next();
    assertThat(jobs.nextAlike(first)).isNull();
    assertThat(jobs.holds(2, 1)).isTrue();
  }

  @Test
  void job_released_while_the_previous_job_ran_does_not_run() {
    jobs.next();
    List<ClaimedJob> back = jobs.takeWaiting();
    assertThat(ids(back)).containsExactly(2L, 3L);
    jobs.ended(EndedJob.succeeded(first, null));
    assertThat(jobs.hasJobsAfterPendingEnds()).isFalse();
    List<EndedJob> told = jobs.take();
    assertThat(told).noneMatch(EndedJob::continuesGroup);
    assertThat(jobs.leaseEnding()).as("until the database has the end").isNull();
    jobs.released(back, true);
    assertThat(jobs.leaseEnding()).isEqualTo(1);
    jobs.acknowledged(Set.of(1L), null);
    assertThat(jobs.next()).isNull();
    assertThat(jobs.allClosed()).isTrue();
  }

  @Test
  void job_released_with_a_failure_is_released_once() {
    jobs.next();
    jobs.recorded(first);
    assertThat(jobs.takeWaiting()).isEmpty();
    assertThat(jobs.allClosed()).isTrue();
  }

  @Test
  void failure_that_is_recorded_later_keeps_the_lease() {
    jobs.next();
    jobs.leaveOpen(first);
    List<ClaimedJob> back = jobs.takeWaiting();
    assertThat(ids(back)).containsExactly(2L, 3L);
    jobs.released(back, true);
    assertThat(jobs.allClosed()).isFalse();
  }

  @Test
  void next_job_of_a_group_is_held_while_other_jobs_run() {
    assertThat(jobs.holds(3, 1)).isTrue();
    jobs.next();
    assertThat(jobs.holds(3, 1)).isTrue();
    jobs.leave();
    assertThat(jobs.holds(3, 1)).isTrue();
    assertThat(jobs.finished()).isFalse();
  }

  @Test
  void jobs_in_the_transaction_of_an_abandoned_job_are_released_once() {
    ClaimedJobs jobs =
        new ClaimedJobs(
            List.of(inOrder(1), inOrder(2), inOrder(3), inOrder(4)), null, TypeSlots.NONE);
    ClaimedJob one = Objects.requireNonNull(jobs.next());
    ClaimedJob two = Objects.requireNonNull(jobs.nextAlike(one));
    ClaimedJob three = Objects.requireNonNull(jobs.nextAlike(one));
    jobs.abandon(two);
    assertThat(jobs.holds(2, 1)).isFalse();
    assertThat(jobs.next()).as("after the thread has returned").isNull();
    jobs.putBack(List.of(three));
    List<ClaimedJob> released = jobs.takeWaiting();
    assertThat(ids(released)).containsExactly(4L, 1L, 3L);
    assertThat(released)
        .extracting(jobs::releaseOf)
        .extracting(Release::started)
        .containsExactly(false, true, false);
    jobs.released(released, true);
    assertThat(jobs.finished()).isTrue();
  }

  @Test
  void job_that_was_postponed_before_the_transaction_of_an_abandoned_job_is_not_released() {
    ClaimedJobs jobs =
        new ClaimedJobs(List.of(inOrder(1), inOrder(2), inOrder(3)), null, TypeSlots.NONE);
    ClaimedJob one = Objects.requireNonNull(jobs.next());
    ClaimedJob two = Objects.requireNonNull(jobs.nextAlike(one));
    jobs.recorded(one);
    jobs.abandon(two);
    List<ClaimedJob> released = jobs.takeWaiting();
    assertThat(ids(released)).containsExactly(3L);
    jobs.released(released, true);
    assertThat(jobs.allClosed()).as("before the abandoned job is recorded").isFalse();
  }

  @Test
  void jobs_are_held_until_their_release_succeeds() {
    ClaimedJobs jobs =
        new ClaimedJobs(List.of(inOrder(1), inOrder(2), inOrder(3)), null, TypeSlots.NONE);
    ClaimedJob one = Objects.requireNonNull(jobs.next());
    jobs.nextAlike(one);
    jobs.undo(List.of(one));
    jobs.leave();
    List<ClaimedJob> taken = jobs.takeWaiting();
    assertThat(ids(taken)).containsExactly(3L, 1L);
    assertThat(jobs.takeWaiting()).as("while the release is in progress").isEmpty();
    assertThat(jobs.holds(1, 1)).isTrue();
    assertThat(jobs.finished()).isFalse();
    jobs.released(taken, false);
    assertThat(jobs.finished()).isFalse();
    List<ClaimedJob> again = jobs.takeWaiting();
    assertThat(again)
        .extracting(jobs::releaseOf)
        .containsExactly(Release.unstarted(inOrder(3)), Release.undone(one));
    jobs.released(again, true);
    assertThat(jobs.holds(1, 1)).isFalse();
    assertThat(jobs.finished()).isTrue();
  }

  @Test
  void receiver_that_has_finished_with_a_job_is_not_abandoned() {
    ClaimedJobs jobs = new ClaimedJobs(List.of(inOrder(1), inOrder(2)), null, TypeSlots.NONE);
    ClaimedJob one = Objects.requireNonNull(jobs.next());
    ClaimedJob two = Objects.requireNonNull(jobs.next());
    jobs.abandon(one);
    assertThat(jobs.holds(2, 1)).isTrue();
    assertThat(jobs.waitsLongerThan(0, System.nanoTime())).isFalse();
    jobs.putBack(List.of(two));
    assertThat(ids(jobs.takeWaiting())).containsExactly(2L);
  }
}
