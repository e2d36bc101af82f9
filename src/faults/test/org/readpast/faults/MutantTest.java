package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks in every build that each bug can still be planted; the suite itself is rarely run with the
 * bugs.
 */
class MutantTest {
  @ParameterizedTest
  @EnumSource(Mutant.class)
  void statement_contains_the_text_that_the_mutant_replaces(Mutant mutant) {
    assertThat(mutant.wrong()).isNotBlank();
  }
}
