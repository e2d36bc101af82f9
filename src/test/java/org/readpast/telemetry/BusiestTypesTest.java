package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.engine.TypeFigures;
import org.readpast.model.Durations;

class BusiestTypesTest {
  private static final int MANY = BusiestTypes.MOST + 30;

  private final BusiestTypes busiest = new BusiestTypes();
  private final Map<String, TypeFigures> engine = new HashMap<>();

  private static String type(int number) {
    return "type-" + number;
  }

  private void completed(int type, int jobs) {
    Durations runs = new Durations();
    IntStream.range(0, jobs).forEach(i -> runs.add(Duration.ofMillis(20)));
    engine.put(type(type), new TypeFigures(type(type), 0, jobs, 0, 0, 0, new Durations(), runs));
  }

  private Map<String, TypeFigures> update() {
    return busiest.update(List.copyOf(engine.values()));
  }

  private static long completed(Map<String, TypeFigures> shown) {
    return shown.values().stream().mapToLong(TypeFigures::completed).sum();
  }

  @Test
  void types_beyond_the_busiest_share_one_series() {
    IntStream.range(0, MANY).forEach(i -> completed(i, i < 30 ? 3 : 7));

    Map<String, TypeFigures> shown = update();

    assertThat(shown).hasSize(BusiestTypes.MOST + 1);
    TypeFigures other = shown.get(BusiestTypes.OTHER);
    assertThat(other.completed()).isEqualTo(30 * 3);
    assertThat(other.runs().histogram().count()).isEqualTo(30 * 3);
    assertThat(shown.get(type(30)).completed()).isEqualTo(7);
  }

  @Test
  void type_that_becomes_twice_as_busy_replaces_the_least_busy() {
    IntStream.range(0, BusiestTypes.MOST).forEach(i -> completed(i, i == 5 ? 10 : 50));
    update();
    completed(MANY, 20);
    assertThat(update()).doesNotContainKey(type(MANY)).containsKey(type(5));

    completed(MANY, 21);
    Map<String, TypeFigures> shown = update();

    assertThat(shown).containsKey(type(MANY)).doesNotContainKey(type(5));
    assertThat(shown.get(type(MANY)).completed()).isEqualTo(1);
    assertThat(shown.get(BusiestTypes.OTHER).completed()).isEqualTo(20);
  }

  @Test
  void counts_of_a_series_never_decrease() {
    IntStream.range(0, MANY).forEach(i -> completed(i, 7));
    Map<String, TypeFigures> before = update();
    IntStream.range(0, MANY).forEach(i -> completed(i, 7 + i));

    Map<String, TypeFigures> after = update();

    after.forEach(
        (name, figures) -> {
          TypeFigures earlier = before.get(name);
          if (earlier != null) {
            assertThat(figures.completed()).isGreaterThanOrEqualTo(earlier.completed());
          }
        });
  }

  @Test
  void counts_of_a_restarted_engine_are_added_to_the_shown_counts() {
    completed(1, 7);
    update();
    engine.clear();
    update();
    completed(1, 2);

    assertThat(completed(update())).isEqualTo(9);
  }
}
