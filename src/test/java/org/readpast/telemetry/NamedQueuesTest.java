package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.engine.QueueFigures;
import org.readpast.model.Durations;
import org.readpast.store.QueueCounters;

class NamedQueuesTest {
  private static final int MANY = NamedQueues.MOST + 40;

  private final NamedQueues named = new NamedQueues();

  @Test
  void few_queues_have_a_series_before_any_activity() {
    assertThat(look(queues(3, 0))).containsOnlyKeys("queue-0", "queue-1", "queue-2");
  }

  @Test
  void queues_beyond_a_hundred_share_one_series() {
    Map<String, QueueFigures> shown = look(queues(MANY, 7));

    assertThat(shown).hasSize(NamedQueues.MOST + 1);
    QueueFigures other = shown.get(NamedQueues.OTHER);
    assertThat(other.counters().completed()).isEqualTo(7 * 40);
    assertThat(other.concurrency()).isEqualTo(8 * 40);
    assertThat(other.waits().histogram().count()).isEqualTo(40);
  }

  @Test
  void queue_with_jobs_replaces_an_empty_queue() {
    List<QueueFigures> queues = queues(MANY, 0);
    look(queues);
    IntStream.range(0, MANY).forEach(i -> queues.set(i, queue(i, i < MANY - 60 ? 0 : 5)));

    Map<String, QueueFigures> shown = look(queues);

    assertThat(shown).hasSize(NamedQueues.MOST + 1);
    for (int i = MANY - 60; i < MANY; i++) {
      assertThat(shown).containsKey("queue-" + i);
    }
  }

  @Test
  void queue_keeps_its_series_when_busier_queues_appear() {
    List<QueueFigures> queues = queues(NamedQueues.MOST, 1);
    look(queues);
    queues.add(queue(MANY, 1_000));

    assertThat(look(queues)).hasSize(NamedQueues.MOST + 1).doesNotContainKey("queue-" + MANY);
  }

  @Test
  void shared_counts_do_not_decrease_when_a_queue_is_removed() {
    List<QueueFigures> queues = queues(MANY, 7);
    Map<String, QueueFigures> before = look(queues);
    queues.removeIf(queue -> !before.containsKey(queue.counters().queue()));

    QueueFigures other = look(queues).get(NamedQueues.OTHER);

    assertThat(other.counters().completed()).isEqualTo(7 * 40);
    assertThat(other.concurrency()).isZero();
  }

  @Test
  void removed_queue_frees_its_series_for_a_later_queue() {
    List<QueueFigures> queues = queues(MANY, 7);
    Map<String, QueueFigures> before = look(queues);
    String one =
        before.keySet().stream()
            .filter(name -> !name.equals(NamedQueues.OTHER))
            .findAny()
            .orElseThrow();
    queues.removeIf(queue -> queue.counters().queue().equals(one));
    queues.add(queue(MANY, 3));

    Map<String, QueueFigures> after = look(queues);

    assertThat(after)
        .hasSize(NamedQueues.MOST + 1)
        .doesNotContainKey(one)
        .containsKey("queue-" + MANY);
    assertThat(after.get(NamedQueues.OTHER).counters().completed()).isEqualTo(7 * 40);
  }

  @Test
  void removal_of_a_busy_queue_leaves_no_receivers_in_the_shared_series() {
    List<QueueFigures> queues = queues(NamedQueues.MOST, 1);
    look(queues);
    QueueFigures late = queue(MANY, 1, 4);
    queues.add(late);
    assertThat(look(queues).get(NamedQueues.OTHER).counters().receivers()).isEqualTo(4);
    queues.remove(late);

    QueueFigures other = look(queues).get(NamedQueues.OTHER);

    assertThat(other.counters().receivers()).isZero();
    assertThat(other.counters().completed()).isEqualTo(1);
  }

  private Map<String, QueueFigures> look(List<QueueFigures> queues) {
    named.update(
        queues.stream()
            .collect(Collectors.toMap(one -> one.counters().queue(), Function.identity())));
    return named.figures(queues);
  }

  private static List<QueueFigures> queues(int number, long completed) {
    return new ArrayList<>(IntStream.range(0, number).mapToObj(i -> queue(i, completed)).toList());
  }

  private static QueueFigures queue(int no, long completed) {
    return queue(no, completed, 0);
  }

  private static QueueFigures queue(int no, long completed, int receivers) {
    Durations waits = new Durations();
    waits.add(Duration.ofMillis(3));
    return new QueueFigures(
        new QueueCounters("queue-" + no, receivers, completed, completed, 0, 0, completed, 0, 0),
        true,
        false,
        8,
        null,
        completed,
        0,
        waits,
        new Durations());
  }
}
