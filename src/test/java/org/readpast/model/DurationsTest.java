package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  private static List<Long> counts(Durations durations) {
    String text = durations.text();
    return Arrays.stream(text.substring(1, text.length() - 1).split(","))
        .map(Long::valueOf)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 17, 250, 999, 4_000, 90_000, 3_600_000})
  void error_of_a_percentile_is_below_a_quarter(long millis) {
    Durations durations = new Durations();
    for (int i = 0; i < 1_000; i++) {
      durations.add(Duration.ofMillis(millis));
    }
    assertThat(Durations.percentile(counts(durations), 0.5))
        .isCloseTo(millis, within(millis * 0.25 + 0.1));
  }

  @Test
  void percentiles_cover_all_durations() {
    Durations durations = new Durations();
    for (int i = 1; i <= 100; i++) {
      durations.add(Duration.ofMillis(i <= 90 ? 10 : 1_000));
    }
    assertThat(Durations.percentile(counts(durations), 0.5)).isCloseTo(10, within(3.0));
    assertThat(Durations.percentile(counts(durations), 0.99)).isCloseTo(1_000, within(250.0));
  }

  @Test
  void negative_duration_counts_as_zero() {
    Durations durations = new Durations();
    assertThat(durations.text()).isEqualTo("{}");
    durations.add(Duration.ofMillis(-5));
    assertThat(durations.text()).isEqualTo("{1}");
    assertThat(Durations.percentile(List.of(), 0.5)).isZero();
  }

  @Test
  void long_duration_is_in_the_last_class() {
    Durations durations = new Durations();
    durations.add(Duration.ofDays(400));
    assertThat(counts(durations)).hasSize(56);
  }

  @Test
  void histogram_counts_are_cumulative() {
    Durations durations = new Durations();
    for (long micros : new long[] {0, 100, 1_023, 1_025, 4_000, 2_000_000, 7_200_000_000L}) {
      durations.add(Duration.of(micros, java.time.temporal.ChronoUnit.MICROS));
    }
    Durations.Histogram histogram = durations.histogram();
    assertThat(Durations.BOUNDS).hasSize(12).startsWith(0.001024, 0.004096, 0.016384);
    assertThat(Durations.BOUNDS.get(11)).isBetween(4_000.0, 4_400.0);
    assertThat(histogram.upTo()).containsExactly(3, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6);
    assertThat(histogram.count()).isEqualTo(7);
    assertThat(histogram.seconds()).isEqualTo(7_202.006148);
    assertThat(durations.percentile(0.5)).isBetween(1.0, 2.0);
  }

  @Test
  void threads_that_count_their_first_durations_concurrently_lose_none() throws Exception {
    int threads = 4;
    for (int round = 0; round < 500; round++) {
      Durations durations = new Durations();
      var start = new CyclicBarrier(threads);
      List<CompletableFuture<Void>> counting = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        counting.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    start.await();
                  } catch (InterruptedException | BrokenBarrierException e) {
                    throw new IllegalStateException(e);
                  }
                  durations.add(Duration.ofMillis(20));
                },
                task -> new Thread(task).start()));
      }
      CompletableFuture.allOf(counting.toArray(CompletableFuture[]::new)).get();
      assertThat(durations.histogram().count()).isEqualTo(threads);
    }
  }

  @Test
  void difference_of_two_states_contains_the_durations_counted_in_between() {
    Durations before = new Durations();
    before.add(Duration.ofMillis(1));
    before.add(Duration.ofMinutes(1));
    Durations between = new Durations();
    between.add(Duration.ofSeconds(1));
    between.add(Duration.ofMinutes(1));

    Durations after = before.plus(between);

    assertThat(after.histogram().count()).isEqualTo(4);
    assertThat(after.minus(before).text()).isEqualTo(between.text());
    assertThat(after.minus(before).histogram().seconds()).isEqualTo(61);
    assertThat(after.minus(after).text()).isEqualTo("{}");
  }
}
