package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueRowTest {
  @ParameterizedTest
  @CsvSource({
    ",      ,      ",
    ",      7,     7",
    "3,     7,     3",
    "0,     ,      0",
    "9999,  7,     9999",
    "10000, 7,     ",
    ",      10000, ",
    "5,     10000, 5"
  })
  void limit_of_operators_replaces_the_configured_limit_and_10000_removes_it(
      @Nullable Integer operators, @Nullable Integer configured, @Nullable Integer limit) {
    assertThat(new Nodes.QueueRow("q", false, null, null, operators, configured, true).limit())
        .isEqualTo(limit);
  }
}
