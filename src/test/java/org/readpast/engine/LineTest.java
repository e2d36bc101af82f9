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
import org.readpast.support.Await;
import org.readpast.support.ClaimedJobs;

/** Who finds a job knows whether others are to be woken. */
class LineTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long LONG_NANOS = Duration.ofMinutes(2).toNanos();

  private Lanes lanes;
  private Line line;

  @BeforeEach
  void serve() {
    Watermark watermark = new Watermark();
    watermark.observe(100, Set.of());
    line =
        new Line(
            "q", Set.of("t"), watermark, new TypeSpeeds(type -> 1), new Outage("test", "test"));
    lanes = line.lanes();
    line.set(new Line.Limits(false, 10, 0, null));
  }

  @Test
  void the_last_that_leaves_with_nothing_found_leaves_nothing_unattended() throws Exception {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1, 0);
    assertThat(leaves(0)).isTrue();
    assertThat(line.unattended()).isFalse();
  }

  @Test
  void who_works_meanwhile_has_nobody_woken_in_vain() throws Exception {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1, 0);
    assertThat(leaves(0)).isTrue();
    assertThat(line.receivers()).isEqualTo(1);
    assertThat(line.unattended()).isFalse();
  }

  @Test
  void who_leaves_during_anothers_look_does_not_answer_for_it() throws Exception {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    lanes.next(0);
    assertThat(lanes.next(1).lanes()).as("what another looks at").isEmpty();
    assertThat(leaves(0)).isTrue();
    assertThat(line.unattended()).as("before the first look has found anything").isTrue();
  }

  @Test
  void who_lingers_does_not_answer_for_what_comes_meanwhile() throws Exception {
    assertThat(line.enter(0)).isTrue();
    CompletableFuture<Boolean> gone = lingering();
    line.leave();
    line.endLingering();
    assertThat(gone.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(line.unattended()).as("since another has failed").isTrue();
  }

  @Test
  void who_is_in_groups_goes_on_for_long_while_nothing_else_is_known_of() {
    long often = Duration.ofMillis(100).toNanos();
    long seldom = Duration.ofSeconds(1).toNanos();
    lanes.found(lanes.everywhere(0), List.of(), 1, 0);
    assertThat(NextInGroup.goesOn(line, groups(1), seldom, () -> false)).isTrue();
    assertThat(NextInGroup.goesOn(line, groups(1), seldom, () -> true))
        .as("wanted elsewhere")
        .isFalse();
    assertThat(NextInGroup.goesOn(line, groups(1), LONG_NANOS, () -> false)).isFalse();
    assertThat(NextInGroup.goesOn(line, groups(9), seldom, () -> false)).as("too many").isFalse();

    line.signal("t", 4, 1);
    assertThat(NextInGroup.goesOn(line, groups(1), often, () -> true)).isTrue();
    assertThat(NextInGroup.goesOn(line, groups(1), seldom, () -> false))
        .as("a job has come")
        .isFalse();
    lanes.found(lanes.everywhere(1), List.of(), 1, 0);
    assertThat(NextInGroup.goesOn(line, groups(1), seldom, () -> false)).isTrue();

    line.signal();
    assertThat(NextInGroup.goesOn(line, groups(1), seldom, () -> false))
        .as("something may")
        .isFalse();
  }

  private static LeasedJobs groups(int size) {
    return new LeasedJobs(
        LongStream.rangeClosed(1, size)
            .mapToObj(id -> ClaimedJobs.leased(id, "q", "t", 1))
            .toList(),
        null);
  }

  private boolean leaves(long lingerNanos) throws InterruptedException {
    return line.leaveIfQuiet(line.signals(), () -> lingerNanos, () -> true);
  }

  private CompletableFuture<Boolean> lingering() {
    assertThat(line.enter(0)).isTrue();
    CompletableFuture<Boolean> gone =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return leaves(LONG_NANOS);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Await.until(SOON, line::lingers);
    return gone;
  }

  @Test
  void receiver_that_lingers_is_called_back_once() throws Exception {
    CompletableFuture<Boolean> gone = lingering();
    assertThat(line.callBack()).isTrue();
    assertThat(line.callBack()).as("it has gone back").isFalse();
    assertThat(gone.get(SOON.toSeconds(), TimeUnit.SECONDS)).isFalse();
    assertThat(line.receivers()).isEqualTo(1);
  }

  @Test
  void one_receiver_lingers_and_takes_no_room_of_those_to_come() throws Exception {
    line.set(new Line.Limits(false, 2, 0, null));
    CompletableFuture<Boolean> gone = lingering();
    assertThat(line.hasRoom(2, 0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    assertThat(leaves(LONG_NANOS)).as("a second").isTrue();
    line.endLingering();
    assertThat(gone.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(line.receivers()).isZero();
  }

  @Test
  void nobody_leaves_or_lingers_who_has_been_signalled() throws Exception {
    assertThat(line.enter(0)).isTrue();
    long seen = line.signals();
    line.signal();
    assertThat(line.leaveIfQuiet(seen, () -> LONG_NANOS, () -> true)).isFalse();
  }

  @Test
  void nobody_lingers_who_counts_against_a_limit_over_all_nodes() throws Exception {
    line.set(new Line.Limits(false, 10, 0, 5));
    assertThat(leaves(LONG_NANOS)).isTrue();
  }

  @Test
  void who_has_been_given_up_on_is_counted_out_once() throws Exception {
    assertThat(line.enter(0)).isTrue();
    line.leave();
    assertThat(line.leaveIfQuiet(line.signals(), () -> 0, () -> false)).isFalse();
    assertThat(line.receivers()).isZero();
  }
}
