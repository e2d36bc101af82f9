package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node asks of the others, and may do until they have answered. */
class QuotaTest {
  private final Quota quota = new Quota();

  @BeforeEach
  void limit() {
    quota.limit(2);
  }

  @Test
  void demand_that_could_not_be_told_is_told_the_next_time() {
    quota.grant(1, quota.demand(0, 10), 0);
    assertThat(quota.admits(1)).isFalse();
    int wanted = quota.demand(1, 10);
    assertThat(wanted).isEqualTo(10);
    quota.putOff(wanted, 1);
    assertThat(quota.atRest(0)).isFalse();
    assertThat(quota.demand(1, 10)).isEqualTo(10);
  }

  @Test
  void no_more_is_asked_for_when_nobody_was_refused() {
    quota.grant(2, quota.demand(0, 10), 0);
    assertThat(quota.admits(1)).isTrue();
    int wanted = quota.demand(1, 10);
    quota.putOff(wanted, 1);
    assertThat(quota.demand(1, 10)).isEqualTo(1);
  }
}
