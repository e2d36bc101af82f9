package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackendMemoryTest {
  @Test
  void shared_buffers_are_not_counted() {
    assertThat(
            BackendMemory.own(
                Stream.of(
                    "VmRSS:\t  165000 kB",
                    "RssAnon:\t    5000 kB",
                    "RssFile:\t   10000 kB",
                    "RssShmem:\t  150000 kB")))
        .isEqualTo(5_120_000);
  }

  @Test
  void ended_process_has_no_memory() {
    assertThat(BackendMemory.own(Stream.of("Name:\tpostgres", "State:\tZ (zombie)"))).isZero();
  }
}
