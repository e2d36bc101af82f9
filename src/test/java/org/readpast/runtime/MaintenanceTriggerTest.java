package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests when maintenance runs, with a timer that follows a clock which is set. */
class MaintenanceTriggerTest {
  private static final Duration INTERVAL = Duration.ofSeconds(MaintenanceTrigger.SECONDS);

  private long now = Long.MAX_VALUE;
  private int runs;
  private Runnable duringRun = () -> {};
  private final MaintenanceTrigger trigger =
      new MaintenanceTrigger(
          () -> {
            runs++;
            duringRun.run();
          },
          () -> now);

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void maintenance_runs_each_time_that_the_timer_fires() {
    for (int firings = 1; firings <= 5; firings++) {
      trigger.fire();
      assertThat(runs).isEqualTo(firings);
      pass(INTERVAL);
      assertThat(trigger.timerIsLate()).isFalse();
    }
  }

  @Test
  void timer_that_fires_many_times_in_a_row_runs_the_maintenance_once() {
    for (int firings = 0; firings < 75; firings++) {
      trigger.fire();
      pass(Duration.ofMillis(20));
    }
    assertThat(runs).isOne();
    pass(INTERVAL);
    trigger.fire();
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void timer_that_has_missed_three_runs_is_late_until_it_fires() {
    trigger.fire();
    pass(INTERVAL.multipliedBy(3).minusMillis(1));
    assertThat(trigger.timerIsLate()).isFalse();
    pass(Duration.ofMillis(1));
    for (int replaced = 1; replaced <= 3; replaced++) {
      assertThat(trigger.timerIsLate()).isTrue();
      trigger.run();
      assertThat(runs).isEqualTo(1 + replaced);
      pass(INTERVAL);
    }
    trigger.fire();
    assertThat(trigger.timerIsLate()).isFalse();
  }

  @Test
  void maintenance_does_not_run_twice_at_the_same_time() {
    duringRun =
        () -> {
          pass(INTERVAL.multipliedBy(4));
          trigger.run();
        };
    trigger.fire();
    assertThat(runs).isOne();
  }
}
