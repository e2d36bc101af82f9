package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;

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
    lanes = new Lanes(List.of("t"), watermark);
    line =
        new Line(
            "q",
            List.of(new Way(ReceiveMode.TRANSACTIONAL, 1, false, lanes)),
            watermark,
            new Outage());
    line.set(new Line.Limits(false, 10, 0, null));
  }

  @Test
  void the_last_that_leaves_with_nothing_found_leaves_nothing_unattended() {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1);
    assertThat(line.leaveIfQuiet(line.signals())).isTrue();
    assertThat(line.unattended()).isFalse();
  }

  @Test
  void who_works_meanwhile_has_nobody_woken_in_vain() {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1);
    assertThat(line.leaveIfQuiet(line.signals())).isTrue();
    assertThat(line.receivers()).isEqualTo(1);
    assertThat(line.unattended()).isFalse();
  }

  @Test
  void who_leaves_during_anothers_look_does_not_answer_for_it() {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    lanes.next(0);
    assertThat(lanes.next(1).lanes()).as("what another looks at").isEmpty();
    assertThat(line.leaveIfQuiet(line.signals())).isTrue();
    assertThat(line.unattended()).as("before the first look has found anything").isTrue();
  }

  private CompletableFuture<Boolean> lingering() {
    assertThat(line.enter(0)).isTrue();
    long seen = line.signals();
    CompletableFuture<Boolean> calledBack =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return line.linger(seen, LONG_NANOS);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Await.until(SOON, line::lingers);
    return calledBack;
  }

  @Test
  void receiver_that_lingers_is_called_back_once() throws Exception {
    CompletableFuture<Boolean> calledBack = lingering();
    assertThat(line.callBack()).isTrue();
    assertThat(line.callBack()).as("it has gone back").isFalse();
    assertThat(calledBack.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void one_receiver_lingers_and_takes_no_room_of_those_to_come() throws Exception {
    line.set(new Line.Limits(false, 2, 0, null));
    CompletableFuture<Boolean> calledBack = lingering();
    assertThat(line.hasRoom(2, 0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    assertThat(line.linger(line.signals(), LONG_NANOS)).as("a second").isFalse();
    line.endLingering();
    assertThat(calledBack.get(SOON.toSeconds(), TimeUnit.SECONDS)).isFalse();
    assertThat(line.hasRoom(1, 0)).isFalse();
  }

  @Test
  void nobody_lingers_who_has_been_signalled_or_counts_against_a_limit() throws Exception {
    assertThat(line.enter(0)).isTrue();
    long seen = line.signals();
    line.signal();
    assertThat(line.linger(seen, LONG_NANOS)).isFalse();
    line.set(new Line.Limits(false, 10, 0, 5));
    assertThat(line.linger(line.signals(), LONG_NANOS)).isFalse();
  }
}
