package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.JobState;

class TransitionTest {
  @ParameterizedTest
  @EnumSource(Transition.class)
  void only_a_reset_leads_out_of_an_ended_state(Transition transition) {
    boolean fromEnd = transition.from().stream().anyMatch(JobState::ended);
    assertThat(fromEnd).isEqualTo(transition == Transition.RESET);
  }

  @ParameterizedTest
  @EnumSource(JobState.class)
  void every_state_except_completed_has_a_transition(JobState state) {
    boolean canLeave =
        java.util.Arrays.stream(Transition.values()).anyMatch(t -> t.allowedFrom(state));
    assertThat(canLeave).isEqualTo(state != JobState.COMPLETED);
  }
}
