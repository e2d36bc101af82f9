package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.readpast.store.SecondTally;

class RecentSecondsTest {
  private static final long START = 1_800_000_000;

  private final AtomicLong nanos = new AtomicLong(5_000_000_000L);
  private final RecentSeconds seconds = new RecentSeconds(nanos::get);

  private void pass(long millis) {
    nanos.addAndGet(millis * 1_000_000);
  }

  private void beat(long databaseMillis) {
    seconds.databaseTime(databaseMillis);
  }

  @Test
  void events_are_counted_in_the_second_of_the_database() {
    beat(START * 1_000 + 400);
    seconds.enqueued("q", "t");
    pass(500);
    seconds.enqueued("q", "t");
    pass(200);
    seconds.completed("q", "t");
    seconds.failed("q", "u");
    seconds.ran("q", "t", Duration.ofMillis(3), Duration.ofMillis(70));
    pass(3_000);
    seconds.close();
    assertThat(seconds.pending())
        .extracting(
            SecondTally::second,
            SecondTally::type,
            SecondTally::enqueued,
            SecondTally::completed,
            SecondTally::failed)
        .containsExactlyInAnyOrder(
            tuple(START, "t", 2L, 0L, 0L),
            tuple(START + 1, "t", 0L, 1L, 0L),
            tuple(START + 1, "u", 0L, 0L, 1L));
    assertThat(seconds.pending())
        .anySatisfy(tally -> assertThat(tally.waits()).contains("1").isNotEqualTo(tally.runs()));
  }

  @Test
  void nothing_is_counted_before_the_clock_of_the_database_is_known() {
    seconds.enqueued("q", "t");
    pass(10_000);
    beat(START * 1_000);
    seconds.close();
    assertThat(seconds.pending()).isEmpty();
  }

  @Test
  void responses_that_take_longer_do_not_move_events_but_another_clock_does() {
    beat(START * 1_000);
    pass(100);
    beat(START * 1_000 - 200);
    seconds.enqueued("q", "t");
    pass(100);
    beat(START * 1_000 + 60_000);
    seconds.enqueued("q", "t");
    pass(5_000);
    seconds.close();
    assertThat(seconds.pending())
        .extracting(SecondTally::second)
        .containsExactlyInAnyOrder(START, START + 60);
  }

  @Test
  void second_that_is_repeated_after_the_clock_was_set_back_is_counted() {
    beat(START * 1_000);
    seconds.enqueued("q", "t");
    beat(START * 1_000 - 60_000);
    seconds.close();
    assertThat(seconds.pending()).isEmpty();
    pass(60_000);
    seconds.enqueued("q", "t");
    pass(3_000);
    seconds.close();
    assertThat(seconds.pending()).extracting(SecondTally::second).containsExactly(START);
  }

  @Test
  void second_that_may_still_get_events_is_not_closed() {
    beat(START * 1_000);
    seconds.enqueued("q", "t");
    pass(1_900);
    seconds.close();
    assertThat(seconds.pending()).isEmpty();
    pass(200);
    seconds.close();
    assertThat(seconds.pending()).hasSize(1);
  }

  @Test
  void stored_and_old_seconds_are_dropped() {
    beat(START * 1_000);
    seconds.enqueued("q", "old");
    pass(10_000);
    seconds.enqueued("q", "stored");
    pass(10_000);
    seconds.enqueued("q", "kept");
    pass(3_000);
    seconds.close();
    seconds.stored(seconds.pending().stream().filter(t -> t.type().equals("stored")).toList());
    assertThat(seconds.pending()).extracting(SecondTally::type).containsExactly("old", "kept");
    pass(280_000);
    seconds.close();
    assertThat(seconds.pending()).extracting(SecondTally::type).containsExactly("kept");
  }

  @Test
  void memory_is_bounded_for_each_second_and_in_total() {
    beat(START * 1_000);
    for (int second = 0; second < 100; second++) {
      for (int i = 0; i < 1_000; i++) {
        seconds.enqueued("q" + i, "t");
      }
      pass(1_000);
      seconds.close();
    }
    assertThat(seconds.pending()).hasSize(10_000);
    assertThat(seconds.pending().stream().filter(t -> t.second() == START + 90))
        .hasSize(201)
        .anySatisfy(
            others -> {
              assertThat(others.queue()).isEmpty();
              assertThat(others.enqueued()).isEqualTo(800);
            });
  }

  @Test
  void memory_is_bounded_while_no_heartbeat_succeeds() {
    beat(START * 1_000);
    for (int second = 0; second < 1_000; second++) {
      seconds.enqueued("q", "t");
      pass(1_000);
    }
    // If close() is not called again, at most 11 seconds are open, and earlier seconds are pending.
    assertThat(seconds.pending())
        .hasSizeBetween(285, 300)
        .allSatisfy(tally -> assertThat(tally.second()).isGreaterThan(START + 680));
  }
}
