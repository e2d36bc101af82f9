package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In every build, checks that each bug can still be planted; the programme itself is rarely run
 * with the bugs.
 */
class MutantTest {
  @ParameterizedTest
  @EnumSource(Mutant.class)
  void statement_has_the_place_for_the_bug(Mutant mutant) {
    assertThat(mutant.wrong()).isNotBlank();
  }
}
