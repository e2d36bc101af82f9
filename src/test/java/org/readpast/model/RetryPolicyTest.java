package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.api.Backoff;

class RetryPolicyTest {
  private static RetryPolicy policy(Backoff backoff, double jitter) {
    return new RetryPolicy(
        5, backoff, Duration.ofSeconds(1), Duration.ofMinutes(1), jitter, List.of());
  }

  @Test
  void exponential_pause_doubles_up_to_its_maximum() {
    RetryPolicy policy = policy(Backoff.EXPONENTIAL, 0);
    assertThat(policy.pauseAfter(1, 0.5)).hasSeconds(1);
    assertThat(policy.pauseAfter(2, 0.5)).hasSeconds(2);
    assertThat(policy.pauseAfter(4, 0.5)).hasSeconds(8);
    assertThat(policy.pauseAfter(7, 0.5)).hasSeconds(60);
    assertThat(policy.pauseAfter(Integer.MAX_VALUE, 0.5)).hasSeconds(60);
  }

  @Test
  void fixed_pause_does_not_grow() {
    assertThat(policy(Backoff.FIXED, 0).pauseAfter(30, 0.5)).hasSeconds(1);
  }

  @Test
  void jitter_changes_the_pause_in_both_directions() {
    RetryPolicy policy = policy(Backoff.FIXED, 0.2);
    assertThat(policy.pauseAfter(1, 0)).hasMillis(800);
    assertThat(policy.pauseAfter(1, 0.999999))
        .isBetween(Duration.ofMillis(1_199), Duration.ofMillis(1_200));
  }

  @Test
  void an_exception_aborts_by_its_class_its_superclass_or_its_cause() {
    RetryPolicy policy =
        new RetryPolicy(
            5,
            Backoff.FIXED,
            Duration.ZERO,
            Duration.ZERO,
            0,
            List.of("java.lang.IllegalArgumentException"));
    assertThat(policy.abortsOn(new IllegalArgumentException())).isTrue();
    assertThat(policy.abortsOn(new NumberFormatException())).isTrue();
    assertThat(policy.abortsOn(new RuntimeException(new IllegalArgumentException()))).isTrue();
    assertThat(policy.abortsOn(new IllegalStateException())).isFalse();
  }

  @Test
  void cycle_of_causes_does_not_loop() {
    Exception a = new Exception();
    Exception b = new Exception(a);
    a.initCause(b);
    assertThat(
            new RetryPolicy(5, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of("x"))
                .abortsOn(a))
        .isFalse();
  }

  @Test
  void error_names_each_invalid_value() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RetryPolicy(0, Backoff.FIXED, Duration.ZERO, Duration.ZERO, 0, List.of()))
        .withMessageContaining("max attempts is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy(Backoff.FIXED, 1.5))
        .withMessageContaining("jitter");
  }
}
