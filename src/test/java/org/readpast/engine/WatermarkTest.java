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
  void nothing_is_settled_before_it_has_looked() {
    assertThat(watermark.low()).isZero();
  }

  @Test
  void without_writers_all_that_was_drawn_is_settled() {
    watermark.observe(100, Set.of());
    assertThat(watermark.low()).isEqualTo(100);
  }

  @Test
  void a_writer_keeps_what_it_may_have_drawn_from_being_settled_until_it_ends() {
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
  void a_writer_open_at_the_first_look_keeps_everything_open() {
    watermark.observe(100, Set.of("a"));
    watermark.observe(200, Set.of("a"));
    assertThat(watermark.low()).isZero();
  }

  @Test
  void what_was_prepared_before_the_database_restarted_keeps_everything_from_being_settled() {
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
  void where_positions_go_back_nothing_is_settled_before_it_has_looked() {
    advanceTo("server", 5_000);
    advanceTo("server", 5_001);
    assertThat(watermark.forgetIfLost(new LastPosition("server", 4_217))).isTrue();
    assertThat(watermark.low()).isZero();
    advanceTo("server", 4_217);
  }

  @Test
  void positions_that_go_back_between_two_looks_at_writers_are_noticed() {
    advanceTo("server", 90);
    assertThat(watermark.forgetIfLost(new LastPosition("server", 640))).isFalse();
    assertThat(watermark.forgetIfLost(new LastPosition("server", 311))).isTrue();
  }

  @Test
  void another_server_settles_nothing_although_it_has_drawn_more() {
    advanceTo("server", 5_000);
    assertThat(watermark.forgetIfLost(new LastPosition("replica", 9_000))).isTrue();
    assertThat(watermark.low()).isZero();
    advanceTo("replica", 9_000);
  }

  @Test
  void writer_of_another_server_is_not_taken_for_one_of_the_same_name() {
    advanceTo("server", 700);
    watermark.observe(800, Set.of("7/23"));
    assertThat(watermark.forgetIfLost(new LastPosition("replica", 850))).isTrue();
    watermark.observe(850, Set.of("7/23"));
    assertThat(watermark.low()).isZero();
  }

  /**
   * Transactions draw positions and commit at random; no position commits at or below a mark said
   * before.
   */
  @Test
  void no_position_ever_appears_at_or_below_what_was_settled() {
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
