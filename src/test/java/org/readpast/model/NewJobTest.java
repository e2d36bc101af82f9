package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobRejectedException;

class NewJobTest {
  private static NewJob job(
      String queue, String type, int priority, Duration delay, String uniqueKey) {
    return new NewJob(
        queue, type, priority, delay, null, null, null, uniqueKey, null, null, null, "{}");
  }

  private static NewJob job(JobDependencies dependencies, String contentType) {
    return new NewJob(
        "q",
        "t",
        4,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        dependencies,
        "\"x\"",
        contentType);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a/b", "ä", "x'y", "q\n", "${x}", ".", ".."})
  void name_with_other_characters_is_refused(String name) {
    assertThatThrownBy(() -> job(name, "t", 4, null, null))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("queue");
    assertThatThrownBy(() -> job("q", name, 4, null, null))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("job type");
  }

  @Test
  void name_may_contain_dots() {
    assertThatCode(() -> job("a.b", "..t.", 4, null, null)).doesNotThrowAnyException();
  }

  @Test
  void callback_with_a_setting_that_cannot_be_stored_is_refused() {
    assertThatCode(() -> job("q", "t", 4, null, null).checkCallback()).doesNotThrowAnyException();
    assertThatThrownBy(() -> job("q", "t", 4, Duration.ofSeconds(1), null).checkCallback())
        .hasMessageContaining("leave out delay");
    assertThatThrownBy(() -> job("q", "t", 4, null, "k").checkCallback())
        .hasMessageContaining("uniqueKey");
    NewJob text = job(JobDependencies.ALONE, "text/plain");
    assertThatThrownBy(text::checkCallback).hasMessageContaining("contentType");
    NewJob waiting = job(JobDependencies.inBatch("b", 0), null);
    assertThatThrownBy(waiting::checkCallback).hasMessageContaining("cannot wait for other jobs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"year/graph", "year/seal", "a/b/hold", "x/cancellation"})
  void batch_name_cannot_end_like_a_sub_resource(String name) {
    assertThatThrownBy(() -> JobDependencies.inBatch(name, 0))
        .hasMessageContaining("part of a URL");
    assertThatCode(() -> JobDependencies.inBatch(name + "s", 0)).doesNotThrowAnyException();
    assertThatCode(() -> JobDependencies.inBatch("graph", 0)).doesNotThrowAnyException();
  }

  @Test
  void names_have_a_maximum_length() {
    assertThatCode(() -> job("q".repeat(64), "t".repeat(100), 4, null, null))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> job("q".repeat(65), "t", 4, null, null))
        .hasMessageContaining("1 to 64");
    assertThatThrownBy(() -> job("q", "t".repeat(101), 4, null, null))
        .hasMessageContaining("1 to 100");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 10, Integer.MIN_VALUE})
  void a_priority_is_from_0_to_9(int priority) {
    assertThatThrownBy(() -> job("q", "t", priority, null, null))
        .hasMessage("priority is " + priority + "; specify 0 (last) to 9 (first)");
  }

  @Test
  void times_that_the_database_cannot_hold_are_refused() {
    assertThatThrownBy(() -> job("q", "t", 4, Duration.ofSeconds(-1), null))
        .hasMessageContaining("delay");
    assertThatThrownBy(() -> job("q", "t", 4, Duration.ofDays(40_000), null))
        .hasMessageContaining("delay");
    assertThatThrownBy(
            () ->
                new NewJob(
                    "q", "t", 4, null, Instant.MAX, null, null, null, null, null, null, "{}"))
        .hasMessageContaining("at is");
  }

  @Test
  void texts_that_the_database_cannot_hold_are_refused() {
    assertThatThrownBy(() -> job("q", "t", 4, null, "a\0b")).hasMessageContaining("uniqueKey");
    assertThatThrownBy(() -> job("q", "t", 4, null, "\uD800")).hasMessageContaining("uniqueKey");
    assertThatThrownBy(() -> job("q", "t", 4, null, "k".repeat(256)))
        .hasMessageContaining("uniqueKey");
    assertThatCode(() -> job("q", "t", 4, null, "\uD83D\uDE00")).doesNotThrowAnyException();
  }

  @Test
  void copy_with_other_properties_has_the_same_enqueuer() {
    Principal ann = Principal.of("ann", Set.of("accountant"));
    NewJob job = new NewJob("q", "t", 4, null, null, null, null, null, null, null, null, "{}");
    NewJob copy = job.by(ann).withProperties("{\"a\":\"b\"}");
    assertThat(copy.enqueuedBy()).isEqualTo(ann);
    assertThat(copy.properties()).isEqualTo("{\"a\":\"b\"}");
  }
}
