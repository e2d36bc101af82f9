package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bugs are hunted rarely; that each can still be planted is seen in every build. */
class MutantTest {
  @ParameterizedTest
  @EnumSource(Mutant.class)
  void statement_has_the_place_for_the_bug(Mutant mutant) {
    assertThat(mutant.wrong()).isNotBlank();
  }
}
