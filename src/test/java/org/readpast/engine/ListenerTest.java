package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long the listener waits where nothing is due. */
class ListenerTest {
  private static Duration wait(boolean rests, Duration next) {
    return Duration.ofNanos(Listener.longestWait(rests, next.toNanos()));
  }

  @Test
  void listener_at_rest_waits_until_it_has_something_to_do() {
    assertThat(wait(true, Duration.ofMillis(700))).hasMillis(700);
    assertThat(wait(true, Duration.ofSeconds(10))).hasMillis(1_000);
  }

  @Test
  void listener_at_work_looks_five_times_a_second() {
    assertThat(wait(false, Duration.ofSeconds(10))).hasMillis(200);
    assertThat(wait(false, Duration.ZERO)).hasMillis(200);
  }

  @Test
  void database_is_not_asked_all_the_time_however_short_the_poll_interval() {
    assertThat(wait(true, Duration.ZERO)).hasMillis(200);
    assertThat(wait(true, Duration.ofSeconds(-1))).hasMillis(200);
  }
}
