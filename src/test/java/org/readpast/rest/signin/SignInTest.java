package org.readpast.rest.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SignInTest {
  private static final Instant BEGUN = Instant.parse("2026-11-22T08:00:00Z");

  @Test
  void session_ends_after_twelve_hours_of_use() {
    assertThat(SignIn.lasts(BEGUN.toString(), BEGUN.plus(Duration.ofMinutes(719)))).isTrue();
    assertThat(SignIn.lasts(BEGUN.toString(), BEGUN.plus(Duration.ofHours(12)))).isFalse();
    assertThat(SignIn.lasts(null, BEGUN)).isFalse();
  }
}
