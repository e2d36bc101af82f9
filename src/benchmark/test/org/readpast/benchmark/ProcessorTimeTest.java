package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
  private static final ProcessorTime BEFORE =
      new ProcessorTime(Map.of(1L, Duration.ofSeconds(10), 2L, Duration.ofSeconds(20)));

  @Test
  void time_includes_new_processes_and_excludes_ended_ones() {
    var now = new ProcessorTime(Map.of(1L, Duration.ofSeconds(13), 3L, Duration.ofSeconds(4)));
    assertThat(now.since(BEFORE)).isEqualTo(Duration.ofSeconds(7));
  }
}
