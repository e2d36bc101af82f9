package org.readpast.dependency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueLaneTest {
  private static final QueueLane LANE = new QueueLane("orders", "order.bill", 4);

  private static Map<QueueLane, Integer> parsed(String message) {
    Map<QueueLane, Integer> parsed = new HashMap<>();
    QueueLane.parse(message, parsed::put);
    return parsed;
  }

  @Test
  void notification_says_whether_one_job_is_available_or_several() {
    assertThat(parsed(LANE.encodeOne())).containsExactly(Map.entry(LANE, 1));
    assertThat(parsed(LANE.encode())).containsExactly(Map.entry(LANE, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders:order.bill", "orders:order.bill:high", "a:b:4:1:1", "a:b:4:x"})
  void malformed_notification_is_refused(String message) {
    assertThatThrownBy(() -> parsed(message)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void most_urgent_lanes_are_announced_first() {
    QueueLane.ArrivalCounts count = new QueueLane.ArrivalCounts();
    for (int priority : new int[] {3, 9, 0, 4, 8, 1}) {
      count.add(new QueueLane("q", "t", priority), 2);
    }
    List<Integer> announced = new ArrayList<>();

    count.announce((lane, jobs) -> announced.add(lane.priority()));

    assertThat(announced).containsExactly(9, 8, 4, 3, 1, 0);
  }
}
