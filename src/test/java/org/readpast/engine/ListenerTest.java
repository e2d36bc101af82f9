package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how long the listener waits if nothing is due. */
class ListenerTest {
  private static Duration wait(boolean rests, Duration next) {
    return Duration.ofNanos(Listener.longestWait(rests, next.toNanos()));
  }

  @Test
  void idle_listener_waits_until_it_has_something_to_do() {
    assertThat(wait(true, Duration.ofMillis(700))).hasMillis(700);
    assertThat(wait(true, Duration.ofSeconds(10))).hasMillis(1_000);
  }

  @Test
  void active_listener_runs_five_rounds_a_second() {
    assertThat(wait(false, Duration.ofSeconds(10))).hasMillis(200);
    assertThat(wait(false, Duration.ZERO)).hasMillis(200);
  }

  @Test
  void short_poll_interval_does_not_make_the_listener_poll_constantly() {
    assertThat(wait(true, Duration.ZERO)).hasMillis(200);
    assertThat(wait(true, Duration.ofSeconds(-1))).hasMillis(200);
  }
}
