package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Lane;
import org.readpast.support.Await;
import org.readpast.support.ClaimedJobFactory;

/** Checks that the result of a claim does not overwrite changes that were made during the claim. */
class ClaimCursorsTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final long NOW = 1_000_000_000_000L;
  private static final long LATER = NOW + 2 * ClaimCursors.FULL_SCAN_NANOS;

  private static final TypeLimits NO_LIMITS = new TypeLimits(Settings.ConfiguredTypeLimits.NONE);

  private final Watermark watermark = new Watermark();
  private ClaimCursors lanes;

  @BeforeEach
  void settle() {
    watermark.observe(100, Set.of());
    lanes = new ClaimCursors(List.of("t"), watermark, new TypeSpeeds(type -> 1), NO_LIMITS);
  }

  private List<Long> marks(ClaimPlan look) {
    return look.lanes().stream().map(Lane::mark).distinct().toList();
  }

  @Test
  void mark_of_a_poll_returns_to_the_start_after_five_minutes() {
    lanes.found(lanes.next(NOW), List.of(), 1, NOW);
    assertThat(lanes.floor(NOW + Duration.ofMinutes(4).toNanos())).isEqualTo(100);
    assertThat(lanes.floor(NOW + Duration.ofMinutes(6).toNanos())).isZero();
  }

  @Test
  void empty_full_scan_leaves_no_job_below_its_position() {
    lanes.found(lanes.next(NOW), List.of(), 1, NOW);
    assertThat(marks(lanes.next(LATER))).containsExactly(101L);
  }

  @Test
  void failed_claim_does_not_mark_lanes_in_which_no_job_was_found() {
    TypeSpeeds speeds = new TypeSpeeds(type -> 1);
    speeds.ran("fast", 1_000, 1);
    speeds.ran("slow", Duration.ofSeconds(10).toNanos(), 1);
    lanes = new ClaimCursors(List.of("fast", "slow"), watermark, speeds, NO_LIMITS);
    ClaimPlan refused = lanes.next(NOW);
    lanes.failed(refused);

    ClaimPlan plan = lanes.planFullScan(LATER);

    assertThat(plan.types()).containsExactlyInAnyOrder("fast", "slow");
    assertThat(plan.lanes().get(0).type()).isEqualTo("fast");
    assertThat(lanes.expectedType(plan)).containsExactly("slow");
  }

  private static ClaimedJob job(long position) {
    return ClaimedJobFactory.leased(position, "q", "t", 1);
  }

  private long mark(ClaimPlan look) {
    return look.lanes().stream()
        .filter(lane -> lane.priority() == 4)
        .findFirst()
        .orElseThrow()
        .mark();
  }

  @Test
  void skipped_lanes_are_scanned_later_from_their_own_marks() {
    lanes = new ClaimCursors(List.of("t", "u"), watermark, new TypeSpeeds(type -> 1), NO_LIMITS);
    long now = System.nanoTime();
    lanes.skip("t", now + Duration.ofMinutes(1).toNanos());
    ClaimPlan look = lanes.next(now);
    assertThat(look.types()).containsExactly("u");
    lanes.found(look, List.of(), 1, now);
    assertThat(lanes.skips("t")).isTrue();
    assertThat(lanes.noKnownJobs()).isTrue();

    lanes.skip("t", now - 1);
    assertThat(lanes.skips("t")).isFalse();
    assertThat(lanes.noKnownJobs()).isFalse();
    assertThat(lanes.next(now + 2 * ClaimCursors.FULL_SCAN_NANOS).lanes())
        .allMatch(lane -> lane.mark() == (lane.type().equals("t") ? 1 : 101))
        .hasSize(20);
  }

  @Test
  void lanes_of_a_type_at_its_limit_are_skipped_and_scanned_later() {
    TypeLimits limits =
        new TypeLimits(
            new Settings.ConfiguredTypeLimits(
                Map.of("t", new Settings.TypeConcurrency(1, null)), Map.of()));
    TypeSpeeds speeds = new TypeSpeeds(type -> 1);
    lanes = new ClaimCursors(List.of("t", "u"), watermark, speeds, limits);
    TypeSlots first = limits.slots("q");
    lanes.found(lanes.next(NOW, first), List.of(job(10)), 1, NOW);
    first.claimed(List.of(job(10)), Set.of());
    assertThat(lanes.noKnownJobs()).isTrue();

    ClaimPlan look = lanes.next(LATER, limits.slots("q"));
    assertThat(look.types()).containsExactly("u");
    lanes.found(look, List.of(), 1, LATER);
    first.release(true);
    assertThat(lanes.noKnownJobs()).isFalse();
    assertThat(lanes.next(LATER + 1, limits.slots("q")).lanes())
        .allMatch(lane -> lane.mark() == (lane.priority() == 4 ? 11 : 1))
        .extracting(Lane::type)
        .hasSize(10)
        .containsOnly("t");
  }

  @Test
  void full_scan_does_not_read_again_what_quick_scans_have_read() {
    lanes.found(lanes.next(NOW), List.of(job(10)), 1, NOW);
    ClaimPlan quick = lanes.next(NOW + 1);
    assertThat(quick.full()).isFalse();
    lanes.found(quick, List.of(job(20)), 1, NOW);
    lanes.found(lanes.next(NOW + 2), List.of(job(30)), 1, NOW + 2);
    assertThat(mark(lanes.next(LATER))).isEqualTo(31);
  }

  @Test
  void full_scan_reads_again_positions_at_which_a_job_may_still_appear() {
    lanes.found(lanes.next(NOW), List.of(job(90)), 1, NOW);
    lanes.found(lanes.next(NOW + 1), List.of(job(110)), 1, NOW + 1);
    lanes.found(lanes.next(NOW + 2), List.of(job(120)), 1, NOW + 2);
    assertThat(mark(lanes.next(LATER))).isEqualTo(101);
  }

  @Test
  void quick_scan_above_the_watermark_moves_no_cursor_below_it() {
    lanes.found(lanes.next(NOW), List.of(job(110)), 1, NOW);
    watermark.observe(200, Set.of());
    lanes.found(lanes.next(NOW + 1), List.of(job(120)), 1, NOW + 1);
    assertThat(mark(lanes.next(LATER))).isEqualTo(101);
  }

  @Test
  void jobs_released_after_quick_scans_skipped_them_are_found() {
    lanes.found(lanes.next(NOW), List.of(job(10)), 1, NOW);
    ClaimPlan took = lanes.next(NOW + 1);
    lanes.found(lanes.next(NOW + 2), List.of(job(20)), 1, NOW + 2);
    lanes.found(lanes.next(NOW + 3), List.of(job(30)), 1, NOW + 3);
    lanes.failed(took);
    assertThat(mark(lanes.next(LATER))).isEqualTo(11);
  }

  @Test
  void jobs_released_during_a_scan_that_skipped_them_are_found() {
    ClaimPlan took = lanes.next(NOW);
    ClaimPlan passedThemBy = lanes.planFullScan(LATER);
    lanes.failed(took);
    lanes.found(passedThemBy, List.of(), 1, LATER);
    assertThat(lanes.fullyScanned()).isFalse();
    assertThat(marks(lanes.next(LATER))).containsExactly(1L);
  }

  @Test
  void jobs_released_after_a_scan_that_skipped_them_are_found() {
    ClaimPlan took = lanes.next(NOW);
    lanes.found(lanes.planFullScan(LATER), List.of(), 1, LATER);
    lanes.failed(took);
    assertThat(lanes.fullyScanned()).isFalse();
    assertThat(marks(lanes.next(LATER))).containsExactly(1L);
  }

  @Test
  void idle_queue_keeps_only_one_mark_for_all_lanes() {
    lanes.jobArrived("t", 9);
    lanes.found(lanes.next(NOW), List.of(job(70)), 1, NOW);
    lanes.requestFullScan();
    lanes.found(lanes.next(NOW + 1), List.of(), 1, NOW + 1);
    assertThat(lanes.usedRecently(NOW + 500_000_000_000L)).isTrue();
    assertThat(lanes.usedRecently(NOW + 700_000_000_000L)).isFalse();
    lanes.jobArrived("t", 4);
    assertThat(marks(lanes.next(NOW + 2))).as("first quick claim").containsExactly(101L);
    lanes.jobArrived("t", 0);
    lanes.startOver(60);
    assertThat(marks(lanes.next(NOW + 3))).as("full scan").containsExactly(1L);
    assertThat(marks(lanes.next(NOW + 4))).as("next quick claim").containsExactly(61L);
  }

  @Test
  void lane_seen_beyond_the_watermark_keeps_its_cursor() {
    lanes.found(lanes.next(NOW), List.of(job(120)), 1, NOW);
    lanes.requestFullScan();
    lanes.found(lanes.next(NOW + 1), List.of(), 1, NOW + 1);
    lanes.jobArrived("t", 4);
    assertThat(marks(lanes.next(NOW + 2))).containsExactly(121L);
  }

  @Test
  void scan_planned_before_a_job_arrived_moves_no_cursor() {
    ClaimPlan before = lanes.next(NOW);
    lanes.requestFullScan();
    lanes.found(before, List.of(), 1, NOW);
    assertThat(lanes.fullyScanned()).isFalse();
  }

  @Test
  void job_that_arrives_during_a_scan_is_found_by_the_next_scan() {
    ClaimPlan before = lanes.next(NOW);
    lanes.jobArrived("t", 4);
    lanes.found(before, List.of(), 1, NOW);
    ClaimPlan quick = lanes.next(NOW + 1);
    assertThat(quick.full()).isFalse();
    assertThat(quick.lanes()).extracting(Lane::priority).containsExactly(4);
    lanes.found(quick, List.of(), 1, NOW);
    lanes.found(lanes.next(NOW + 2), List.of(), 1, NOW + 2);
    assertThat(lanes.next(NOW + 3).lanes()).as("no job has arrived since").isEmpty();
  }

  @Test
  void result_of_a_scan_does_not_undo_a_concurrent_reset_of_cursors() {
    lanes.found(lanes.next(NOW), List.of(), 1, NOW);
    ClaimPlan look = lanes.next(LATER);
    lanes.startOver();
    lanes.found(look, List.of(), 1, NOW);
    assertThat(marks(lanes.next(LATER + 1))).containsExactly(1L);
  }

  @Test
  void quick_scan_after_positions_moved_back_starts_at_the_next_position() {
    lanes.found(lanes.next(NOW), List.of(job(87)), 1, NOW);
    lanes.startOver(23);
    assertThat(marks(lanes.next(NOW + 1))).containsExactly(1L);
    assertThat(marks(lanes.next(NOW + 2))).containsExactly(24L);
  }

  @Test
  void quick_scans_continue_during_a_long_full_scan() {
    lanes.found(lanes.next(NOW), List.of(job(10)), 1, NOW);
    lanes.startOver();
    ClaimPlan all = lanes.next(NOW + 1);
    assertThat(marks(all)).containsExactly(1L);
    lanes.requestFullScan();
    ClaimPlan other = lanes.next(NOW + 2);
    assertThat(other.full()).isFalse();
    assertThat(marks(other)).containsExactly(11L);
    lanes.found(other, List.of(), 1, NOW + 3);
    assertThat(lanes.longScanInProgress(LATER)).as("the full scan is still running").isTrue();
    assertThat(lanes.next(LATER).lanes()).as("no other lane is known").isEmpty();
    lanes.found(all, List.of(), 1, LATER + 1);
    assertThat(lanes.fullScansRequested())
        .as("the scan may have missed a job")
        .isNotEqualTo(all.fullScansRequested());
    assertThat(lanes.longScanInProgress(LATER + 2)).isFalse();
    assertThat(lanes.next(LATER + 2).full()).isTrue();
  }

  @Test
  void only_one_scan_of_a_whole_lane_that_is_announced_begins_at_the_start() {
    lanes.found(lanes.next(NOW), List.of(job(10)), 1, NOW);
    lanes.moveBack(new Claims.ReopenedLane("q", "t", 4, 0));
    ClaimPlan all = lanes.next(NOW + 1);
    assertThat(all.full()).isTrue();
    assertThat(mark(all)).isZero();
    assertThat(lanes.longScanInProgress(NOW + 2)).isTrue();
    assertThat(mark(lanes.next(NOW + 2))).as("another receiver continues").isEqualTo(11);
  }

  @Test
  void long_full_scans_take_only_a_part_of_the_time() {
    long took = 3 * ClaimCursors.FULL_SCAN_NANOS;
    lanes.found(lanes.next(NOW), List.of(job(10)), 1, NOW + took);
    long end = NOW + took;
    assertThat(lanes.next(end + ClaimCursors.FULL_SCAN_NANOS).full()).isFalse();
    ClaimPlan full = lanes.next(NOW + 6 * took);
    assertThat(full.full()).isTrue();
    lanes.found(full, List.of(job(20)), 1, NOW + 6 * took + 1);
    assertThat(lanes.next(NOW + 6 * took + 2 * ClaimCursors.FULL_SCAN_NANOS).full())
        .as("the last full scan was fast")
        .isTrue();
  }

  @Test
  void full_scan_that_never_returns_does_not_prevent_other_scans() {
    lanes.next(NOW);
    lanes.requestFullScan();
    assertThat(lanes.next(LATER).full()).isFalse();
    assertThat(lanes.next(NOW + Duration.ofSeconds(11).toNanos()).full()).isTrue();
  }

  @Test
  void third_scan_waits_until_one_of_the_two_scans_has_returned() throws Exception {
    ClaimPlan first = lanes.next(NOW);
    lanes.planFullScan(LATER);
    Thread third = waiting();
    Await.until(
        LIMIT, "the third thread waits", () -> third.getState() == Thread.State.TIMED_WAITING);
    lanes.found(first, List.of(), 1, NOW);
    third.join(LIMIT.toMillis());
    assertThat(third.isAlive()).isFalse();
  }

  @Test
  void third_scan_waits_until_one_of_the_two_scans_has_failed() throws Exception {
    ClaimPlan first = lanes.next(NOW);
    lanes.planFullScan(LATER);
    Thread third = waiting();
    Await.until(
        LIMIT, "the third thread waits", () -> third.getState() == Thread.State.TIMED_WAITING);
    lanes.failed(first);
    third.join(LIMIT.toMillis());
    assertThat(third.isAlive()).isFalse();
  }

  @Test
  void second_scan_starts_at_once_and_no_scan_waits_forever() throws Exception {
    lanes.next(NOW);
    lanes.awaitFreeScan(LIMIT.toMillis());
    lanes.next(LATER);
    lanes.awaitFreeScan(1);
  }

  private Thread waiting() {
    Thread thread =
        new Thread(
            () -> {
              try {
                lanes.awaitFreeScan(2 * LIMIT.toMillis());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
