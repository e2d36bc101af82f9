package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
  private static final ProcessorTime BEFORE =
      new ProcessorTime(Map.of(1L, Duration.ofSeconds(10), 2L, Duration.ofSeconds(20)));

  @Test
  void a_new_process_counts_in_full_and_one_that_has_ended_not_at_all() {
    var now = new ProcessorTime(Map.of(1L, Duration.ofSeconds(13), 3L, Duration.ofSeconds(4)));
    assertThat(now.since(BEFORE)).isEqualTo(Duration.ofSeconds(7));
  }
}
