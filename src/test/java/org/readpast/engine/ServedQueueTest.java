package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.database.Outage;
import org.readpast.support.Await;
import org.readpast.support.ClaimedJobFactory;

/** Tests that a receiver that finds a job knows whether to wake other receivers. */
class ServedQueueTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long LONG_NANOS = Duration.ofMinutes(2).toNanos();

  private ClaimCursors lanes;
  private ServedQueue served;

  @BeforeEach
  void serve() {
    Watermark watermark = new Watermark();
    watermark.observe(100, Set.of());
    served =
        new ServedQueue(
            "q",
            Set.of("t"),
            watermark,
            new TypeSpeeds(type -> 1),
            new TypeLimits(Settings.ConfiguredTypeLimits.NONE),
            new NodeState(new Outage("test", "test"), Duration.ofMinutes(1)));
    lanes = served.cursors();
    served.set(new ServedQueue.QueueLimits(false, 10, 0, null));
  }

  @Test
  void cursors_of_many_combinations_of_types_are_not_kept() {
    ClaimCursors of = served.cursors(List.of("t", "u"));
    assertThat(served.cursors(List.of("t", "u"))).isSameAs(of);
    for (int i = 0; i < 1_000; i++) {
      served.cursors(List.of("t", "u" + i));
    }
    assertThat(served.cursors(List.of("t", "u"))).isNotSameAs(of);
  }

  @Test
  void receivers_that_fail_together_pause_the_queue_only_briefly() {
    long now = System.nanoTime();
    for (int receiver = 0; receiver < 10; receiver++) {
      served.failed(now);
    }
    assertThat(served.suspended(now)).isTrue();
    long later = now + Duration.ofMillis(200).toNanos();
    assertThat(served.suspended(later)).isFalse();
    served.failed(later);
    assertThat(served.suspended(later + Duration.ofMillis(150).toNanos()))
        .as("after another error")
        .isTrue();
  }

  @Test
  void queue_resumes_after_a_pause_during_which_another_receiver_succeeded() {
    long now = System.nanoTime();
    served.failed(now);
    served.succeeded(now);
    served.failed(now);
    long later = now + Duration.ofMillis(200).toNanos();
    assertThat(served.errorPauseOver(later)).isTrue();
    served.succeeded(later);
    assertThat(served.errorPauseOver(later)).isFalse();
  }

  @Test
  void last_receiver_without_a_job_clears_the_pending_wake_up() throws Exception {
    served.signal();
    assertThat(served.slots().enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1, 0);
    assertThat(leaves(0)).isTrue();
    assertThat(served.slots().wakeUpPending()).isFalse();
  }

  @Test
  void busy_receiver_wakes_no_other_receiver_unnecessarily() throws Exception {
    served.signal();
    assertThat(served.slots().enter(0)).isTrue();
    assertThat(served.slots().enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1, 0);
    assertThat(leaves(0)).isTrue();
    assertThat(served.slots().receivers()).isEqualTo(1);
    assertThat(served.slots().wakeUpPending()).isFalse();
  }

  @Test
  void receiver_that_leaves_during_another_scan_keeps_the_wake_up_pending() throws Exception {
    served.signal();
    assertThat(served.slots().enter(0)).isTrue();
    assertThat(served.slots().enter(0)).isTrue();
    lanes.next(0);
    assertThat(lanes.next(1).lanes()).as("lanes that another receiver is polling").isEmpty();
    assertThat(leaves(0)).isTrue();
    assertThat(served.slots().wakeUpPending()).as("before the first poll has ended").isTrue();
  }

  @Test
  void lingering_receiver_keeps_later_wake_ups_pending() throws Exception {
    assertThat(served.slots().enter(0)).isTrue();
    CompletableFuture<Boolean> gone = lingering();
    served.slots().leave();
    served.slots().endLingering();
    assertThat(gone.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(served.slots().wakeUpPending()).as("another receiver has failed").isTrue();
  }

  @Test
  void receiver_stays_in_groups_longer_if_no_other_work_is_known() {
    long often = Duration.ofMillis(100).toNanos();
    long seldom = Duration.ofSeconds(1).toNanos();
    lanes.found(lanes.planFullScan(0), List.of(), 1, 0);
    assertThat(NextInGroup.staysInGroups(served, groups(1), seldom, () -> false)).isTrue();
    assertThat(NextInGroup.staysInGroups(served, groups(1), seldom, () -> true))
        .as("needed elsewhere")
        .isFalse();
    assertThat(NextInGroup.staysInGroups(served, groups(1), LONG_NANOS, () -> false)).isFalse();
    assertThat(NextInGroup.staysInGroups(served, groups(9), seldom, () -> false))
        .as("too many groups")
        .isFalse();

    served.signal("t", 4, 1);
    assertThat(NextInGroup.staysInGroups(served, groups(1), often, () -> true)).isTrue();
    assertThat(NextInGroup.staysInGroups(served, groups(1), seldom, () -> false))
        .as("a job has arrived")
        .isFalse();
    lanes.found(lanes.planFullScan(1), List.of(), 1, 0);
    assertThat(NextInGroup.staysInGroups(served, groups(1), seldom, () -> false)).isTrue();

    served.signal();
    assertThat(NextInGroup.staysInGroups(served, groups(1), seldom, () -> false))
        .as("a job may have arrived")
        .isFalse();
  }

  private static ClaimedJobs groups(int size) {
    return new ClaimedJobs(
        LongStream.rangeClosed(1, size)
            .mapToObj(id -> ClaimedJobFactory.leased(id, "q", "t", 1))
            .toList(),
        null,
        TypeSlots.NONE);
  }

  private boolean leaves(long lingerNanos) throws InterruptedException {
    return served
        .slots()
        .leaveIfNotSignalled(served.slots().signals(), () -> lingerNanos, () -> true);
  }

  private CompletableFuture<Boolean> lingering() {
    assertThat(served.slots().enter(0)).isTrue();
    CompletableFuture<Boolean> gone =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return leaves(LONG_NANOS);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Await.until(SOON, served.slots()::lingers);
    return gone;
  }

  @Test
  void lingering_receiver_is_woken_once() throws Exception {
    CompletableFuture<Boolean> gone = lingering();
    assertThat(served.slots().callBack()).isTrue();
    assertThat(served.slots().callBack()).as("it was already called back").isFalse();
    assertThat(gone.get(SOON.toSeconds(), TimeUnit.SECONDS)).isFalse();
    assertThat(served.slots().receivers()).isEqualTo(1);
  }

  @Test
  void lingering_receiver_does_not_prevent_new_receivers() throws Exception {
    served.set(new ServedQueue.QueueLimits(false, 2, 0, null));
    CompletableFuture<Boolean> gone = lingering();
    assertThat(served.slots().hasRoom(2, 0)).isTrue();
    assertThat(served.slots().enter(0)).isTrue();
    assertThat(leaves(LONG_NANOS)).as("a second lingering receiver").isTrue();
    served.slots().endLingering();
    assertThat(gone.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(served.slots().receivers()).isZero();
  }

  @Test
  void signalled_receiver_neither_leaves_nor_lingers() throws Exception {
    assertThat(served.slots().enter(0)).isTrue();
    long seen = served.slots().signals();
    served.signal();
    assertThat(served.slots().leaveIfNotSignalled(seen, () -> LONG_NANOS, () -> true)).isFalse();
  }

  @Test
  void no_receiver_lingers_under_a_limit_over_all_nodes() throws Exception {
    served.set(new ServedQueue.QueueLimits(false, 10, 0, 5));
    assertThat(leaves(LONG_NANOS)).isTrue();
  }

  @Test
  void abandoned_receiver_is_uncounted_once() throws Exception {
    assertThat(served.slots().enter(0)).isTrue();
    served.slots().leave();
    assertThat(served.slots().leaveIfNotSignalled(served.slots().signals(), () -> 0, () -> false))
        .isFalse();
    assertThat(served.slots().receivers()).isZero();
  }
}
