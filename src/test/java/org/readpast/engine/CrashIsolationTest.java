package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how suspects wait for each other. */
class CrashIsolationTest {
  private static final int SUSPECTS = 60;

  private final CrashIsolation isolation = new CrashIsolation();

  @Test
  void suspects_behind_a_slow_one_do_not_occupy_receivers() throws Exception {
    CrashIsolation.Admission slow = isolation.enter(true);
    // Other jobs wait for the suspect until it has run for a second.
    CrashIsolation.Admission other = isolation.enter(false);

    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          for (int i = 0; i < SUSPECTS; i++) {
            assertThat(isolation.enter(true)).isNull();
          }
        });

    other.end();
    slow.end();
    assertThat(isolation.enter(true)).isNotNull();
  }

  @Test
  void suspect_waits_for_its_turn_behind_a_quick_one() throws Exception {
    CrashIsolation.Admission quick = isolation.enter(true);
    CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(quick::end);

    assertThat(isolation.enter(true)).isNotNull();
  }
}
