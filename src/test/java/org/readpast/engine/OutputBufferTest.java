package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.OutputLine;
import org.readpast.support.ClaimedJobFactory;

class OutputBufferTest {
  private final OutputBuffer buffer = new OutputBuffer(ClaimedJobFactory.leased(1, "q", "t", 1));

  @Test
  void lines_beyond_the_limit_are_dropped_and_counted_in_one_line() {
    for (int i = 0; i < OutputBuffer.MOST_LINES + 7; i++) {
      buffer.log("line " + i);
    }
    assertThat(texts()).hasSize(OutputBuffer.MOST_LINES + 1).startsWith("line 0", "line 1");
    assertThat(texts()).last().asString().startsWith("7 lines were dropped");
  }

  @Test
  void lines_beyond_the_character_limit_and_all_after_them_are_dropped() {
    int fit = OutputBuffer.MOST_CHARACTERS / 4_000;
    for (int i = 0; i < fit + 2; i++) {
      buffer.log("x".repeat(5_000));
    }
    buffer.log("short");
    assertThat(texts()).hasSize(fit + 1);
    assertThat(texts().subList(0, fit)).allMatch(line -> line.length() == 4_000);
    assertThat(texts()).last().asString().startsWith("3 lines were dropped");
  }

  @Test
  void only_the_latest_progress_is_kept() {
    buffer.progress(1, 9);
    buffer.progress(2, 9);
    assertThat(buffer.progress()).extracting(Nodes.OutputProgress::done).isEqualTo(2L);
  }

  @Test
  void buffer_that_was_cleared_takes_lines_again() {
    for (int i = 0; i < OutputBuffer.MOST_LINES + 1; i++) {
      buffer.log("line " + i);
    }
    buffer.progress(1, 9);
    buffer.clear();
    assertThat(buffer.isEmpty()).isTrue();
    buffer.log("a\0b");
    assertThat(texts()).containsExactly("a\uFFFDb");
  }

  private List<String> texts() {
    return buffer.lines().stream().map(OutputLine::text).toList();
  }
}
