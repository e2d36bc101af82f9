package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.benchmark.Chart.Kind;

class MeasureNamesTest {
  @Test
  void raw_rates_of_single_jobs_and_rates_of_all_modes_are_drain_rates() {
    assertThat(
            List.of(
                "raw: select, delete, commit",
                "raw: lease 100, delete each",
                "transactional",
                "transactional, history kept",
                "Some Queue: drain"))
        .allMatch(MeasureNames::isDrain);
  }

  @Test
  void rates_around_a_crash_are_not_drain_rates() {
    assertThat(
            List.of(
                "leased, jobs of 10 ms, before a node's death",
                "transactional, no-op jobs, after a node's death"))
        .noneMatch(MeasureNames::isDrain)
        .allMatch(name -> MeasureNames.kind(name) == Kind.OWN);
  }

  @Test
  void only_the_databases_own_limits_are_ceilings() {
    assertThat(MeasureNames.kind("raw: lease 100, delete each")).isEqualTo(Kind.CEILING);
    assertThat(MeasureNames.kind("Some Queue: drain")).isEqualTo(Kind.PEER);
    assertThat(MeasureNames.label("raw: lease 100, delete each"))
        .isEqualTo("PostgreSQL: lease 100, delete each");
  }
}
