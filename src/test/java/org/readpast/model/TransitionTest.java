package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.JobState;

class TransitionTest {
  @ParameterizedTest
  @EnumSource(Transition.class)
  void only_an_operator_brings_back_what_has_ended(Transition transition) {
    boolean fromEnd = transition.from().stream().anyMatch(JobState::ended);
    assertThat(fromEnd).isEqualTo(transition == Transition.RESET);
  }

  @ParameterizedTest
  @EnumSource(JobState.class)
  void every_live_state_can_be_left_and_what_is_completed_stays(JobState state) {
    boolean canLeave =
        java.util.Arrays.stream(Transition.values()).anyMatch(t -> t.allowedFrom(state));
    assertThat(canLeave).isEqualTo(state != JobState.COMPLETED);
  }
}
