package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharesTest {
  private static int[] shares(int limit, int first, int... wanted) {
    return Shares.of(limit, wanted, first);
  }

  @Test
  void everybody_gets_what_is_wanted_while_there_is_enough() {
    assertThat(shares(10, 0, 3, 0, 4)).containsExactly(3, 0, 4);
  }

  @Test
  void what_is_short_is_dealt_evenly_and_the_rest_to_who_comes_first() {
    assertThat(shares(7, 0, 8, 8, 8)).containsExactly(3, 2, 2);
    assertThat(shares(7, 1, 8, 8, 8)).containsExactly(2, 3, 2);
  }

  @Test
  void what_one_does_not_want_goes_to_the_others() {
    assertThat(shares(8, 0, 1, 16, 16)).containsExactly(1, 4, 3);
  }

  @Test
  void with_fewer_than_nodes_each_has_a_turn() {
    assertThat(shares(1, 0, 8, 8)).containsExactly(1, 0);
    assertThat(shares(1, 1, 8, 8)).containsExactly(0, 1);
    assertThat(shares(0, 1, 8, 8)).containsExactly(0, 0);
  }
}
