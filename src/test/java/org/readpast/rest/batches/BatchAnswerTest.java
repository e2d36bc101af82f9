package org.readpast.rest.batches;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.BatchView;
import org.readpast.api.BatchFailure;

class BatchAnswerTest {

  @Test
  void wave_names_at_most_ten_lower_waves() {
    List<BatchView.Wave> waves =
        IntStream.range(0, 5_000)
            .mapToObj(no -> new BatchView.Wave(no, 1, no == 0 ? 0 : 1, 0, 0, 0, 0, List.of()))
            .toList();
    BatchAnswer answer =
        BatchAnswer.of(
            new BatchView(
                "b", BatchFailure.HOLD, Instant.EPOCH, null, null, null, null, waves, List.of()));
    assertThat(answer.waves()).hasSize(5_000);
    assertThat(answer.waves().get(2).heldBy())
        .containsExactly("wave 0 has 1 live jobs", "wave 1 has 1 live jobs");
    assertThat(answer.waves().get(4_999).heldBy()).hasSize(10);
  }
}
