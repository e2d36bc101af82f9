package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.ReceiveMode;

/** Who finds a job knows whether others are to be woken. */
class LineTest {
  private Lanes lanes;
  private Line line;

  @BeforeEach
  void serve() {
    Watermark watermark = new Watermark();
    watermark.observe(100, Set.of());
    lanes = new Lanes(List.of("t"), watermark);
    line =
        new Line(
            "q",
            List.of(new Way(ReceiveMode.TRANSACTIONAL, 1, false, lanes)),
            watermark,
            new Outage());
    line.set(new Line.Limits(false, 10, 0, null));
  }

  @Test
  void the_last_that_leaves_with_nothing_found_leaves_nothing_unattended() {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1);
    assertThat(line.leaveIfQuiet(line.signals())).isTrue();
    assertThat(line.unattended()).isFalse();
  }

  @Test
  void who_works_meanwhile_has_nobody_woken_in_vain() {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    lanes.found(lanes.next(0), List.of(), 1);
    assertThat(line.leaveIfQuiet(line.signals())).isTrue();
    assertThat(line.receivers()).isEqualTo(1);
    assertThat(line.unattended()).isFalse();
  }

  @Test
  void who_leaves_during_anothers_look_does_not_answer_for_it() {
    line.signal();
    assertThat(line.enter(0)).isTrue();
    assertThat(line.enter(0)).isTrue();
    lanes.next(0);
    assertThat(lanes.next(1).lanes()).as("what another looks at").isEmpty();
    assertThat(line.leaveIfQuiet(line.signals())).isTrue();
    assertThat(line.unattended()).as("before the first look has found anything").isTrue();
  }
}
