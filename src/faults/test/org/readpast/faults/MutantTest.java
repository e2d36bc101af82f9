package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks in every build that each bug can still be planted; the hunt for the bugs runs rarely. */
class MutantTest {
  @ParameterizedTest
  @EnumSource(Mutant.class)
  void statement_has_the_place_for_the_bug(Mutant mutant) {
    assertThat(mutant.wrong()).isNotBlank();
  }
}
