package org.readpast.rest.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.rest.signin.WrongPasswords.Kind;
import org.readpast.rest.signin.WrongPasswords.Milestone;

class WrongPasswordsTest {
  private Instant now = Instant.parse("2026-03-29T00:00:00Z");
  private final WrongPasswords wrongPasswords = new WrongPasswords(() -> now.toEpochMilli());

  private void wrong(int times, String name, String address) {
    for (int i = 0; i < times; i++) {
      wrongPasswords.wrong(name, address);
    }
  }

  private long seconds(String name, String address) {
    return wrongPasswords.pause(name, address).toSeconds();
  }

  @Test
  void four_failed_logins_cause_no_delay() {
    wrong(4, "admin", "10.0.0.1");
    assertThat(wrongPasswords.pause("admin", "10.0.0.1")).isZero();
  }

  @Test
  void delay_doubles_after_the_fourth_failure_up_to_one_minute() {
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
  void delay_shrinks_as_time_passes() {
    wrong(6, "admin", "10.0.0.1");
    now = now.plusMillis(1_999);
    assertThat(wrongPasswords.pause("admin", "10.0.0.1")).isEqualTo(Duration.ofMillis(1));
    now = now.plusMillis(1);
    assertThat(wrongPasswords.pause("admin", "10.0.0.1")).isZero();
  }

  @Test
  void names_that_differ_in_case_share_a_count() {
    wrong(3, "admin", "10.0.0.1");
    wrong(2, "ADMIN", "10.0.0.1");
    assertThat(seconds("Admin", "10.0.0.1")).isEqualTo(1);
  }

  @Test
  void names_that_differ_in_character_width_or_spaces_share_a_count() {
    wrong(3, "carla b", "10.0.0.1");
    wrong(2, " \uFF23arla  b ", "10.0.0.1");
    assertThat(seconds("carla b", "10.0.0.1")).isEqualTo(1);
  }

  @Test
  void addresses_of_one_ipv6_network_share_a_count() {
    wrong(3, "admin", "2001:db8:0:1::1");
    wrong(2, "admin", "2001:db8:0:1:ffff::2%eth0");
    assertThat(seconds("admin", "2001:db8:0:1::3")).isEqualTo(1);
    assertThat(wrongPasswords.pause("admin", "2001:db8:0:2::1")).isZero();
  }

  @Test
  void impossible_names_share_one_count() {
    for (int i = 0; i < 5; i++) {
      wrong(1, i + "x".repeat(300), "10.0.0.1");
    }
    assertThat(seconds("y".repeat(1_000_000), "10.0.0.1")).isEqualTo(1);
  }

  @Test
  void successful_login_clears_the_failures_before_it() {
    wrong(5, "admin", "10.0.0.1");
    assertThat(wrongPasswords.right("admin", "10.0.0.1")).isEqualTo(5);
    wrong(4, "admin", "10.0.0.1");
    assertThat(wrongPasswords.pause("admin", "10.0.0.1")).isZero();
  }

  @Test
  void milestone_is_reported_at_the_limit_and_at_each_doubling() {
    List<Milestone> told = new ArrayList<>();
    for (int i = 0; i < 31; i++) {
      told.addAll(wrongPasswords.wrong("admin", "10.0.0.1"));
    }
    assertThat(told)
        .containsExactly(
            new Milestone(Kind.NAME_FROM_ADDRESS, 5),
            new Milestone(Kind.NAME_FROM_ADDRESS, 10),
            new Milestone(Kind.NAME_FROM_ADDRESS, 20),
            new Milestone(Kind.ADDRESS, 30),
            new Milestone(Kind.NAME, 30));
  }

  @Test
  void other_names_and_other_addresses_are_not_delayed() {
    wrong(12, "admin", "10.0.0.1");
    assertThat(wrongPasswords.pause("admin", "10.0.0.2")).isZero();
    assertThat(wrongPasswords.pause("carla", "10.0.0.1")).isZero();
  }

  @Test
  void address_that_tries_many_names_is_delayed_for_all_names() {
    for (int i = 0; i < 30; i++) {
      wrong(1, "user" + i, "10.0.0.1");
    }
    assertThat(seconds("carla", "10.0.0.1")).isEqualTo(1);
    for (int i = 30; i < 60; i++) {
      wrong(1, "user" + i, "10.0.0.1");
    }
    assertThat(seconds("carla", "10.0.0.1")).isEqualTo(10);
    assertThat(wrongPasswords.pause("carla", "10.0.0.2")).isZero();
  }

  @Test
  void name_that_many_addresses_try_is_delayed_for_every_address() {
    for (int i = 0; i < 30; i++) {
      wrong(1, "admin", "10.0.1." + i);
    }
    assertThat(seconds("admin", "10.0.0.1")).isEqualTo(1);
    assertThat(wrongPasswords.pause("carla", "10.0.1.1")).isZero();
  }

  @Test
  void failures_expire_after_a_quarter_of_an_hour() {
    wrong(12, "admin", "10.0.0.1");
    now = now.plus(Duration.ofMinutes(15));
    assertThat(wrongPasswords.pause("admin", "10.0.0.1")).isZero();
    wrong(4, "admin", "10.0.0.1");
    assertThat(wrongPasswords.pause("admin", "10.0.0.1")).isZero();
  }

  @Test
  void flood_of_names_does_not_evict_the_count_of_an_address() {
    for (int i = 0; i < 20_000; i++) {
      wrong(1, "user" + i, "10.0.0.1");
    }
    assertThat(seconds("user20001", "10.0.0.1")).isEqualTo(10);
  }
}
