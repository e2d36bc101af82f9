package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.store.Claims.LastPosition;

class WatermarkTest {
  private final Watermark watermark = new Watermark();

  @Test
  void watermark_is_zero_before_the_first_observation() {
    assertThat(watermark.low()).isZero();
  }

  @Test
  void watermark_reaches_the_last_position_without_writers() {
    watermark.observe(100, Set.of());
    assertThat(watermark.low()).isEqualTo(100);
  }

  @Test
  void watermark_stays_below_an_open_writer_until_it_ends() {
    watermark.observe(100, Set.of());
    watermark.observe(200, Set.of("a"));
    assertThat(watermark.low()).isEqualTo(100);
    watermark.observe(300, Set.of("a", "b"));
    assertThat(watermark.low()).isEqualTo(100);
    watermark.observe(400, Set.of("b"));
    assertThat(watermark.low()).isEqualTo(200);
    watermark.observe(500, Set.of());
    assertThat(watermark.low()).isEqualTo(500);
  }

  @Test
  void writer_open_at_the_first_observation_keeps_the_watermark_at_zero() {
    watermark.observe(100, Set.of("a"));
    watermark.observe(200, Set.of("a"));
    assertThat(watermark.low()).isZero();
  }

  @Test
  void transaction_prepared_before_a_restart_keeps_the_watermark_at_zero() {
    watermark.observe(100, Set.of());
    watermark.observe(200, Set.of("3/17"));
    watermark.observe(300, Set.of("-1/4711"));
    watermark.observe(400, Set.of("-1/4711"));
    assertThat(watermark.low()).isEqualTo(100);
    watermark.observe(500, Set.of());
    assertThat(watermark.low()).isEqualTo(500);
  }

  private void advanceTo(String source, long position) {
    assertThat(watermark.forgetIfLost(new LastPosition(source, position))).isFalse();
    watermark.observe(position, Set.of());
    assertThat(watermark.low()).isEqualTo(position);
  }

  @Test
  void watermark_is_zero_after_positions_moved_back() {
    advanceTo("server", 5_000);
    advanceTo("server", 5_001);
    assertThat(watermark.forgetIfLost(new LastPosition("server", 4_217))).isTrue();
    assertThat(watermark.low()).isZero();
    advanceTo("server", 4_217);
  }

  @Test
  void positions_that_move_back_between_observations_are_detected() {
    advanceTo("server", 90);
    assertThat(watermark.forgetIfLost(new LastPosition("server", 640))).isFalse();
    assertThat(watermark.forgetIfLost(new LastPosition("server", 311))).isTrue();
  }

  @Test
  void another_server_resets_the_watermark_although_its_position_is_higher() {
    advanceTo("server", 5_000);
    assertThat(watermark.forgetIfLost(new LastPosition("replica", 9_000))).isTrue();
    assertThat(watermark.low()).isZero();
    advanceTo("replica", 9_000);
  }

  @Test
  void writers_with_the_same_name_on_two_servers_are_distinct() {
    advanceTo("server", 700);
    watermark.observe(800, Set.of("7/23"));
    assertThat(watermark.forgetIfLost(new LastPosition("replica", 850))).isTrue();
    watermark.observe(850, Set.of("7/23"));
    assertThat(watermark.low()).isZero();
  }

  /**
   * Transactions take positions and commit in random order. No position at or below a reported
   * watermark is committed later.
   */
  @Test
  void no_position_appears_at_or_below_the_watermark() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Watermark tried = new Watermark();
      Map<String, List<Long>> open = new HashMap<>();
      long last = 0;
      int names = 0;
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(4)) {
          case 0 -> open.put("t" + names++, new ArrayList<>());
          case 1 -> {
            if (!open.isEmpty()) {
              open.get(any(open.keySet(), random)).add(++last);
            }
          }
          case 2 -> {
            if (!open.isEmpty()) {
              List<Long> drawn = open.remove(any(open.keySet(), random));
              long mark = tried.low();
              assertThat(drawn).as("seed %s", seed).allMatch(position -> position > mark);
            }
          }
          default -> tried.observe(last, new HashSet<>(open.keySet()));
        }
      }
    }
  }

  private static String any(Set<String> names, Random random) {
    return names.stream().sorted().skip(random.nextInt(names.size())).findFirst().orElseThrow();
  }
}
