package org.readpast.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class GuessesTest {
  private Instant now = Instant.parse("2026-03-29T00:00:00Z");
  private final Guesses guesses = new Guesses(() -> now);

  private void wrong(int times, String name, String address) {
    for (int i = 0; i < times; i++) {
      guesses.wrong(name, address);
    }
  }

  private long seconds(String name, String address) {
    return guesses.pause(name, address).toSeconds();
  }

  @Test
  void four_wrong_ones_cost_no_time() {
    wrong(4, "admin", "10.0.0.1");
    assertThat(guesses.pause("admin", "10.0.0.1")).isZero();
  }

  @Test
  void each_one_after_the_fourth_costs_twice_the_time_up_to_a_minute() {
    wrong(5, "admin", "10.0.0.1");
    assertThat(seconds("admin", "10.0.0.1")).isEqualTo(1);
    wrong(1, "admin", "10.0.0.1");
    assertThat(seconds("admin", "10.0.0.1")).isEqualTo(2);
    wrong(3, "admin", "10.0.0.1");
    assertThat(seconds("admin", "10.0.0.1")).isEqualTo(16);
    wrong(20, "admin", "10.0.0.1");
    assertThat(seconds("admin", "10.0.0.1")).isEqualTo(60);
  }

  @Test
  void time_passes() {
    wrong(6, "admin", "10.0.0.1");
    now = now.plusMillis(1_999);
    assertThat(guesses.pause("admin", "10.0.0.1")).isEqualTo(Duration.ofMillis(1));
    now = now.plusMillis(1);
    assertThat(guesses.pause("admin", "10.0.0.1")).isZero();
  }

  @Test
  void case_of_the_name_makes_no_difference() {
    wrong(3, "admin", "10.0.0.1");
    wrong(2, "ADMIN", "10.0.0.1");
    assertThat(seconds("Admin", "10.0.0.1")).isEqualTo(1);
  }

  @Test
  void other_names_and_other_addresses_do_not_wait() {
    wrong(12, "admin", "10.0.0.1");
    assertThat(guesses.pause("admin", "10.0.0.2")).isZero();
    assertThat(guesses.pause("carla", "10.0.0.1")).isZero();
  }

  @Test
  void who_tries_many_names_waits_for_each_other_one() {
    for (int i = 0; i < 30; i++) {
      wrong(1, "user" + i, "10.0.0.1");
    }
    assertThat(seconds("carla", "10.0.0.1")).isEqualTo(1);
    for (int i = 30; i < 60; i++) {
      wrong(1, "user" + i, "10.0.0.1");
    }
    assertThat(seconds("carla", "10.0.0.1")).isEqualTo(10);
    assertThat(guesses.pause("carla", "10.0.0.2")).isZero();
  }

  @Test
  void name_that_many_addresses_try_has_all_of_them_wait() {
    for (int i = 0; i < 30; i++) {
      wrong(1, "admin", "10.0.1." + i);
    }
    assertThat(seconds("admin", "10.0.0.1")).isEqualTo(1);
    assertThat(guesses.pause("carla", "10.0.1.1")).isZero();
  }

  @Test
  void a_quarter_of_an_hour_without_a_wrong_one_forgets_all() {
    wrong(12, "admin", "10.0.0.1");
    now = now.plus(Duration.ofMinutes(15));
    assertThat(guesses.pause("admin", "10.0.0.1")).isZero();
    wrong(4, "admin", "10.0.0.1");
    assertThat(guesses.pause("admin", "10.0.0.1")).isZero();
  }

  @Test
  void flood_of_names_does_not_make_an_address_be_forgotten() {
    for (int i = 0; i < 20_000; i++) {
      wrong(1, "user" + i, "10.0.0.1");
    }
    assertThat(seconds("user20001", "10.0.0.1")).isEqualTo(10);
  }
}
