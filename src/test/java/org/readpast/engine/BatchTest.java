package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobState;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Ended;
import org.readpast.store.SettlingWaves;
import org.readpast.support.ClaimedJobs;

/** Of a lease it is known what is in work, what waits, and what is behind others. */
class BatchTest {
  private final ClaimedJob first = inOrder(1, 2, 3);
  private final Batch batch = new Batch(List.of(first));

  private static ClaimedJob inOrder(long... ids) {
    return ClaimedJob.inOrder(
        LongStream.of(ids).mapToObj(id -> ClaimedJobs.leased(id, "q", "t", 1)).toList());
  }

  private static List<Long> ids(List<ClaimedJob> jobs) {
    return jobs.stream().map(ClaimedJob::id).toList();
  }

  private void tell(Set<Long> owned) {
    batch.take();
    batch.told(owned, null);
  }

  @Test
  void what_is_behind_comes_once_the_end_of_the_one_before_is_told() {
    batch.next();
    batch.ended(Ended.well(first, null));
    assertThat(batch.more()).isTrue();
    assertThat(batch.next()).isNull();
    tell(Set.of(1L));
    ClaimedJob next = batch.next();
    assertThat(next.all().map(ClaimedJob::id)).containsExactly(2L, 3L);
    assertThat(batch.next()).isNull();
  }

  @Test
  void what_is_behind_an_end_that_could_not_be_told_does_not_come() {
    batch.next();
    batch.ended(Ended.well(first, null));
    batch.take();
    assertThat(batch.more()).as("while it is on the way").isTrue();
    batch.told(Set.of(), new IllegalStateException());
    assertThat(batch.next()).isNull();
    assertThat(batch.more()).isTrue();
    assertThat(batch.holds(3, 1)).isTrue();
  }

  @Test
  void what_has_ended_is_not_told_again_where_the_rest_could_not_be_told() {
    Batch batch = new Batch(List.of(inOrder(1), inOrder(2), inOrder(3)));
    for (ClaimedJob job = batch.next(); job != null; job = batch.next()) {
      batch.ended(Ended.well(job, null));
    }
    batch.take();
    batch.told(Set.of(2L), new IllegalStateException());
    assertThat(batch.lastFailure()).isNotNull();
    assertThat(batch.take()).extracting(end -> end.job().id()).containsExactly(1L, 3L);
    batch.told(Set.of(1L, 3L), new IllegalStateException());
    assertThat(batch.lastFailure()).as("of another batch").isNull();
    assertThat(batch.through()).isTrue();
  }

  @Test
  void ends_of_an_open_wave_are_quiet_until_the_receiver_has_gone() {
    long now = System.nanoTime();
    OpenWave wave =
        new OpenWave(1, new Arrival("q", "t", 4), new SettlingWaves.Wave(5, 2), 1, () -> {});
    Batch ofWave = new Batch(List.of(inOrder(1)), wave);
    assertThat(ofWave.keepQuiet(now)).isTrue();
    assertThat(batch.keepQuiet(now)).isFalse();
    ofWave.leave();
    assertThat(ofWave.keepQuiet(now)).isFalse();
  }

  @Test
  void lease_ends_with_the_last_of_its_jobs_only() {
    batch.next();
    batch.ended(Ended.well(first, null));
    batch.take();
    assertThat(batch.leaseEnding()).isNull();
    batch.told(Set.of(1L), null);
    batch.ended(Ended.well(batch.next(), null));
    tell(Set.of(2L));
    batch.ended(Ended.well(batch.next(), null));
    batch.take();
    assertThat(batch.leaseEnding()).isEqualTo(1);
    batch.told(Set.of(3L), null);
    assertThat(batch.through()).isTrue();
  }

  @Test
  void what_is_behind_one_that_was_lost_is_given_back() {
    batch.next();
    batch.ended(Ended.well(first, null));
    tell(Set.of());
    assertThat(batch.next()).isNull();
    assertThat(ids(batch.takeWaiting())).containsExactly(2L, 3L);
  }

  @Test
  void what_is_behind_one_that_has_expired_is_given_back_at_once() {
    batch.next();
    batch.ended(Ended.of(first, JobState.EXPIRED));
    assertThat(batch.more()).isFalse();
    assertThat(ids(batch.takeWaiting())).containsExactly(2L, 3L);
  }

  @Test
  void what_is_behind_one_that_was_not_worked_is_given_back() {
    batch.next();
    assertThat(batch.next()).isNull();
    assertThat(ids(batch.takeWaiting())).containsExactly(2L, 3L);
  }

  @Test
  void what_was_given_back_while_the_one_before_was_in_work_is_not_worked() {
    batch.next();
    List<ClaimedJob> back = batch.takeWaiting();
    assertThat(ids(back)).containsExactly(2L, 3L);
    batch.ended(Ended.well(first, null));
    assertThat(batch.more()).isFalse();
    List<Ended> told = batch.take();
    assertThat(told).noneMatch(Ended::followed);
    assertThat(batch.leaseEnding()).as("until the database knows").isNull();
    batch.givenBack(back);
    assertThat(batch.leaseEnding()).isEqualTo(1);
    batch.told(Set.of(1L), null);
    assertThat(batch.next()).isNull();
    assertThat(batch.through()).isTrue();
  }

  @Test
  void what_went_back_with_a_failure_goes_back_once() {
    batch.next();
    batch.recorded(first);
    assertThat(batch.takeWaiting()).isEmpty();
    assertThat(batch.through()).isTrue();
  }

  @Test
  void failure_that_is_recorded_later_keeps_the_lease() {
    batch.next();
    batch.leaveBehind(first);
    List<ClaimedJob> back = batch.takeWaiting();
    assertThat(ids(back)).containsExactly(2L, 3L);
    batch.givenBack(back);
    assertThat(batch.through()).isFalse();
  }

  @Test
  void what_is_behind_is_held_while_others_are_in_work() {
    assertThat(batch.holds(3, 1)).isTrue();
    batch.next();
    assertThat(batch.holds(3, 1)).isTrue();
    batch.leave();
    assertThat(batch.holds(3, 1)).isTrue();
    assertThat(batch.finished()).isFalse();
  }
}
