package org.readpast.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobResultTest {
  @Test
  void results_are_equal_only_if_their_content_is_equal() {
    Duration pause = Duration.ofMinutes(5);
    List<JobResult> all =
        List.of(
            JobResult.done(),
            JobResult.done("a"),
            JobResult.done("b"),
            JobResult.retryLater(pause),
            JobResult.retryLaterCounted(pause),
            JobResult.retryLater(pause.plusMillis(1)),
            JobResult.failNow("a"),
            JobResult.failNow("b"));
    assertThat(Set.copyOf(all)).hasSize(8);
    assertThat(all)
        .contains(
            JobResult.done("b"),
            JobResult.retryLater(Duration.ofSeconds(300)),
            JobResult.failNow("b"));
  }
}
