package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EndSignalsTest {
  private final List<Long> told = new ArrayList<>();
  private final EndSignals endSignals = new EndSignals(told::add, job -> {});

  @Test
  void cost_of_a_request_does_not_grow_with_the_number_of_requests() {
    List<Long> jobs = LongStream.range(0, 150_000).boxed().toList();
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> jobs.forEach(endSignals::requestedElsewhere));
    endSignals.jobsEnded(jobs);
    assertThat(told).isEqualTo(jobs);
  }

  @Test
  void job_is_reported_to_other_nodes_once() {
    endSignals.requestedElsewhere(7);
    endSignals.jobsEnded(List.of(6L, 7L));
    endSignals.jobsEnded(List.of(7L));
    assertThat(told).containsExactly(7L);
  }
}
