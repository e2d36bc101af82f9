package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrashPointsTest {
  /**
   * Without the method, its crash points would never be reached, and no other test would notice.
   */
  @Test
  void engine_declares_every_step_at_which_a_server_can_be_killed() {
    assertThat(CrashPoints.undeclared()).isEmpty();
  }
}
